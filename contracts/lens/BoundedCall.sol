// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

/// @title Calls to sources that may be hostile
/// @notice Each has its own gas limit, and its answer a size limit. A call that fails, or answers more, has an empty
/// answer.
library BoundedCall {
  /// In bytes. The longest expected answer has 14 words.
  uint256 private constant LONGEST_ANSWER = 1024;

  function ask(address source, bytes memory question, uint256 gasGiven) internal view returns (bytes memory) {
    bool isAnswered;
    assembly ("memory-safe") {
      isAnswered := staticcall(gasGiven, source, add(question, 32), mload(question), 0, 0)
    }
    return _answer(isAnswered);
  }

  function act(address target, bytes memory order, uint256 gasGiven) internal returns (bytes memory) {
    bool isDone;
    assembly ("memory-safe") {
      isDone := call(gasGiven, target, 0, add(order, 32), mload(order), 0, 0)
    }
    return _answer(isDone);
  }

  /// @notice Returns a word of an answer, counted from 0; 0 if the answer is shorter.
  function wordAt(bytes memory answer, uint256 index) internal pure returns (uint256 word) {
    if (answer.length < 32 * (index + 1)) return 0;
    assembly ("memory-safe") {
      word := mload(add(answer, mul(32, add(index, 1))))
    }
  }

  /// Returns the last call's return data, capped in size. A full copy, as Solidity makes, would let one source use up
  /// the memory of all.
  function _answer(bool isAnswered) private pure returns (bytes memory answer) {
    uint256 size;
    assembly ("memory-safe") {
      size := returndatasize()
    }
    if (!isAnswered || size > LONGEST_ANSWER) return "";
    answer = new bytes(size);
    assembly ("memory-safe") {
      returndatacopy(add(answer, 32), 0, size)
    }
  }
}
