// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Test} from "forge-std/Test.sol";

import {Repayment} from "../../../contracts/libraries/Repayment.sol";

contract RepaymentTest is Test {
  uint256 private constant WAD = 1e18;

  /// LG-4
  function test_healthDown_isWeightedCollateralOverDebt() public pure {
    assertEq(Repayment.healthDown(1_020e18, 1_000e18), 1.02e18);
    assertEq(Repayment.healthDown(0, 1), 0);
    assertEq(Repayment.healthDown(2, 3), 666_666_666_666_666_666);
  }

  /// LG-10
  function test_healthDown_isTheLargestUint128WithoutDebtAndAtMostThat() public pure {
    uint256 most = type(uint128).max;
    assertEq(Repayment.healthDown(0, 0), most);
    assertEq(Repayment.healthDown(1_000e18, 0), most);
    assertEq(Repayment.healthDown(most, 1), most);
    // W · 1e18 / D is exactly the cap, and one above it.
    assertEq(Repayment.healthDown(most, 1e18), most);
    assertEq(Repayment.healthDown(most - 1, 1e18), most - 1);
    assertEq(Repayment.healthDown(most, 1e18 - 1), most);
  }

  /// LG-4: rounded down, h is the largest number with h · D ≤ W · 1e18.
  function testFuzz_healthDown_isTheLargestThatHolds(uint128 weighted, uint128 debt) public pure {
    debt = uint128(bound(debt, 1, type(uint128).max));
    uint256 health = Repayment.healthDown(weighted, debt);
    assertLe(health * debt, uint256(weighted) * WAD);
    if (health < type(uint128).max) assertGt((health + 1) * debt, uint256(weighted) * WAD);
  }

  /// LG-5: a loan at 1.02 with target 1.25, in tokens of 18 and of 6 decimals.
  function test_neededUp_ofALoanWorkedOutByHand() public pure {
    assertEq(_neededUp(1_000e18, 1_020e18, 1.25e18, 1e18), 184e18);
    assertEq(_neededUp(1_000e18, 1_020e18, 1.25e18, 1e30), 184e6);
    assertEq(_neededUp(1_000e18, 1_020e18, 1.25e18, 3e30), 61_333_334);
  }

  /// LG-5
  function test_neededUp_isNothingAtTheTargetAndAboveIt() public pure {
    assertEq(_neededUp(1_000e18, 1_250e18, 1.25e18, 1e18), 0);
    assertEq(_neededUp(1_000e18, 2_000e18, 1.25e18, 1e18), 0);
    assertEq(_neededUp(0, 1, 1.25e18, 1e18), 0);
    assertEq(_neededUp(1_000e18 + 1, 1_250e18, 1.25e18, 1e18), 1);
    // This token cannot repay less than a whole token.
    assertEq(_neededUp(1_000e18 + 1, 1_250e18, 1.25e18, 1e36), 1);
  }

  /// LG-5: x is the smallest number whose value covers the need.
  function testFuzz_neededUp_isTheLeastThatCoversTheNeed(uint128 debt, uint128 weighted, uint64 target, uint128 price)
    public
    pure
  {
    target = uint64(bound(target, 1e18, 10e18));
    price = uint128(bound(price, 1, type(uint128).max));
    uint256 needed = _neededUp(debt, weighted, target, price);

    uint256 debtAtTarget = uint256(weighted) * WAD / target;
    uint256 missing = debt > debtAtTarget ? debt - debtAtTarget : 0;
    assertGe(needed * price, missing * WAD, "too little");
    if (needed != 0) assertLt((needed - 1) * price, missing * WAD, "more than needed");
  }

  /// LG-5: with every bound in turn as the lowest.
  function test_clamp_isTheLeastOfAll() public pure {
    assertEq(Repayment.clamp(1, 2, 2, 2, 2, 2), 1);
    assertEq(Repayment.clamp(2, 1, 2, 2, 2, 2), 1);
    assertEq(Repayment.clamp(2, 2, 1, 2, 2, 2), 1);
    assertEq(Repayment.clamp(2, 2, 2, 1, 2, 2), 1);
    assertEq(Repayment.clamp(2, 2, 2, 2, 1, 2), 1);
    assertEq(Repayment.clamp(2, 2, 2, 2, 2, 1), 1);
    assertEq(Repayment.clamp(3, 3, 3, 3, type(uint256).max, 0), 0);
  }

  /// LG-5
  function test_leftOfDay_isNothingOnceTheCapIsTaken() public pure {
    assertEq(Repayment.leftOfDay(10, 0), 10);
    assertEq(Repayment.leftOfDay(10, 9), 1);
    assertEq(Repayment.leftOfDay(10, 10), 0);
    assertEq(Repayment.leftOfDay(10, 11), 0);
  }

  /// LG-6, LG-10: each share is rounded by itself, so this is the difference of two rounded values, not the rounded
  /// difference.
  function test_debtAfter_cutsEachShareAsTheProtocolDoes() public pure {
    // Shares of ⌊3 · 1.5⌋ = 4 and ⌊2 · 1.5⌋ = 3: the base unit between them counts 1 here, and ⌊2 · 1.5⌋ − ⌊1.5⌋ = 2.
    assertEq(Repayment.debtAfter(100, 3, 2, 1.5e18), 99);
    assertEq(Repayment.debtAfter(100, 2, 1, 1.5e18), 98);
    assertEq(Repayment.debtAfter(4, 3, 0, 1.5e18), 0);
  }

  /// A sum of fewer digits, below the market's part of 4.
  function test_debtAfter_ofASumBelowThePartCountsThePart() public pure {
    assertEq(Repayment.debtAfter(3, 3, 3, 1.5e18), 4);
    assertEq(Repayment.debtAfter(3, 3, 1, 1.5e18), 1);
    assertEq(Repayment.debtAfter(0, 3, 0, 1.5e18), 0);
  }

  /// LG-22
  function test_leavingNoDust_leavesNothingOrTheMinimum() public pure {
    // Enough is left, or nothing.
    assertEq(Repayment.leavingNoDust(50, 100, 50, 60), 50);
    assertEq(Repayment.leavingNoDust(100, 100, 50, 100), 100);
    assertEq(Repayment.leavingNoDust(99, 100, 0, 99), 99);
    // Too little: all of it, or down to the minimum.
    assertEq(Repayment.leavingNoDust(51, 100, 50, 100), 100);
    assertEq(Repayment.leavingNoDust(51, 100, 50, 99), 50);
    // Only all of it would do.
    assertEq(Repayment.leavingNoDust(51, 100, 100, 99), 0);
    assertEq(Repayment.leavingNoDust(51, 100, 200, 99), 0);
  }

  /// LG-6, LG-10
  function testFuzz_debtAfter_isOtherDebtsAndWhatIsLeft(uint128 other, uint128 before, uint128 afterwards, uint96 price)
    public
    pure
  {
    afterwards = uint128(bound(afterwards, 0, before));
    uint256 debtUsd = other + uint256(before) * price / WAD;
    assertEq(Repayment.debtAfter(debtUsd, before, afterwards, price), other + uint256(afterwards) * price / WAD);
  }

  /// Combines the two as LoanGuard does.
  function _neededUp(uint256 debtUsd, uint256 weightedCollateralUsd, uint256 targetWad, uint256 priceWad)
    private
    pure
    returns (uint256)
  {
    return Repayment.neededUp(debtUsd, Repayment.debtAtDown(weightedCollateralUsd, targetWad), priceWad);
  }
}
