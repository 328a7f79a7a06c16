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
  /// @notice The aggregator behind the proxy. The proxy's owner can replace it.
  function aggregator() external view returns (address);
  /// @notice The aggregator's minimum answer, even if the market falls below it.
  function minAnswer() external view returns (int192);
  /// @notice The aggregator's maximum answer.
  function maxAnswer() external view returns (int192);
}
