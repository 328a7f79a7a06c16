// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {CommonBase} from "forge-std/Base.sol";
import {StdUtils} from "forge-std/StdUtils.sol";

/// A handler that checks each call itself, because it knows the state before. It keeps the name of the first broken
/// rule for the campaign to report.
abstract contract Rules is CommonBase, StdUtils {
  string public broken;

  function _rule(string memory name, bool holds) internal {
    if (!holds && bytes(broken).length == 0) broken = name;
  }
}
