// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

/// @title The amount to repay out of a loan's own collateral
/// @notice With debt D, weighted collateral W, target T, and collateral of weight w sold at an all-in cost of at most
/// s, a repayment worth x leaves at least W − w·(1+s)·x against D − x. Health reaches T at x = (T·D − W) / (T −
/// w·(1+s)). Values and prices fit 128 bits, T and w·(1+s) 64, so no product overflows.
library SaleSize {
  uint256 internal constant WAD = 1e18;
  uint256 internal constant BPS = 10_000;
  /// Target that means: repay the market's whole debt.
  uint64 internal constant UNWIND = type(uint64).max;

  /// @notice ⌈w · (1 + s)⌉: the weighted collateral that a unit of repayment may use up.
  function lossUp(uint256 weightWad, uint256 maxCostBps) internal pure returns (uint256) {
    return _divUp(weightWad * (BPS + maxCostBps), BPS);
  }

  /// @notice Value to repay: ⌈(T·D − W) / (T − loss)⌉ + 1, or zero if health is at the target. Requires `lossWad` <
  /// `targetWad`; no sale reaches the target otherwise.
  function valueUp(uint256 debt, uint256 weighted, uint256 targetWad, uint256 lossWad) internal pure returns (uint256) {
    uint256 wanted = targetWad * debt;
    uint256 has = weighted * WAD;
    // Plus one for the protocol's own rounding: it sums debts and collaterals rounded down.
    return wanted <= has ? 0 : _divUp(wanted - has, targetWad - lossWad) + 1;
  }

  /// @notice Base units worth `value` or just more, at a value of `priceWad` per 1e18. Requires priceWad > 0.
  function unitsUp(uint256 value, uint256 priceWad) internal pure returns (uint256) {
    return _divUp(value * WAD, priceWad);
  }

  function _divUp(uint256 a, uint256 b) private pure returns (uint256) {
    return a == 0 ? 0 : (a - 1) / b + 1;
  }
}
