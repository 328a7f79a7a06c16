// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

/// @title A source of fair prices
interface IPriceSource {
  error TokenNotPriced(address token);

  /// @notice What 1e18 base units of each token are worth, in USD with 18 decimals: for a token with d decimals, its USD
  /// price times 10^(36 - d). Both above zero, or the call reverts.
  function prices(address tokenIn, address tokenOut) external view returns (uint256 priceInWad, uint256 priceOutWad);
}
