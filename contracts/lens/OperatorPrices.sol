// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {BoundedCall} from "./BoundedCall.sol";
import {IBinanceFeeds, IBinanceOracle, IFeed, IFeedOracle, ISymbol} from "./Sources.sol";

/// @title OperatorPrices: a token's price from each of Venus's single-operator oracles
/// @notice Venus refuses an answer older than its limit, but reports no timestamp. The operator's own latest answer is
/// therefore read as well: its timestamp applies to the price only if the two are equal. Nothing here reverts.
library OperatorPrices {
  using BoundedCall for address;
  using BoundedCall for bytes;

  struct OperatorPrice {
    /// Whether Venus has no such source for this token.
    bool isNone;
    /// USD with (36 − token decimals) decimals; 0 if Venus gives none.
    uint256 price;
    /// The operator's latest answer, and its time in unix seconds.
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

  /// Binance's feeds are named by the token's symbol, or by the symbol that Venus uses instead.
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

  /// The string in an answer; empty if the answer is not a single string.
  function _text(bytes memory answer) private pure returns (string memory text) {
    if (answer.length < 64 || answer.wordAt(0) != 32 || answer.wordAt(1) > answer.length - 64) return "";
    assembly ("memory-safe") {
      text := add(answer, 64)
    }
  }
}
