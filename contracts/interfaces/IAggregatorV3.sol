// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

/// @title The part of a Chainlink price feed that Bowline uses
interface IAggregatorV3 {
  function decimals() external view returns (uint8);
  function latestRoundData()
    external
    view
    returns (uint80 roundId, int256 answer, uint256 startedAt, uint256 updatedAt, uint80 answeredInRound);
}

/// @title The limits of a Chainlink aggregator
/// @notice Not every feed has these functions.
interface IAggregatorLimits {
  /// @notice The aggregator that a proxy reads at present. Its owner can replace it.
  function aggregator() external view returns (address);
  /// @notice An aggregator never answers less, whatever the market does.
  function minAnswer() external view returns (int192);
  /// @notice An aggregator never answers more.
  function maxAnswer() external view returns (int192);
}
