// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";

import {IFundsReceiver} from "../../../contracts/interfaces/IFundsReceiver.sol";
import {IPancakeV3Router} from "../../../contracts/interfaces/IPancakeV3Router.sol";
import {IPlanRegistry} from "../../../contracts/interfaces/IPlanRegistry.sol";

/// A minimal executor with the entry points of the real one. Each twin makes exactly one mistake.
abstract contract SmallExecutor is IFundsReceiver {
  using SafeERC20 for IERC20;

  IPlanRegistry internal immutable registry;
  IPancakeV3Router private immutable router;
  address private immutable rotator;
  address public operator;
  address public proposedOperator;

  constructor(IPlanRegistry registry_, IPancakeV3Router router_, address operator_, address rotator_) {
    (registry, router, operator, rotator) = (registry_, router_, operator_, rotator_);
  }

  function execute(
    uint256 planId,
    uint256 version,
    IPlanRegistry.Ticket calldata ticket,
    bytes calldata signature,
    bytes calldata path
  ) external returns (uint256) {
    require(msg.sender == operator, "operator");
    return registry.pullFunds(planId, version, ticket, signature, path);
  }

  function onFundsPulled(IPlanRegistry.Pull calldata pull, bytes calldata path) external {
    _requireRegistry();
    (IERC20 tokenIn, IERC20 tokenOut) = (IERC20(pull.tokenIn), IERC20(pull.tokenOut));
    _requireFunds(tokenIn.balanceOf(address(this)), pull.amountIn);
    uint256 inBefore = tokenIn.balanceOf(address(this)) - pull.amountIn;
    uint256 outBefore = tokenOut.balanceOf(address(this));
    _swap(pull, path);
    uint256 amountOut = tokenOut.balanceOf(address(this)) - outBefore;
    tokenOut.forceApprove(msg.sender, amountOut);
    IPlanRegistry(msg.sender).recordRun(pull.planId, amountOut);
    uint256 unspent = tokenIn.balanceOf(address(this)) - inBefore;
    if (unspent != 0) tokenIn.safeTransfer(registry.plan(pull.planId).terms.owner, unspent);
  }

  function proposeOperator(address operator_) external {
    require(msg.sender == rotator, "rotator");
    proposedOperator = operator_;
  }

  function acceptOperator() external {
    _requireProposed();
    (operator, proposedOperator) = (msg.sender, address(0));
  }

  /*//////////////////////////////////////////////////////////////
                 THE STEPS THAT TWINS GET WRONG
  //////////////////////////////////////////////////////////////*/

  function _requireRegistry() internal view virtual {
    require(msg.sender == address(registry), "registry");
  }

  function _requireFunds(uint256 balance, uint256 amountIn) internal pure virtual {
    require(balance >= amountIn, "funds");
  }

  function _swap(IPlanRegistry.Pull calldata pull, bytes calldata path) internal virtual {
    IERC20(pull.tokenIn).forceApprove(address(router), pull.amountIn);
    router.exactInput(
      IPancakeV3Router.ExactInputParams(path, address(this), block.timestamp, pull.amountIn, pull.floor)
    );
    _takeBack(IERC20(pull.tokenIn), address(router));
  }

  function _takeBack(IERC20 token, address spender) internal virtual {
    token.forceApprove(spender, 0);
  }

  function _requireProposed() internal view virtual {
    require(msg.sender == proposedOperator, "proposed");
  }
}
