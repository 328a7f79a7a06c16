// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {MarketProbe} from "../../script/probe/MarketProbe.sol";
import {HeavyERC20, HeavyRouter} from "../mocks/HeavyMarket.sol";
import {Test} from "forge-std/Test.sol";

contract MarketProbeTest is Test {
  MarketProbe private immutable PROBE = new MarketProbe();
  HeavyERC20 private immutable PAID = new HeavyERC20();
  HeavyERC20 private immutable RECEIVED = new HeavyERC20();
  HeavyRouter private immutable ROUTER = new HeavyRouter();

  function _trade(uint256 amount) private view returns (MarketProbe.Trade memory trade) {
    trade.paid.token = address(PAID);
    trade.received.token = address(RECEIVED);
    trade.isBuy = true;
    trade.sizeIn = MarketProbe.SizeIn.Paid;
    trade.size = amount;
    trade.router = address(ROUTER);
  }

  function test_look_whenEachSourceUsesItsShare_playsThereAndBack() public {
    PAID.mint(address(PROBE), 7);
    RECEIVED.mint(address(ROUTER), 7);
    MarketProbe.Sight memory sight = PROBE.look(_trade(7), new MarketProbe.Read[](0));
    assertEq(uint256(sight.outcome), uint256(MarketProbe.Outcome.ThereAndBack));
    assertEq(sight.received, 7);
    assertEq(sight.returned, 7);
  }

  function test_look_tellsWhatItWasAskedAndOfWhichBlock() public {
    vm.roll(1_000);
    vm.setBlockhash(999, bytes32(uint256(0xB10C)));
    MarketProbe.Trade memory trade = _trade(0);
    MarketProbe.Read[] memory reads = new MarketProbe.Read[](0);
    MarketProbe.Sight memory sight = PROBE.look(trade, reads);
    assertEq(sight.asked, keccak256(abi.encodeCall(MarketProbe.look, (trade, reads))));
    assertEq(sight.number, 1_000);
    assertEq(sight.parentHash, bytes32(uint256(0xB10C)));
    (bytes32 asked,) = PROBE.ask(reads);
    assertEq(asked, keccak256(abi.encodeCall(MarketProbe.ask, (reads))));
  }
}
