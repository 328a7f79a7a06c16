// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {BoundedCall} from "./BoundedCall.sol";
import {IBinanceFeeds, IBinanceOracle, IFeed, IFeedOracle, ISymbol} from "./Sources.sol";

/// @title OperatorPrices: what the oracles of Venus that read one operator each say of a token
/// @notice Venus refuses an answer that is older than it allows, and reports no time. So the operator's own newest answer
/// is read beside the price: its time is the price's only if the two are the same. Nothing here reverts.
library OperatorPrices {
  using BoundedCall for address;
  using BoundedCall for bytes;

  struct OperatorPrice {
    /// Whether Venus has no such source of this token.
    bool isNone;
    /// USD with 36 less the token's decimals; 0 if Venus gives none.
    uint256 price;
    /// The operator's newest answer, and its time in unix seconds.
    uint256 answer;
    uint256 updatedAt;
  }

  uint256 private constant READ_GAS = 250_000;

  function redStone(address oracle, address token) internal view returns (OperatorPrice memory found) {
    bytes memory config = oracle.ask(abi.encodeCall(IFeedOracle.tokenConfigs, (token)), READ_GAS);
    address feed = address(uint160(config.wordAt(1)));
    found.isNone = config.length >= 96 && feed == address(0);
    if (feed == address(0)) return found;
    _take(found, oracle, token, feed, abi.encodeCall(IFeed.latestRoundData, ()));
  }

  /// Binance's feeds have names, by the token's symbol or the one that Venus reads in its place.
  function binance(address oracle, address token) internal view returns (OperatorPrice memory found) {
    string memory name = _text(token.ask(abi.encodeCall(ISymbol.symbol, ()), READ_GAS));
    if (bytes(name).length == 0) return found;
    string memory other = _text(oracle.ask(abi.encodeCall(IBinanceOracle.symbols, (name)), READ_GAS));
    if (bytes(other).length > 0) name = other;
    bytes memory period = oracle.ask(abi.encodeCall(IBinanceOracle.maxStalePeriod, (name)), READ_GAS);
    found.isNone = period.length >= 32 && period.wordAt(0) == 0;
    if (period.wordAt(0) == 0) return found;
    bytes memory feeds = oracle.ask(abi.encodeCall(IBinanceOracle.getFeedRegistryAddress, ()), READ_GAS);
    bytes memory question = abi.encodeCall(IBinanceFeeds.latestRoundDataByName, (name, "USD"));
    _take(found, oracle, token, address(uint160(feeds.wordAt(0))), question);
  }

  function _take(OperatorPrice memory found, address oracle, address token, address feed, bytes memory question)
    private
    view
  {
    found.price = oracle.ask(abi.encodeCall(IFeedOracle.getPrice, (token)), READ_GAS).wordAt(0);
    bytes memory round = feed.ask(question, READ_GAS);
    (found.answer, found.updatedAt) = (round.wordAt(1), round.wordAt(3));
  }

  /// The string of an answer; empty if the answer is not one string.
  function _text(bytes memory answer) private pure returns (string memory text) {
    if (answer.length < 64 || answer.wordAt(0) != 32 || answer.wordAt(1) > answer.length - 64) return "";
    assembly ("memory-safe") {
      text := add(answer, 64)
    }
  }
}
