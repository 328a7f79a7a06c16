// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {OperatorPrices} from "../../contracts/lens/OperatorPrices.sol";
import {IBinanceFeeds, IBinanceOracle, IFeed, IFeedOracle, ISymbol} from "../../contracts/lens/Sources.sol";
import {Test} from "forge-std/Test.sol";

contract WitnessesTest is Test {
  address private immutable ORACLE = makeAddr("oracle");
  address private immutable TOKEN = makeAddr("token");
  address private immutable FEED = makeAddr("feed");

  function setUp() public {
    vm.mockCall(ORACLE, abi.encodeCall(IFeedOracle.getPrice, (TOKEN)), abi.encode(5e18));
    vm.mockCall(ORACLE, abi.encodeCall(IFeedOracle.tokenConfigs, (TOKEN)), abi.encode(TOKEN, FEED, uint256(100)));
    vm.mockCall(FEED, abi.encodeCall(IFeed.latestRoundData, ()), _round(5e8, 1_700));
    vm.mockCall(TOKEN, abi.encodeCall(ISymbol.symbol, ()), abi.encode("WBNB"));
    vm.mockCall(ORACLE, abi.encodeCall(IBinanceOracle.symbols, ("WBNB")), abi.encode(""));
    vm.mockCall(ORACLE, abi.encodeCall(IBinanceOracle.maxStalePeriod, ("WBNB")), abi.encode(uint256(60)));
    vm.mockCall(ORACLE, abi.encodeCall(IBinanceOracle.getFeedRegistryAddress, ()), abi.encode(FEED));
    vm.mockCall(FEED, abi.encodeCall(IBinanceFeeds.latestRoundDataByName, ("WBNB", "USD")), _round(6e8, 1_800));
  }

  function _round(uint256 answer, uint256 updatedAt) private pure returns (bytes memory) {
    return abi.encode(uint256(1), answer, uint256(7), updatedAt, uint256(1));
  }

  function _assertIs(
    OperatorPrices.OperatorPrice memory found,
    bool isNone,
    uint256 price,
    uint256 answer,
    uint256 time
  ) private {
    assertEq(found.isNone, isNone);
    assertEq(found.price, price);
    assertEq(found.answer, answer);
    assertEq(found.updatedAt, time);
  }

  function test_redStone_isVenusPriceWithTheAnswerOfItsFeed() public {
    _assertIs(OperatorPrices.redStone(ORACLE, TOKEN), false, 5e18, 5e8, 1_700);
  }

  function test_redStone_isNoneWithoutAFeed() public {
    vm.mockCall(ORACLE, abi.encodeCall(IFeedOracle.tokenConfigs, (TOKEN)), new bytes(96));
    _assertIs(OperatorPrices.redStone(ORACLE, TOKEN), true, 0, 0, 0);
  }

  /// That the oracle does not answer does not mean that it has no such token.
  function test_redStone_isUnknownIfItsOracleDoesNotAnswer() public {
    vm.mockCallRevert(ORACLE, abi.encodeCall(IFeedOracle.tokenConfigs, (TOKEN)), "");
    _assertIs(OperatorPrices.redStone(ORACLE, TOKEN), false, 0, 0, 0);
    _assertIs(OperatorPrices.redStone(makeAddr("nobody"), TOKEN), false, 0, 0, 0);
  }

  /// Venus refuses an old answer.
  function test_redStone_hasNoPriceIfVenusGivesNone() public {
    vm.mockCallRevert(ORACLE, abi.encodeCall(IFeedOracle.getPrice, (TOKEN)), "chainlink price expired");
    _assertIs(OperatorPrices.redStone(ORACLE, TOKEN), false, 0, 5e8, 1_700);
  }

  function test_redStone_hasNoAnswerIfItsFeedGivesNone() public {
    vm.mockCall(FEED, abi.encodeCall(IFeed.latestRoundData, ()), new bytes(31));
    _assertIs(OperatorPrices.redStone(ORACLE, TOKEN), false, 5e18, 0, 0);
  }

  function test_binance_isVenusPriceWithTheAnswerOfItsName() public {
    _assertIs(OperatorPrices.binance(ORACLE, TOKEN), false, 5e18, 6e8, 1_800);
  }

  function test_binance_takesTheNameThatVenusReads() public {
    vm.mockCall(ORACLE, abi.encodeCall(IBinanceOracle.symbols, ("WBNB")), abi.encode("BNB"));
    vm.mockCall(ORACLE, abi.encodeCall(IBinanceOracle.maxStalePeriod, ("BNB")), abi.encode(uint256(60)));
    vm.mockCall(FEED, abi.encodeCall(IBinanceFeeds.latestRoundDataByName, ("BNB", "USD")), _round(8e8, 1_900));
    _assertIs(OperatorPrices.binance(ORACLE, TOKEN), false, 5e18, 8e8, 1_900);
  }

  function test_binance_isNoneWithoutAnAge() public {
    vm.mockCall(ORACLE, abi.encodeCall(IBinanceOracle.maxStalePeriod, ("WBNB")), abi.encode(uint256(0)));
    _assertIs(OperatorPrices.binance(ORACLE, TOKEN), true, 0, 0, 0);
  }

  function test_binance_isUnknownIfItsOracleDoesNotAnswer() public {
    vm.mockCallRevert(ORACLE, abi.encodeCall(IBinanceOracle.maxStalePeriod, ("WBNB")), "");
    _assertIs(OperatorPrices.binance(ORACLE, TOKEN), false, 0, 0, 0);
    _assertIs(OperatorPrices.binance(makeAddr("nobody"), TOKEN), false, 0, 0, 0);
  }

  /// A token may answer anything in place of its symbol.
  function test_binance_isUnknownWithoutASymbol() public {
    bytes[4] memory answers = [
      bytes(""),
      abi.encode(uint256(64), uint256(4), bytes32("WBNB")),
      abi.encode(uint256(32), uint256(2 ** 255)),
      new bytes(64)
    ];
    for (uint256 i = 0; i < answers.length; i++) {
      vm.mockCall(TOKEN, abi.encodeCall(ISymbol.symbol, ()), answers[i]);
      _assertIs(OperatorPrices.binance(ORACLE, TOKEN), false, 0, 0, 0);
    }
  }

  function test_binance_hasNoAnswerIfItsFeedsGiveNone() public {
    vm.mockCall(ORACLE, abi.encodeCall(IBinanceOracle.getFeedRegistryAddress, ()), abi.encode(makeAddr("nobody")));
    _assertIs(OperatorPrices.binance(ORACLE, TOKEN), false, 5e18, 0, 0);
  }
}
