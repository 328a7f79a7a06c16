// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

import {MarketLens} from "../../contracts/lens/MarketLens.sol";
import {IFeed, IPoolState, ISwapRouter} from "../../contracts/lens/Sources.sol";
import {PancakePools} from "../../contracts/libraries/PancakePools.sol";
import {Product} from "../base/Product.sol";
import {GasBurnerERC20} from "../mocks/GasBurnerERC20.sol";
import {HeavyERC20, HeavyRouter} from "../mocks/HeavyMarket.sol";
import {Test} from "forge-std/Test.sol";

contract MarketLensTest is Test {
  MarketLens private immutable LENS = Product.marketLens();
  HeavyERC20 private immutable PAID = new HeavyERC20();
  HeavyERC20 private immutable RECEIVED = new HeavyERC20();
  HeavyRouter private immutable ROUTER = new HeavyRouter();
  address private immutable QUOTER = makeAddr("quoter");

  function _trade(uint256 amount) private view returns (MarketLens.Trade memory trade) {
    trade.paid.token = address(PAID);
    trade.received.token = address(RECEIVED);
    trade.isBuy = true;
    trade.sizeIn = MarketLens.SizeIn.Paid;
    trade.size = amount;
    trade.router = address(ROUTER);
    trade.market.deployer = address(this);
    trade.market.quoter = QUOTER;
  }

  /// One pool of a price of 1 that quotes whatever the quoter says.
  function setUp() public {
    address pool = PancakePools.poolOf(address(this), address(PAID), address(RECEIVED), 100);
    vm.etch(pool, hex"00");
    vm.mockCall(pool, abi.encodeCall(IPoolState.liquidity, ()), abi.encode(1e30));
    vm.mockCall(pool, abi.encodeCall(IPoolState.slot0, ()), abi.encode(2 ** 96, 0, 0, 0, 0, 0, 0));
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

  /// A size in US dollars is rounded down, one in the token received is rounded up: neither buys more than was asked, nor
  /// falls short of it.
  function test_read_roundsASize() public {
    MarketLens.Trade memory trade = _trade(100e18);
    (trade.paid.unit, trade.received.unit) = (1e6, 1e8);
    (trade.paid.feedScale, trade.received.feedScale) = (1e10, 1e10);
    trade.paid.feed = _feed(3e8);
    trade.received.feed = _feed(7e8);
    trade.sizeIn = MarketLens.SizeIn.Usd;
    assertEq(_amountIn(trade), 33_333_333);
    (trade.sizeIn, trade.size) = (MarketLens.SizeIn.Received, 1e8);
    assertEq(_amountIn(trade), 2_333_334);
    // Of two thirds of a token, at 7/3 of the other's price.
    trade.size = 66_666_667;
    assertEq(_amountIn(trade), 1_555_556);
  }

  /// Without a price above zero no amount follows from a size in US dollars, and nothing is simulated.
  function test_read_takesNoPriceOfZeroOrLess() public {
    MarketLens.Trade memory trade = _trade(100e18);
    (trade.paid.unit, trade.received.unit, trade.sizeIn) = (1e6, 1e8, MarketLens.SizeIn.Received);
    (trade.paid.feedScale, trade.received.feedScale) = (1e10, 1e10);
    trade.paid.feed = _feed(3e8);
    trade.received.feed = _feed(7e8);
    assertGt(_amountIn(trade), 0);
    for (int256 answer = -1; answer <= 0; ++answer) {
      trade.received.feed = _feed(answer);
      assertEq(_amountIn(trade), 0);
    }
  }

  /// The outcome is unknown if the node has not given the lens what it is to pay with.
  function test_read_provesNothingWithoutABalance() public {
    PAID.mint(address(LENS), 6);
    RECEIVED.mint(address(ROUTER), 7);
    _assertOutcome(_trade(7), MarketLens.Outcome.Unknown);
  }

  /// Nor does a token prove anything that reports no balance.
  function test_read_provesNothingOfATokenWithoutABalance() public {
    PAID.mint(address(LENS), 7);
    RECEIVED.mint(address(ROUTER), 7);
    for (uint256 bytesAnswered; bytesAnswered < 32; bytesAnswered += 31) {
      vm.mockCall(address(RECEIVED), abi.encodeCall(IERC20.balanceOf, (address(LENS))), new bytes(bytesAnswered));
      _assertOutcome(_trade(7), MarketLens.Outcome.Unknown);
    }
  }

  function test_read_tellsThatThereIsNoWayBack() public {
    PAID.mint(address(LENS), 7);
    RECEIVED.mint(address(ROUTER), 7);
    MarketLens.Trade memory trade = _trade(7);
    // The swap back pays in what was received.
    bytes memory path = abi.encodePacked(RECEIVED, uint24(100), PAID);
    ISwapRouter.Order memory order = ISwapRouter.Order(path, address(LENS), block.timestamp, 7, 0);
    vm.mockCallRevert(address(ROUTER), abi.encodeCall(ISwapRouter.exactInput, (order)), "no");
    MarketLens.Snapshot memory snapshot = LENS.read(trade, new MarketLens.Read[](0));
    assertEq(uint256(snapshot.outcome), uint256(MarketLens.Outcome.NoWayBack));
    assertEq(snapshot.received, 7);
  }

  /// A source loses its own answer by its size or its gas, and no other.
  function test_ask_boundsEachSource() public {
    address flood = makeAddr("flood");
    address fair = makeAddr("fair");
    address burner = address(new GasBurnerERC20());
    bytes memory question = abi.encodeCall(IERC20.balanceOf, (address(1)));
    vm.mockCall(flood, question, new bytes(1_025));
    vm.mockCall(fair, question, new bytes(1_024));
    MarketLens.Read memory burning = MarketLens.Read(burner, abi.encodeCall(IERC20.transferFrom, (burner, flood, 1)));
    MarketLens.Read[] memory reads = new MarketLens.Read[](4);
    (reads[0], reads[1], reads[2]) = (MarketLens.Read(flood, question), burning, burning);
    reads[3] = MarketLens.Read(fair, question);
    (, bytes[] memory answers) = LENS.ask{gas: 1_200_000}(reads);
    assertEq(answers[0].length, 0);
    assertEq(answers[1].length, 0);
    assertEq(answers[2].length, 0);
    assertEq(answers[3].length, 1_024);
  }

  /// No round is before the first, and a number that is no round has none before it.
  function test_read_asksForTheRoundBefore() public {
    MarketLens.Trade memory trade = _trade(0);
    trade.received.feed = makeAddr("rounds");
    bytes memory before = abi.encode(uint80(6), int256(1), uint256(2), uint256(3), uint80(6));
    uint256[3] memory none = [uint256(0), uint256(type(uint80).max) + 1, type(uint256).max];
    vm.mockCall(trade.received.feed, abi.encodePacked(IFeed.getRoundData.selector), before);
    _answer(trade.received.feed, 7, 1e8);
    assertEq(LENS.read(trade, new MarketLens.Read[](0)).roundBefore, before);
    for (uint256 i; i < none.length; ++i) {
      _answer(trade.received.feed, none[i], 1e8);
      assertEq(LENS.read(trade, new MarketLens.Read[](0)).roundBefore, "");
    }
  }

  function _assertOutcome(MarketLens.Trade memory trade, MarketLens.Outcome outcome) private {
    assertEq(uint256(LENS.read(trade, new MarketLens.Read[](0)).outcome), uint256(outcome));
  }

  function _amountIn(MarketLens.Trade memory trade) private returns (uint256) {
    return LENS.read(trade, new MarketLens.Read[](0)).amountIn;
  }

  function _feed(int256 answer) private returns (address feed) {
    feed = makeAddr(vm.toString(answer));
    _answer(feed, 0, answer);
  }

  function _answer(address feed, uint256 round, int256 answer) private {
    vm.mockCall(feed, abi.encodeCall(IFeed.latestRoundData, ()), abi.encode(round, answer, 0, 0, round));
  }
}
