// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Test} from "forge-std/Test.sol";

import {Rules} from "./Rules.sol";

/// A campaign in which nothing happens would prove nothing: what a sequence has done is written down for
/// lab/tools/invariants.mjs to add up, and a whole sequence that has done too little fails.
abstract contract Tally is Test {
  /// Calls of a whole sequence (foundry.toml). Of one that forge has cut short, to show less of a failure, nothing is
  /// asked.
  uint256 private constant DEPTH = 500;

  /// One line: a JSON object with how often each action was tried and how often it succeeded.
  function _tally(string memory campaign, Rules handler) internal {
    if (handler.calls() < DEPTH) return;
    Rules.Count[] memory counts = handler.counts();
    string memory line = "{";
    for (uint256 i; i < counts.length; ++i) {
      line = string.concat(
        line,
        i == 0 ? '"' : ',"',
        handler.text(counts[i].name),
        '":[',
        vm.toString(counts[i].tried),
        ",",
        vm.toString(counts[i].done),
        "]"
      );
    }
    vm.createDir(".cache/invariants", true);
    vm.writeLine(string.concat(".cache/invariants/", campaign, ".jsonl"), string.concat(line, "}"));
  }

  /// @param least Of this action, that must have succeeded in the sequence.
  /// @param percent Of its tries, that must have.
  function _requireDone(Rules handler, bytes32 name, uint256 least, uint256 percent) internal view {
    if (handler.calls() < DEPTH) return;
    Rules.Count[] memory counts = handler.counts();
    for (uint256 i; i < counts.length; ++i) {
      if (counts[i].name != name) continue;
      assertGe(counts[i].done, least, "the sequence has done too little");
      assertGe(uint256(counts[i].done) * 100, uint256(counts[i].tried) * percent, "too many tries have failed");
      return;
    }
    assertEq(least, 0, "the sequence has not tried");
  }
}
