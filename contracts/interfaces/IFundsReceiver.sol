// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IPlanRegistry} from "./IPlanRegistry.sol";

/// @title What a plan's executor answers to
interface IFundsReceiver {
  /// @notice Called by the registry in the middle of `pullFunds`, when the plan's funds have arrived here. Must call
  /// `recordRun(pull.planId, amountOut)` once, with `amountOut` of tokenOut allowed to the registry.
  function onFundsPulled(IPlanRegistry.Pull calldata pull, bytes calldata data) external;
}
