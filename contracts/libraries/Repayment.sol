// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

/// @title How much to repay
/// @notice With debt D and weighted collateral W, both USD with 18 decimals, health is W / D. Repaying leaves W as it is,
/// so that the debt at a target health T is W / T. Values fit 128 bits, so that no product overflows.
library Repayment {
  uint256 internal constant WAD = 1e18;
  /// Health of an account without debt.
  uint256 internal constant NO_DEBT_HEALTH = type(uint128).max;

  /// @notice ⌊W · 1e18 / D⌋, at most NO_DEBT_HEALTH, which it is without debt.
  function healthDown(uint256 weightedCollateralUsd, uint256 debtUsd) internal pure returns (uint256) {
    if (debtUsd == 0) return NO_DEBT_HEALTH;
    uint256 health = weightedCollateralUsd * WAD / debtUsd;
    return health > NO_DEBT_HEALTH ? NO_DEBT_HEALTH : health;
  }

  /// @notice Base units to repay, priced `priceWad` USD per 1e18, that bring health to the target or just above:
  /// ⌈(D − ⌊W · 1e18 / T⌋) · 1e18 / p⌉, or zero if health is there already. Needs targetWad > 0 and priceWad > 0.
  function neededUp(uint256 debtUsd, uint256 weightedCollateralUsd, uint256 targetWad, uint256 priceWad)
    internal
    pure
    returns (uint256)
  {
    uint256 debtAtTargetUsd = weightedCollateralUsd * WAD / targetWad;
    if (debtUsd <= debtAtTargetUsd) return 0;
    return ((debtUsd - debtAtTargetUsd) * WAD - 1) / priceWad + 1;
  }

  /// @notice The account's debt after the market's share of it went from `before` to `afterwards` base units, each share
  /// cut as the protocol cuts it: ⌊base units · p / 1e18⌋.
  function debtAfter(uint256 debtUsd, uint256 before, uint256 afterwards, uint256 priceWad)
    internal
    pure
    returns (uint256)
  {
    return debtUsd - before * priceWad / WAD + afterwards * priceWad / WAD;
  }
}
