// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

/// @title The time grid of a plan
/// @notice Slot k is [startAt + k * period, startAt + k * period + window). The grid is fixed: a late run does not move it.
library Slots {
  /// @notice Number of the slot that `time` lies in, or whose window it has missed. Needs time ≥ startAt and period > 0.
  function indexAt(uint40 time, uint40 startAt, uint32 periodSeconds) internal pure returns (uint40) {
    return (time - startAt) / periodSeconds;
  }

  /// @notice First second of slot number `index`. Needs a slot that begins within 40 bits of seconds.
  function startOf(uint40 index, uint40 startAt, uint32 periodSeconds) internal pure returns (uint40) {
    return startAt + index * periodSeconds;
  }
}
