// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IPlanRegistry} from "./IPlanRegistry.sol";

/// @title The callback of a plan's executor
interface IFundsReceiver {
  /// @notice The registry calls this during `pullFunds`, after the plan's funds have arrived here. The executor must
  /// call `recordRun(pull.planId, amountOut)` once, with an allowance of `amountOut` of tokenOut to the registry.
  function onFundsPulled(IPlanRegistry.Pull calldata pull, bytes calldata data) external;
}
