// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

/// @title The part of PancakeSwap v3's SwapRouter that Bowline uses
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
