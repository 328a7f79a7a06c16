// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IPlanExecutor} from "../../../contracts/interfaces/IPlanExecutor.sol";
import {IPlanRegistry} from "../../../contracts/interfaces/IPlanRegistry.sol";

interface IBrain {
  function onRunOpened(IPlanRegistry.OpenRun calldata run) external;
  function onPermit() external;
}

/// An executor that lets the handler decide: the handler acts in its name.
contract Limb is IPlanExecutor {
  IBrain private immutable BRAIN;

  constructor(IBrain brain) {
    BRAIN = brain;
  }

  function onRunOpened(IPlanRegistry.OpenRun calldata run, bytes calldata) external {
    BRAIN.onRunOpened(run);
  }
}

/// The token of a permit, which is any contract that the submitter names.
contract Carrier {
  IBrain private immutable BRAIN;

  constructor(IBrain brain) {
    BRAIN = brain;
  }

  function permit(address, address, uint256, uint256, uint8, bytes32, bytes32) external {
    BRAIN.onPermit();
  }

  function allowance(address, address) external pure returns (uint256) {
    return type(uint256).max;
  }
}
