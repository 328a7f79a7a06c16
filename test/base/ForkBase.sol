// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Test} from "forge-std/Test.sol";

import {Contracts} from "../../script/Contracts.sol";

interface IDeploy {
  function run() external returns (Contracts memory);
}

/// Chainlink's older reading. Tests move a protocol's price by it, and leave the one of Bowline's price source alone.
interface IFeed {
  function latestAnswer() external view returns (int256);
}

/// @notice Bowline deployed, by its own script, on a fork of BNB Chain or of its local replica.
abstract contract ForkBase is Test {
  Contracts internal bowline;

  /// Derived without a known key: on the real chain the accounts of well-known keys have code and balances.
  address internal owner = address(uint160(uint256(keccak256("bowline.fork.owner"))));
  address internal operator;

  function setUp() public virtual {
    bowline = IDeploy(vm.deployCode("out/Deploy.s.sol/Deploy.json")).run();
    operator = bowline.swapExecutor.operator();
  }
}
