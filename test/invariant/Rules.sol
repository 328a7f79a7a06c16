// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {CommonBase} from "forge-std/Base.sol";
import {StdUtils} from "forge-std/StdUtils.sol";

/// A handler that sees for itself what must never happen: it knows what was before each call. The first rule that was broken
/// is kept by its name, for the campaign to find.
abstract contract Rules is CommonBase, StdUtils {
  string public broken;

  function _rule(string memory name, bool holds) internal {
    if (!holds && bytes(broken).length == 0) broken = name;
  }
}
