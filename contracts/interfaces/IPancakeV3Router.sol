// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

/// @title What is used of PancakeSwap v3's SwapRouter
interface IPancakeV3Router {
  struct ExactInputParams {
    bytes path;
    address recipient;
    uint256 deadline;
    uint256 amountIn;
    uint256 amountOutMinimum;
  }

  function exactInput(ExactInputParams calldata params) external payable returns (uint256 amountOut);
}
