// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

/// @title The amount to repay
/// @notice With debt D and weighted collateral W, both in one numéraire, health is W / D. A repayment does not
/// change W, so the debt at a target health T is W / T. Values fit 128 bits, so no product overflows.
library Repayment {
  uint256 internal constant WAD = 1e18;
  /// The health of an account without debt.
  uint256 internal constant NO_DEBT_HEALTH = type(uint128).max;

  /// @notice ⌊W · 1e18 / D⌋, at most NO_DEBT_HEALTH. Returns NO_DEBT_HEALTH without debt.
  function healthDown(uint256 weightedCollateral, uint256 debt) internal pure returns (uint256) {
    return debt == 0 ? NO_DEBT_HEALTH : _min(weightedCollateral * WAD / debt, NO_DEBT_HEALTH);
  }

  /// @notice ⌊W · 1e18 / T⌋: the maximum debt at the target health. Requires targetWad > 0.
  function debtAtDown(uint256 weightedCollateral, uint256 targetWad) internal pure returns (uint256) {
    return weightedCollateral * WAD / targetWad;
  }

  /// @notice Base units to repay, at a value of `priceWad` per 1e18, to bring the debt to its target or just below: ⌈(D
  /// − debt at target) · 1e18 / p⌉, or zero if the debt is already no higher. Requires priceWad > 0.
  function neededUp(uint256 debt, uint256 debtAtTarget, uint256 priceWad) internal pure returns (uint256) {
    return debt <= debtAtTarget ? 0 : ((debt - debtAtTarget) * WAD - 1) / priceWad + 1;
  }

  /// @notice The remainder of a day's cap; zero if the cap is exceeded.
  function leftOfDay(uint256 capPerDay, uint256 takenToday) internal pure returns (uint256) {
    return takenToday < capPerDay ? capPerDay - takenToday : 0;
  }

  /// @notice `amount`, limited by every bound.
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

  /// @notice `amount`, adjusted to leave either no debt in the market or at least `minDebt`: raised to the whole debt
  /// if `maxAmount` allows, otherwise lowered to leave `minDebt`. Zero if neither is possible. Requires `amount` ≤
  /// `maxAmount` ≤ `marketDebt`.
  function leavingNoDust(uint256 amount, uint256 marketDebt, uint256 minDebt, uint256 maxAmount)
    internal
    pure
    returns (uint256)
  {
    uint256 left = marketDebt - amount;
    if (left == 0 || left >= minDebt) return amount;
    if (maxAmount >= marketDebt) return marketDebt;
    return marketDebt > minDebt ? marketDebt - minDebt : 0;
  }

  /// @notice The account's debt after its debt in the market changed from `before` to `afterwards` base units. Each
  /// value is rounded down as the protocol does: ⌊base units · p / 1e18⌋. A debt summed with less precision may be
  /// below the market's part of it, and then counts as that part.
  function debtAfter(uint256 debt, uint256 before, uint256 afterwards, uint256 priceWad)
    internal
    pure
    returns (uint256)
  {
    uint256 part = before * priceWad / WAD;
    uint256 others = debt > part ? debt - part : 0;
    return others + afterwards * priceWad / WAD;
  }

  function _min(uint256 a, uint256 b) private pure returns (uint256) {
    return a < b ? a : b;
  }
}
