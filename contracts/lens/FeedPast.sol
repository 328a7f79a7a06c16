// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {BoundedCall} from "./BoundedCall.sol";
import {IFeed} from "./Sources.sol";

/// @title FeedPast: a Chainlink feed's past answers
/// @notice Feeds store their rounds, so past prices are on chain even if no exchange is reachable.
library FeedPast {
  using BoundedCall for address;
  using BoundedCall for bytes;

  // Reading a round through proxy and aggregator costs 20,000 gas.
  uint256 private constant ROUND_GAS = 60_000;
  /// A feed that answers every 30 s has 240 rounds in two hours.
  uint256 private constant MAX_ROUNDS = 1024;

  /// @notice Returns the newest round that is at least this many seconds older than the block; empty if the stored
  /// rounds do not go back that far.
  /// @param newest the feed's newest round.
  function roundAgo(address feed, bytes memory newest, uint256 ago) internal view returns (bytes memory found) {
    if (newest.length < 160 || newest.wordAt(0) > type(uint80).max || newest.wordAt(3) == 0) return "";
    if (block.timestamp < ago) return "";
    uint256 time = block.timestamp - ago;
    if (_isOf(newest, time)) return newest;
    uint256 young = newest.wordAt(0);
    uint256 old;
    // The upper bits hold the phase, within which rounds start at 1.
    uint256 first = (young >> 64 << 64) + 1;
    // Steps back twice as far each time, until a round is old enough.
    for (uint256 step = 1; old == 0; step *= 2) {
      if (step > MAX_ROUNDS || young <= first) return "";
      uint256 id = young - first > step ? young - step : first;
      bytes memory round = _round(feed, id);
      if (round.wordAt(3) == 0) return "";
      if (_isOf(round, time)) (old, found) = (id, round);
      else young = id;
    }
    while (young - old > 1) {
      uint256 id = (young + old) / 2;
      bytes memory round = _round(feed, id);
      if (round.wordAt(3) == 0) return "";
      if (_isOf(round, time)) (old, found) = (id, round);
      else young = id;
    }
  }

  function _isOf(bytes memory round, uint256 time) private pure returns (bool) {
    return round.wordAt(3) <= time;
  }

  function _round(address feed, uint256 id) private view returns (bytes memory) {
    // forge-lint: disable-next-line(unsafe-typecast)
    return feed.ask(abi.encodeCall(IFeed.getRoundData, (uint80(id))), ROUND_GAS);
  }
}
