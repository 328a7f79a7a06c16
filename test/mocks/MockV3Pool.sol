// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";

import {IPancakeV3Pool, IPancakeV3SwapCallback} from "../../contracts/interfaces/IPancakeV3Pool.sol";

/// Pays from its own stock as much as a test sets, and then asks for its input as PancakeSwap's pool does. Used where
/// the real pool cannot be made to misbehave, or to pay exactly the floor.
contract MockV3Pool is IPancakeV3Pool {
  using SafeERC20 for IERC20;

  struct Asked {
    address recipient;
    bool zeroForOne;
    int256 amountSpecified;
    uint160 sqrtPriceLimitX96;
    bytes data;
  }

  IERC20 public token0;
  IERC20 public token1;
  uint256 public amountOut;
  int256 private _leftBps;
  Asked private _asked;

  function initialize(address tokenA, address tokenB) external {
    (token0, token1) = tokenA < tokenB ? (IERC20(tokenA), IERC20(tokenB)) : (IERC20(tokenB), IERC20(tokenA));
  }

  function setAmountOut(uint256 amountOut_) external {
    amountOut = amountOut_;
  }

  function setTakenBps(uint256 takenBps) external {
    _leftBps = 10_000 - int256(takenBps);
  }

  function swap(
    address recipient,
    bool zeroForOne,
    int256 amountSpecified,
    uint160 sqrtPriceLimitX96,
    bytes calldata data
  ) public virtual returns (int256 amount0, int256 amount1) {
    _asked = Asked(recipient, zeroForOne, amountSpecified, sqrtPriceLimitX96, data);
    (IERC20 tokenIn, IERC20 tokenOut) = zeroForOne ? (token0, token1) : (token1, token0);
    uint256 taken = uint256(amountSpecified * (10_000 - _leftBps) / 10_000);
    (amount0, amount1) = zeroForOne ? (int256(taken), -int256(amountOut)) : (-int256(amountOut), int256(taken));

    tokenOut.safeTransfer(recipient, amountOut);
    uint256 balanceBefore = tokenIn.balanceOf(address(this));
    IPancakeV3SwapCallback(msg.sender).pancakeV3SwapCallback(amount0, amount1, data);
    require(balanceBefore + taken <= tokenIn.balanceOf(address(this)), "IIA");
  }

  /// The arguments of the last swap.
  function asked() external view returns (Asked memory) {
    return _asked;
  }
}
