// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

interface IFeedLike {
  function latestAnswer() external view returns (int256);
}

interface IMoolahLike {
  function priceOfCall() external view returns (uint256);
}

/// @notice Stands in for the oracle of Lista's markets: US dollars with 8 decimals, of Chainlink's standard feeds.
contract MoolahOracleStandIn {
  mapping(address token => IFeedLike) private _feeds;

  constructor(address[] memory tokens, address[] memory feeds) {
    for (uint256 i; i < tokens.length; ++i) {
      _feeds[tokens[i]] = IFeedLike(feeds[i]);
    }
  }

  function peek(address token) external view returns (uint256) {
    return uint256(_feeds[token].latestAnswer());
  }

  /// Asked by Morpho's code, which knows one price a market.
  function price() external view returns (uint256) {
    return IMoolahLike(msg.sender).priceOfCall();
  }
}
