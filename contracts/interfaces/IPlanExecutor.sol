// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IPlanRegistry} from "./IPlanRegistry.sol";

/// @title The callback of a plan's executor
interface IPlanExecutor {
  /// @notice The registry calls this during `pullFunds`. Within this call the executor must have the registry pay the
  /// run's amount with `payTo`, have at least `run.floor` of tokenOut sent to the registry, and then call
  /// `recordRun(run.planId)`.
  /// @param data The data given to `pullFunds`.
  function onRunOpened(IPlanRegistry.OpenRun calldata run, bytes calldata data) external;
}
