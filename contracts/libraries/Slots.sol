// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

/// @title The time grid of a plan
/// @notice Slot k is [startAt + k * period, startAt + k * period + window). The grid is fixed: a late run does not
/// shift it.
library Slots {
  /// @notice Index of the last slot that starts at or before `time`; its window may already have closed. Requires time
  /// ≥ startAt and period > 0.
  function indexAt(uint40 time, uint40 startAt, uint32 periodSeconds) internal pure returns (uint40) {
    return (time - startAt) / periodSeconds;
  }

  /// @notice First second of slot `index`. Requires the start to fit 40 bits.
  function startOf(uint40 index, uint40 startAt, uint32 periodSeconds) internal pure returns (uint40) {
    return startAt + index * periodSeconds;
  }

  /// @notice First second of the last slot that starts at or before `time`. Same requirements.
  function lastStart(uint40 time, uint40 startAt, uint32 periodSeconds) internal pure returns (uint40) {
    return startOf(indexAt(time, startAt, periodSeconds), startAt, periodSeconds);
  }
}
