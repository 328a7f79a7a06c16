// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

/// @title A source of fair prices
interface IPriceSource {
  error TokenNotPriced(address token);

  /// @notice Returns the value of 1e18 base units of each token, in USD with 18 decimals. For a token with d decimals,
  /// this is its USD price times 10^(36 - d). Reverts unless both values are above zero.
  function prices(address tokenIn, address tokenOut) external view returns (uint256 priceInWad, uint256 priceOutWad);
}
