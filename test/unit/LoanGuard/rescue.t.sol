// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {ILoanGuard} from "../../../contracts/interfaces/ILoanGuard.sol";
import {GuardBase} from "../../base/GuardBase.sol";
import {MockLendingMarket} from "../../mocks/lending/MockLendingMarket.sol";

/// A rescue that is due, and every reason why one is not. Amounts are in rescue.sizing, attacks in rescue.attacks.
contract LoanGuardRescueTest is GuardBase {
  uint256 private guardId;

  function setUp() public override {
    super.setUp();
    guardId = _register(_terms());
  }

  /// LG-5, LG-6, LG-8, LG-9, LG-10
  function test_rescue_bringsTheLoanToTheTargetAndRecordsIt() public {
    _endanger();
    vm.expectEmit(address(guard));
    emit ILoanGuard.LoanRescued(guardId, borrower, NEEDED, 1.02e18, 1.25e18, ILoanGuard.Outcome.Full, 0);
    vm.prank(stranger);
    assertEq(guard.rescue(guardId), NEEDED);

    assertEq(token.balanceOf(borrower), 10_000e18 - NEEDED);
    assertEq(token.balanceOf(till), NEEDED);
    assertEq(_debt(borrower), 816e18);
    assertEq(token.balanceOf(address(guard)), 0);
    assertEq(token.balanceOf(address(lending)), 0);
    assertEq(token.allowance(address(guard), address(lending)), 0);
    ILoanGuard.Rescue memory expected = ILoanGuard.Rescue(NEEDED, START, ILoanGuard.Outcome.Full, 1.02e18, 1.25e18);
    assertEq(abi.encode(_lastRescue(guardId)), abi.encode(expected));
  }

  /// LG-6: interest due since the last accrual counts in the debt and in the repayment.
  function test_rescue_countsInterestUpToItsOwnBlock() public {
    lending.setAccount(
      borrower,
      MockLendingMarket.Account({debt: 1_000e18, interest: 10e18, otherDebtUsd: 0, weightedCollateralUsd: 1_020e18})
    );
    assertEq(guard.rescue(guardId), NEEDED + 10e18);
    assertEq(_debt(borrower), 816e18);
    assertEq(_lastRescue(guardId).healthBeforeWad, _recorded(uint256(1_020e18) * WAD / 1_010e18));
    assertEq(_lastRescue(guardId).healthAfterWad, 1.25e18);
  }

  /// LG-3
  function test_rescue_refusesAnUnknownGuard() public {
    vm.expectRevert(abi.encodeWithSelector(ILoanGuard.GuardUnknown.selector, 2));
    guard.rescue(2);
  }

  /// LG-3
  function test_rescue_refusesACancelledGuard() public {
    _endanger();
    vm.prank(borrower);
    guard.cancel(guardId);
    vm.expectRevert(abi.encodeWithSelector(ILoanGuard.GuardNotActive.selector, ILoanGuard.Status.Cancelled));
    guard.rescue(guardId);
    _assertUntouched(guardId);
  }

  /// LG-3
  function test_rescue_refusesAnExpiredGuard() public {
    _endanger();
    uint256 expiresAt = _terms().expiresAt;
    vm.warp(expiresAt);
    vm.expectRevert(abi.encodeWithSelector(ILoanGuard.GuardExpired.selector, expiresAt, expiresAt));
    guard.rescue(guardId);
    _assertUntouched(guardId);

    vm.warp(expiresAt - 1);
    assertEq(guard.rescue(guardId), NEEDED);
  }

  /// LG-3
  function testFuzz_rescue_refusesEverybodyButTheKeeperThatTheGuardNames(address caller) public {
    ILoanGuard.Terms memory terms = _terms();
    terms.keeper = makeAddr("keeper");
    uint256 kept = _register(terms);
    _endanger();
    vm.assume(caller != terms.keeper);
    vm.expectRevert(abi.encodeWithSelector(ILoanGuard.NotKeeper.selector, caller, terms.keeper));
    vm.prank(caller);
    guard.rescue(kept);
    _assertUntouched(kept);

    vm.prank(terms.keeper);
    assertEq(guard.rescue(kept), NEEDED);
  }

  /// LG-3
  function testFuzz_rescue_isOpenToAnyoneIfTheGuardNamesNoKeeper(address caller) public {
    _endanger();
    vm.prank(caller);
    assertEq(guard.rescue(guardId), NEEDED);
  }

  /// LG-3
  function test_rescue_refusesASecondOneWithinTheCooldown() public {
    _endanger();
    guard.rescue(guardId);
    _endanger();
    uint256 until = START + 1 hours;
    vm.expectRevert(abi.encodeWithSelector(ILoanGuard.CoolingDown.selector, until, START));
    guard.rescue(guardId);
    vm.warp(until - 1);
    vm.expectRevert(abi.encodeWithSelector(ILoanGuard.CoolingDown.selector, until, until - 1));
    guard.rescue(guardId);
    assertEq(guard.guard(guardId).state.rescues, 1);

    vm.warp(until);
    assertEq(guard.rescue(guardId), NEEDED);
    assertEq(guard.guard(guardId).state.rescues, 2);

    _endanger();
    vm.expectRevert(abi.encodeWithSelector(ILoanGuard.CoolingDown.selector, until + 1 hours, until));
    guard.rescue(guardId);
  }

  /// LG-3: the cooldown starts at the last rescue, not at time zero.
  function test_rescue_needsNoCooldownBeforeTheFirst() public {
    ILoanGuard.Terms memory terms = _terms();
    terms.cooldownSeconds = type(uint32).max;
    uint256 patient = _register(terms);
    _endanger();
    assertEq(guard.rescue(patient), NEEDED);
  }

  /// LG-3
  function test_rescue_withoutACooldownCanFollowAtOnce() public {
    ILoanGuard.Terms memory terms = _terms();
    terms.cooldownSeconds = 0;
    uint256 eager = _register(terms);
    _endanger();
    guard.rescue(eager);
    _endanger();
    assertEq(guard.rescue(eager), NEEDED);
  }

  /// LG-4
  function test_rescue_refusesALoanExactlyAtTheTrigger() public {
    _setLoan(borrower, 1_000e18, 0, 1_050e18);
    vm.expectRevert(abi.encodeWithSelector(ILoanGuard.HealthNotBelowTrigger.selector, 1.05e18, 1.05e18));
    guard.rescue(guardId);
    _assertUntouched(guardId);

    // The highest health below it.
    _setLoan(borrower, 1_000e18, 0, 1_050e18 - 1);
    guard.rescue(guardId);
    assertEq(_lastRescue(guardId).healthBeforeWad, _recorded(1.05e18 - 1));
  }

  /// LG-4
  function testFuzz_rescue_refusesAHealthyLoan(uint256 weightedCollateralUsd) public {
    weightedCollateralUsd = bound(weightedCollateralUsd, 1_050e18, 1e30);
    _setLoan(borrower, 1_000e18, 0, weightedCollateralUsd);
    uint256 healthWad = weightedCollateralUsd / 1_000;
    vm.expectRevert(abi.encodeWithSelector(ILoanGuard.HealthNotBelowTrigger.selector, healthWad, 1.05e18));
    guard.rescue(guardId);
    _assertUntouched(guardId);
  }

  /// LG-4
  function test_rescue_refusesAnAccountWithoutDebt() public {
    _setLoan(borrower, 0, 0, 1_020e18);
    vm.expectRevert(abi.encodeWithSelector(ILoanGuard.NoDebt.selector, borrower));
    guard.rescue(guardId);
  }

  /// LG-4: a repayment would protect nothing.
  function test_rescue_refusesAnAccountWithoutCollateral() public {
    _setLoan(borrower, 1_000e18, 0, 0);
    vm.expectRevert(abi.encodeWithSelector(ILoanGuard.NoCollateral.selector, borrower));
    guard.rescue(guardId);
    _assertUntouched(guardId);
  }

  /// LG-4: an account with more debt than collateral is still worth rescuing.
  function test_rescue_reachesALoanThatIsUnderWater() public {
    _setLoan(borrower, 1_000e18, 0, 1);
    assertEq(guard.rescue(guardId), 1_000e18);
    assertEq(_lastRescue(guardId).healthBeforeWad, 0);
    assertEq(_lastRescue(guardId).healthAfterWad, type(uint128).max);
  }

  /// LG-3: one guard's rescue affects neither another's cooldown nor another's day.
  function test_rescue_ofOneGuardLeavesAnotherBorrowersAlone() public {
    ILoanGuard.Terms memory terms = _terms();
    terms.borrower = stranger;
    terms.funder = stranger;
    uint256 other = _register(terms);
    token.mint(stranger, 10_000e18);
    vm.prank(stranger);
    token.approve(address(guard), type(uint256).max);
    _endanger();
    _endanger(stranger);

    guard.rescue(guardId);
    assertEq(_debt(stranger), 1_000e18);
    assertEq(token.balanceOf(stranger), 10_000e18);
    guard.rescue(other);
    assertEq(_debt(stranger), 816e18);
    assertEq(_debt(borrower), 816e18);
  }
}
