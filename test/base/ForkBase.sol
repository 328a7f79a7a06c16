// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Test} from "forge-std/Test.sol";

import {Deploy} from "../../script/Deploy.s.sol";

/// @notice Bowline deployed, by its own script, on a fork of BNB Chain or of its local replica.
abstract contract ForkBase is Test {
  Deploy.Contracts internal bowline;

  address internal owner = makeAddr("owner");
  address internal operator;

  function setUp() public virtual {
    bowline = new Deploy().run();
    operator = bowline.swapExecutor.operator();
  }
}
