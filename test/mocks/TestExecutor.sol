// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";

import {IFundsReceiver} from "../../contracts/interfaces/IFundsReceiver.sol";
import {IPlanRegistry, Verdict} from "../../contracts/interfaces/IPlanRegistry.sol";
import {Puppet} from "./Puppet.sol";

/// Runs plans from its own stock of tokenOut: delivers `amountOut` in one `recordRun`, and keeps the pulled funds.
contract TestExecutor is IFundsReceiver, Puppet {
  using SafeERC20 for IERC20;

  /// The claimed verdict of a run or deferral.
  struct Claim {
    Verdict verdict;
    bytes32 evidenceHash;
  }

  IPlanRegistry public immutable registry;
  uint256 public amountOut;
  bytes public handed;
  IPlanRegistry.Pull private _pull;

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

  function onFundsPulled(IPlanRegistry.Pull calldata pull_, bytes calldata data) external virtual {
    _pull = pull_;
    handed = data;
    _deliver(pull_);
  }

  /// The registry's arguments in the last callback.
  function pull() external view returns (IPlanRegistry.Pull memory) {
    return _pull;
  }

  function _version(uint256 planId) private view returns (uint256) {
    return registry.plan(planId).state.version;
  }

  function _unsigned(Claim calldata claim) private pure returns (IPlanRegistry.Ticket memory ticket) {
    (ticket.verdict, ticket.evidenceHash) = (claim.verdict, claim.evidenceHash);
  }

  function _deliver(IPlanRegistry.Pull calldata pull_) internal {
    IERC20(pull_.tokenOut).forceApprove(address(registry), amountOut);
    registry.recordRun(pull_.planId, amountOut);
  }
}
