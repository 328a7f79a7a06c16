// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IPlanExecutor} from "../../../contracts/interfaces/IPlanExecutor.sol";
import {IPlanRegistry} from "../../../contracts/interfaces/IPlanRegistry.sol";

interface IBrain {
  function onRunOpened(IPlanRegistry.OpenRun calldata run) external;
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
