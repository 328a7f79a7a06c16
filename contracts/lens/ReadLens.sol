// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

/// @title ReadLens: makes a list of calls in one eth_call, all at one block
/// @notice Never deployed: the caller sends this code with the call, or puts it at an address by a state override. In
/// that case the calls come from that address, so that a rescue can be simulated as its keeper would send it. Later
/// calls see the state changes of earlier ones.
contract ReadLens {
  struct Call {
    address target;
    bytes data;
  }

  struct Answer {
    bool isOk;
    /// The result, or the revert data.
    bytes data;
  }

  /// @return time The block's time in unix seconds.
  /// @return answers In the order of `calls`. A call that fails does not stop the others.
  function read(Call[] calldata calls) external returns (uint256 time, Answer[] memory answers) {
    time = block.timestamp;
    answers = new Answer[](calls.length);
    for (uint256 i; i < calls.length; ++i) {
      (answers[i].isOk, answers[i].data) = calls[i].target.call(calls[i].data);
    }
  }
}
