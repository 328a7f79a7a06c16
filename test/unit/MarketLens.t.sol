// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {MarketLens} from "../../contracts/lens/MarketLens.sol";
import {Product} from "../base/Product.sol";
import {HeavyERC20, HeavyRouter} from "../mocks/HeavyMarket.sol";
import {Test} from "forge-std/Test.sol";

contract MarketLensTest is Test {
  MarketLens private immutable LENS = Product.marketLens();
  HeavyERC20 private immutable PAID = new HeavyERC20();
  HeavyERC20 private immutable RECEIVED = new HeavyERC20();
  HeavyRouter private immutable ROUTER = new HeavyRouter();

  function _trade(uint256 amount) private view returns (MarketLens.Trade memory trade) {
    trade.paid.token = address(PAID);
    trade.received.token = address(RECEIVED);
    trade.isBuy = true;
    trade.sizeIn = MarketLens.SizeIn.Paid;
    trade.size = amount;
    trade.router = address(ROUTER);
  }

  function test_read_simulatesBothSwapsWhenEachSourceUsesItsShare() public {
    PAID.mint(address(LENS), 7);
    RECEIVED.mint(address(ROUTER), 7);
    MarketLens.Snapshot memory snapshot = LENS.read(_trade(7), new MarketLens.Read[](0));
    assertEq(uint256(snapshot.outcome), uint256(MarketLens.Outcome.ThereAndBack));
    assertEq(snapshot.received, 7);
    assertEq(snapshot.returned, 7);
  }

  function test_read_tellsItsCallAndItsBlock() public {
    vm.roll(1_000);
    vm.setBlockhash(999, bytes32(uint256(0xB10C)));
    MarketLens.Trade memory trade = _trade(0);
    MarketLens.Read[] memory reads = new MarketLens.Read[](0);
    MarketLens.Snapshot memory snapshot = LENS.read(trade, reads);
    assertEq(snapshot.asked, keccak256(abi.encodeCall(MarketLens.read, (trade, reads))));
    assertEq(snapshot.number, 1_000);
    assertEq(snapshot.parentHash, bytes32(uint256(0xB10C)));
    (bytes32 asked,) = LENS.ask(reads);
    assertEq(asked, keccak256(abi.encodeCall(MarketLens.ask, (reads))));
  }
}
