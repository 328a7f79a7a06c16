// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Test} from "forge-std/Test.sol";

import {Deploy} from "../../script/Deploy.s.sol";

/// @notice Bowline deployed, by its own script, on a fork of BNB Chain or of its local replica.
abstract contract ForkBase is Test {
  Deploy.Contracts internal bowline;

  /// Derived without a known key: on the real chain the accounts of well-known keys have code and balances.
  address internal owner = address(uint160(uint256(keccak256("bowline.fork.owner"))));
  address internal operator;

  function setUp() public virtual {
    bowline = Deploy(vm.deployCode("out/Deploy.s.sol/Deploy.json")).run();
    operator = bowline.swapExecutor.operator();
  }
}
