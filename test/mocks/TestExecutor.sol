// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";

import {IPlanExecutor} from "../../contracts/interfaces/IPlanExecutor.sol";
import {IPlanRegistry, Verdict} from "../../contracts/interfaces/IPlanRegistry.sol";
import {Puppet} from "./Puppet.sol";

/// Runs plans from its own stock of tokenOut: has the funds paid to itself and keeps them, and delivers `amountOut`.
contract TestExecutor is IPlanExecutor, Puppet {
  using SafeERC20 for IERC20;

  /// The claimed verdict of a run or deferral.
  struct Claim {
    Verdict verdict;
    bytes32 evidenceHash;
  }

  IPlanRegistry public immutable registry;
  uint256 public amountOut;
  bytes public handed;
  IPlanRegistry.OpenRun private _opened;

  constructor(IPlanRegistry registry_) {
    registry = registry_;
  }

  function setAmountOut(uint256 amountOut_) external {
    amountOut = amountOut_;
  }

  function run(uint256 planId, Claim calldata claim, bytes calldata data) external returns (uint256) {
    return registry.pullFunds(planId, _version(planId), _unsigned(claim), "", data);
  }

  function runOn(uint256 planId, uint256 version, IPlanRegistry.Ticket calldata ticket, bytes calldata signature)
    external
    returns (uint256)
  {
    return registry.pullFunds(planId, version, ticket, signature, "");
  }

  function defer(uint256 planId, uint16 reason, Claim calldata claim) external {
    registry.recordDeferral(planId, _version(planId), reason, _unsigned(claim), "");
  }

  function deferOn(
    uint256 planId,
    uint256 version,
    uint16 reason,
    IPlanRegistry.Ticket calldata ticket,
    bytes calldata signature
  ) external {
    registry.recordDeferral(planId, version, reason, ticket, signature);
  }

  function onRunOpened(IPlanRegistry.OpenRun calldata run_, bytes calldata data) external virtual {
    _opened = run_;
    handed = data;
    registry.payTo(address(this));
    _deliver(run_);
  }

  /// The registry's arguments in the last callback.
  function opened() external view returns (IPlanRegistry.OpenRun memory) {
    return _opened;
  }

  function _version(uint256 planId) private view returns (uint256) {
    return registry.plan(planId).state.version;
  }

  function _unsigned(Claim calldata claim) private pure returns (IPlanRegistry.Ticket memory ticket) {
    (ticket.verdict, ticket.evidenceHash) = (claim.verdict, claim.evidenceHash);
  }

  function _deliver(IPlanRegistry.OpenRun calldata run_) internal {
    IERC20(run_.tokenOut).safeTransfer(address(registry), amountOut);
    registry.recordRun(run_.planId);
  }
}
