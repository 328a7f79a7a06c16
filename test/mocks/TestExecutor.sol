// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";

import {IFundsReceiver} from "../../contracts/interfaces/IFundsReceiver.sol";
import {IPlanRegistry} from "../../contracts/interfaces/IPlanRegistry.sol";
import {Puppet} from "./Puppet.sol";

/// Runs plans out of its own stock of tokenOut: delivers `amountOut` in one `recordRun`, and keeps what it pulled.
contract TestExecutor is IFundsReceiver, Puppet {
  using SafeERC20 for IERC20;

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

  function run(uint256 planId, IPlanRegistry.Claim calldata claim, bytes calldata data) external returns (uint256) {
    IPlanRegistry.Ticket memory ticket;
    (ticket.verdict, ticket.evidenceHash) = (claim.verdict, claim.evidenceHash);
    return registry.pullFunds(planId, registry.plan(planId).state.version, ticket, "", data);
  }

  function runOn(uint256 planId, uint256 version, IPlanRegistry.Ticket calldata ticket, bytes calldata signature)
    external
    returns (uint256)
  {
    return registry.pullFunds(planId, version, ticket, signature, "");
  }

  function defer(uint256 planId, uint16 reason, IPlanRegistry.Claim calldata claim) external {
    registry.recordDeferral(planId, reason, claim);
  }

  function onFundsPulled(IPlanRegistry.Pull calldata pull_, bytes calldata data) external virtual {
    _pull = pull_;
    handed = data;
    _deliver(pull_);
  }

  /// What the registry said in the last callback.
  function pull() external view returns (IPlanRegistry.Pull memory) {
    return _pull;
  }

  function _deliver(IPlanRegistry.Pull calldata pull_) internal {
    IERC20(pull_.tokenOut).forceApprove(address(registry), amountOut);
    registry.recordRun(pull_.planId, amountOut);
  }
}
