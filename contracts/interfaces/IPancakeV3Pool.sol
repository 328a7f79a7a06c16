// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

/// @title The part of a PancakeSwap v3 pool that Bowline uses
interface IPancakeV3Pool {
  /// @notice Sends the output to `recipient`, then calls `pancakeV3SwapCallback` on the caller, which must pay the
  /// input.
  /// @param amountSpecified If positive, the exact input: the maximum that the pool takes.
  /// @return amount0 Change of the pool's token0. Negative: paid to the recipient.
  /// @return amount1 Change of the pool's token1.
  function swap(
    address recipient,
    bool zeroForOne,
    int256 amountSpecified,
    uint160 sqrtPriceLimitX96,
    bytes calldata data
  ) external returns (int256 amount0, int256 amount1);
}

/// @title The callback of a caller of `swap` on a PancakeSwap v3 pool
interface IPancakeV3SwapCallback {
  /// @param amount0Delta Base units of token0 that the pool wants; negative if it has paid some out.
  /// @param amount1Delta Same for token1.
  function pancakeV3SwapCallback(int256 amount0Delta, int256 amount1Delta, bytes calldata data) external;
}

/// @title The price of a PancakeSwap v3 pool
interface IPancakeV3Slot0 {
  /// @notice √(token1 / token0), in base units, with 96 bits of fraction. The pool returns further values; only the
  /// first is decoded.
  function slot0() external view returns (uint160 sqrtPriceX96);
}
