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
    return debtUsd == 0 ? NO_DEBT_HEALTH : _min(weightedCollateralUsd * WAD / debtUsd, NO_DEBT_HEALTH);
  }

  /// @notice ⌊W · 1e18 / T⌋: the most debt at which health is the target. Needs targetWad > 0.
  function debtAtDown(uint256 weightedCollateralUsd, uint256 targetWad) internal pure returns (uint256) {
    return weightedCollateralUsd * WAD / targetWad;
  }

  /// @notice Base units to repay, priced `priceWad` USD per 1e18, that bring the debt to the one at the target or just
  /// below: ⌈(D − debt at target) · 1e18 / p⌉, or zero if it is there already. Needs priceWad > 0.
  function neededUp(uint256 debtUsd, uint256 debtAtTargetUsd, uint256 priceWad) internal pure returns (uint256) {
    return debtUsd <= debtAtTargetUsd ? 0 : ((debtUsd - debtAtTargetUsd) * WAD - 1) / priceWad + 1;
  }

  /// @notice What is left of a day's cap; nothing if more than that was taken.
  function leftOfDay(uint256 capPerDay, uint256 takenToday) internal pure returns (uint256) {
    return takenToday < capPerDay ? capPerDay - takenToday : 0;
  }

  /// @notice The most of `amount` that every bound allows.
  function clamp(
    uint256 amount,
    uint256 capPerRescue,
    uint256 leftToday,
    uint256 marketDebt,
    uint256 allowance,
    uint256 balance
  ) internal pure returns (uint256) {
    return _min(_min(_min(_min(_min(amount, capPerRescue), leftToday), marketDebt), allowance), balance);
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

  function _min(uint256 a, uint256 b) private pure returns (uint256) {
    return a < b ? a : b;
  }
}
