// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {LibCall} from "solady/utils/LibCall.sol";

/// @title Calls to sources that may be hostile
/// @notice Each call has a gas limit, and its answer a size limit. A call that fails or returns more has an empty
/// answer: a full copy, as Solidity makes, would let one source exhaust everyone's memory.
library BoundedCall {
  /// Maximum answer in bytes. The longest expected answer has 14 words.
  uint16 private constant LONGEST_ANSWER = 1024;

  function ask(address source, bytes memory question, uint256 gasGiven) internal view returns (bytes memory) {
    (bool isAnswered, bool isLonger, bytes memory answer) =
      LibCall.tryStaticCall(source, gasGiven, LONGEST_ANSWER, question);
    return isAnswered && !isLonger ? answer : bytes("");
  }

  function act(address target, bytes memory order, uint256 gasGiven) internal returns (bytes memory) {
    (bool isDone, bool isLonger, bytes memory answer) = LibCall.tryCall(target, 0, gasGiven, LONGEST_ANSWER, order);
    return isDone && !isLonger ? answer : bytes("");
  }

  /// @notice Returns a word of an answer, counted from 0; 0 if the answer is shorter.
  function wordAt(bytes memory answer, uint256 index) internal pure returns (uint256 word) {
    if (answer.length < 32 * (index + 1)) return 0;
    assembly ("memory-safe") {
      word := mload(add(answer, mul(32, add(index, 1))))
    }
  }
}
