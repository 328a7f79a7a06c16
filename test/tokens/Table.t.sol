// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Test} from "forge-std/Test.sol";

import {TokenTable} from "./TokenTable.sol";

contract TokenTableTest is Test {
  /// TK-1: every column has a test. (A test without a column fails by itself, and so does a row without a token.)
  function test_columnsAreThePathsThatAreTested() public view {
    string[] memory paths = TokenTable.paths();
    string[11] memory tested = [
      "a token that",
      "plan pays",
      "plan receives",
      "swap pays",
      "swap passes on",
      "swap receives",
      "rescue",
      "rescue gives back",
      "desk buys",
      "desk sells",
      "desk is emptied"
    ];
    assertEq(paths.length, tested.length);
    for (uint256 i; i < paths.length; ++i) {
      assertEq(paths[i], tested[i]);
    }
  }

  /// TK-1: enough rows, without duplicates.
  function test_rowsAreDistinct() public view {
    string[] memory rows = TokenTable.behaviours();
    assertGe(rows.length, 12);
    for (uint256 i; i < rows.length; ++i) {
      for (uint256 j; j < i; ++j) {
        assertNotEq(rows[i], rows[j]);
      }
    }
  }
}
