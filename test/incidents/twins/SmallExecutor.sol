// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";

import {IPancakeV3Pool, IPancakeV3SwapCallback} from "../../../contracts/interfaces/IPancakeV3Pool.sol";
import {IPlanExecutor} from "../../../contracts/interfaces/IPlanExecutor.sol";
import {IPlanRegistry} from "../../../contracts/interfaces/IPlanRegistry.sol";
import {PancakePools} from "../../../contracts/libraries/PancakePools.sol";

/// A minimal executor with the entry points of the real one, for one pool. It has the funds paid to itself and pays the
/// pool. Each twin makes exactly one mistake.
abstract contract SmallExecutor is IPlanExecutor, IPancakeV3SwapCallback {
  using SafeERC20 for IERC20;

  IPlanRegistry internal immutable registry;
  address private immutable poolDeployer;
  address private immutable rotator;
  address public operator;
  address public proposedOperator;
  address internal transient _pool;

  constructor(IPlanRegistry registry_, address poolDeployer_, address operator_, address rotator_) {
    (registry, poolDeployer, operator, rotator) = (registry_, poolDeployer_, operator_, rotator_);
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

  function onRunOpened(IPlanRegistry.OpenRun calldata run, bytes calldata path) external {
    _requireRegistry();
    IPlanRegistry(msg.sender).payTo(address(this));
    _requireFunds(IERC20(run.tokenIn).balanceOf(address(this)), run.amountIn);
    _swap(run, path);
    IPlanRegistry(msg.sender).recordRun(run.planId);
  }

  function pancakeV3SwapCallback(int256 amount0Delta, int256 amount1Delta, bytes calldata data) external {
    _requirePool();
    uint256 owed = uint256(amount0Delta > 0 ? amount0Delta : amount1Delta);
    _pay(IERC20(abi.decode(data, (address))), owed);
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

  function _swap(IPlanRegistry.OpenRun calldata run, bytes calldata path) internal virtual {
    bool zeroForOne = run.tokenIn < run.tokenOut;
    _pool = PancakePools.poolOf(poolDeployer, run.tokenIn, run.tokenOut, uint24(bytes3(path[20:])));
    IPancakeV3Pool(_pool)
      .swap(
        msg.sender,
        zeroForOne,
        int256(run.amountIn),
        zeroForOne ? 4295128740 : 1461446703485210103287273052203988822378723970341,
        abi.encode(run.tokenIn)
      );
  }

  function _requirePool() internal view virtual {
    require(msg.sender == _pool, "pool");
  }

  function _pay(IERC20 token, uint256 owed) internal virtual {
    token.safeTransfer(msg.sender, owed);
  }

  function _requireProposed() internal view virtual {
    require(msg.sender == proposedOperator, "proposed");
  }
}
