// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {LibCall} from "solady/utils/LibCall.sol";

/// @title Calls the members of a batch, each with its own gas budget
/// @notice A member that fails, loops or returns a megabyte does not stop the others. A caller cannot skip the last
/// members by sending too little gas, because the whole batch then reverts.
library BatchCall {
  /// Gas of the call itself, on top of the member's budget.
  uint256 private constant GAS_PER_CALL = 10_000;
  /// An error's selector and four words.
  uint16 private constant MAX_FAILURE_BYTES = 132;

  error GasTooLow(uint256 gasLeft, uint256 needed);

  /// @notice Calls one member. Reverts with GasTooLow if it could not receive its whole budget.
  /// @param budget A caller may raise it, so it can be any number.
  /// @return isDone Whether the call succeeded.
  /// @return answer What it returned, or the first 132 bytes of its revert data.
  function tryCall(address target, uint256 budget, bytes memory call)
    internal
    returns (bool isDone, bytes memory answer)
  {
    // A call receives at most 63/64 of the remaining gas, whatever limit it names. With less left than this, the member
    // would get less than its budget and fail because the caller sent too little gas.
    uint256 needed = Math.saturatingMul(budget, 64) / 63 + GAS_PER_CALL;
    if (gasleft() < needed) revert GasTooLow(gasleft(), needed);
    // Copies only as much return data as an error needs: more would use up the gas of the members that follow.
    (isDone,, answer) = LibCall.tryCall(target, 0, budget, MAX_FAILURE_BYTES, call);
  }

  /// @param gasAround Overhead of the batch per member, including GAS_PER_CALL.
  /// @return The gas for a batch in which every member uses its whole budget.
  function gasLimitOf(uint256 count, uint256 budget, uint256 gasAround) internal pure returns (uint256) {
    return count * (budget * 64 / 63 + gasAround);
  }
}
