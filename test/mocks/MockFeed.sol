// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IAggregatorV3} from "../../contracts/interfaces/IAggregatorV3.sol";

/// A Chainlink feed that answers what a test sets, valid or not.
contract MockFeed is IAggregatorV3 {
  uint8 public immutable decimals;
  int256 private _answer;
  uint256 private _updatedAt;

  constructor(uint8 decimals_) {
    decimals = decimals_;
  }

  function set(int256 answer, uint256 updatedAt) external {
    (_answer, _updatedAt) = (answer, updatedAt);
  }

  function latestAnswer() external view returns (int256) {
    return _answer;
  }

  /// The other fields differ from answer and time, so a read of the wrong field shows.
  function latestRoundData() external view returns (uint80, int256, uint256, uint256, uint80) {
    return (7, _answer, 1, _updatedAt, 6);
  }
}
