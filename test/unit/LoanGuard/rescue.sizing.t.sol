// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Vm} from "forge-std/Vm.sol";

import {ILoanGuard} from "../../../contracts/interfaces/ILoanGuard.sol";
import {GuardBase} from "../../base/GuardBase.sol";
import {MockERC20} from "../../mocks/MockERC20.sol";

contract LoanGuardRescueSizingTest is GuardBase {
  /// LG-5: D = 1,000, of which 700 in another market; W = 1,020. The need is still 184 USD, in a token worth 4 USD.
  function test_sizing_countsDebtsElsewhereAndThePriceOfTheToken() public {
    lending.setPrice(4e18);
    _setLoan(borrower, 75e18, 700e18, 1_020e18);
    uint256 guardId = _register(_terms());
    assertEq(guard.rescue(guardId), 46e18);
    assertEq(_lastRescue(guardId).healthBeforeWad, 1.02e18);
    assertEq(_lastRescue(guardId).healthAfterWad, 1.25e18);
  }

  /// LG-5: with six decimals at 3 USD, 184 USD are 61.333334 tokens: the last base unit is rounded up.
  function test_sizing_roundsUpToTheTokensBaseUnit() public {
    _build(new MockERC20("USDC", 6), 3e30);
    _setLoan(borrower, 300e6, 100e18, 1_020e18);
    ILoanGuard.Terms memory terms = _terms();
    terms.minRepay = 1;
    uint256 guardId = _register(terms);
    assertEq(guard.rescue(guardId), 61_333_334);
    // The repayment was 2 · 10^-6 USD above the need.
    assertEq(_lastRescue(guardId).healthAfterWad, _recorded(uint256(1_020e18) * WAD / (816e18 - 2e12)));
  }

  struct Loan {
    uint8 decimals;
    uint256 priceWad;
    uint256 debt;
    uint256 otherDebtUsd;
    uint256 weightedUsd;
    uint64 trigger;
    uint64 target;
  }

  /// LG-5, LG-6: against the definition, not the formula. Health h ≥ T means W · 1e18 ≥ T · D. This holds after the
  /// rescue, and would not with one base unit less.
  function testFuzz_sizing_repaysTheLeastThatReachesTheTarget(Loan memory loan) public {
    uint256 guardId = _take(loan);
    uint256 balanceBefore = token.balanceOf(borrower);
    vm.recordLogs();
    uint256 repaid = guard.rescue(guardId);

    assertEq(_debt(borrower), loan.debt - repaid, "debt fell by what was repaid");
    assertEq(token.balanceOf(borrower), balanceBefore - repaid, "balance fell by what was repaid");
    ILoanGuard.Rescue memory record = _lastRescue(guardId);
    uint256 debtUsdAfter = _debtUsd(loan, loan.debt - repaid);
    _assertHealths(loan, record, debtUsdAfter);

    bool reached = loan.weightedUsd * WAD >= loan.target * debtUsdAfter;
    if (record.outcome == ILoanGuard.Outcome.Full) {
      assertTrue(reached, "a full rescue that missed the target");
      // If a base unit is not a whole number of 1e-18 USD, the protocol's own rounding can hide one of them.
      uint256 hiddenUsd = loan.priceWad % WAD == 0 ? 0 : 1;
      uint256 debtUsdWithLess = _debtUsd(loan, loan.debt - repaid + 1) + hiddenUsd;
      assertFalse(loan.weightedUsd * WAD >= loan.target * debtUsdWithLess, "one base unit less was enough");
    } else {
      assertEq(repaid, loan.debt, "cut by something else than the market's debt");
      assertFalse(reached, "a partial rescue that reached the target");
    }
  }

  /// LG-10: the event has all digits of both healths, and the record has billionths.
  function _assertHealths(Loan memory loan, ILoanGuard.Rescue memory record, uint256 debtUsdAfter) private {
    (uint256 healthBefore, uint256 healthAfter) = _loggedHealths();
    assertEq(healthBefore, loan.weightedUsd * WAD / _debtUsd(loan, loan.debt));
    assertEq(healthAfter, debtUsdAfter == 0 ? type(uint128).max : loan.weightedUsd * WAD / debtUsdAfter);
    assertEq(record.healthBeforeWad, _recorded(healthBefore));
    uint256 maxRecorded = (2 ** 40 - 2) * 1e9;
    if (debtUsdAfter == 0) assertEq(record.healthAfterWad, type(uint128).max);
    else assertEq(record.healthAfterWad, healthAfter > maxRecorded ? maxRecorded : _recorded(healthAfter));
  }

  function _loggedHealths() private returns (uint256 beforeWad, uint256 afterWad) {
    Vm.Log[] memory logs = vm.getRecordedLogs();
    for (uint256 i; i < logs.length; ++i) {
      if (logs[i].topics[0] != ILoanGuard.LoanRescued.selector) continue;
      (, beforeWad, afterWad,) = abi.decode(logs[i].data, (uint256, uint256, uint256, ILoanGuard.Outcome));
    }
  }

  /// Brings `loan` into range (6, 8 or 18 decimals, 1 to 200,000 USD a token, health below its trigger) and takes it out.
  function _take(Loan memory loan) private returns (uint256 guardId) {
    loan.decimals = [6, 8, 18][loan.decimals % 3];
    uint256 one = 10 ** loan.decimals;
    loan.priceWad = bound(loan.priceWad, 1e18, 200_000e18) * 1e18 / one;
    _build(new MockERC20("ANY", loan.decimals), loan.priceWad);

    loan.trigger = uint64(bound(loan.trigger, 1e18, 5e18));
    loan.target = uint64(bound(loan.target, uint256(loan.trigger) * 102 / 100 + 1, 10e18));
    loan.debt = bound(loan.debt, one / 100, 1_000_000 * one);
    // At most half of this market's debt, so that this market's debt does not limit most rescues.
    loan.otherDebtUsd = bound(loan.otherDebtUsd, 0, loan.debt * loan.priceWad / WAD / 2);
    loan.weightedUsd = _debtUsd(loan, loan.debt) * bound(loan.weightedUsd, 0.3e18, loan.trigger - 1) / WAD;
    _setLoan(borrower, loan.debt, loan.otherDebtUsd, loan.weightedUsd);
    token.mint(borrower, loan.debt);

    ILoanGuard.Terms memory terms = _terms();
    (terms.triggerHealthWad, terms.targetHealthWad) = (loan.trigger, loan.target);
    (terms.capPerRescue, terms.capPerDay, terms.minRepay) = (type(uint128).max, type(uint128).max, 1);
    return _register(terms);
  }

  function _debtUsd(Loan memory loan, uint256 debt) private pure returns (uint256) {
    return debt * loan.priceWad / WAD + loan.otherDebtUsd;
  }

  /// LG-5, LG-6: each bound in turn is the lowest, in every order of the others.
  function testFuzz_sizing_isCutByTheLowestBound(
    uint256 capPerRescue,
    uint256 capPerDay,
    uint256 debt,
    uint256 allowance,
    uint256 balance
  ) public {
    ILoanGuard.Terms memory terms = _terms();
    terms.minRepay = 1;
    terms.capPerRescue = uint128(capPerRescue = bound(capPerRescue, 1, 400e18));
    terms.capPerDay = uint128(capPerDay = bound(capPerDay, 1, 400e18));
    debt = bound(debt, 1, 400e18);
    allowance = bound(allowance, 1, 400e18);
    balance = bound(balance, 1, 400e18);
    uint256 guardId = _register(terms);
    _setLoan(borrower, debt, 1_000e18 - debt, 1_020e18);
    vm.startPrank(borrower);
    token.approve(address(guard), allowance);
    assertTrue(token.transfer(stranger, 10_000e18 - balance));
    vm.stopPrank();

    uint256[6] memory bounds = [NEEDED, capPerRescue, capPerDay, debt, allowance, balance];
    uint256 lowest = NEEDED;
    for (uint256 i; i < bounds.length; ++i) {
      if (bounds[i] < lowest) lowest = bounds[i];
    }
    assertEq(guard.rescue(guardId), lowest);
    assertEq(_debt(borrower), debt - lowest);
    assertEq(token.balanceOf(borrower), balance - lowest);
    bool full = lowest == NEEDED;
    ILoanGuard.Rescue memory record = _lastRescue(guardId);
    assertEq(uint8(record.outcome), uint8(full ? ILoanGuard.Outcome.Full : ILoanGuard.Outcome.Partial));
    assertEq(record.healthAfterWad, _recorded(uint256(1_020e18) * WAD / (1_000e18 - lowest)));
  }

  /// LG-6: the boundary between the two outcomes is one base unit; in an inexact market, one more and one billionth.
  function test_sizing_isPartialWithHardlyLessThanNeeded() public {
    _assertEdge(1);
    lending.setInexact(true);
    _assertEdge(2 + NEEDED / 1e9);
  }

  function _assertEdge(uint128 short) private {
    ILoanGuard.Terms memory terms = _terms();
    terms.capPerRescue = NEEDED - short;
    uint256 guardId = _register(terms);
    _endanger();
    assertEq(guard.rescue(guardId), NEEDED - short);
    assertEq(uint8(_lastRescue(guardId).outcome), uint8(ILoanGuard.Outcome.Partial));
    assertLt(_lastRescue(guardId).healthAfterWad, 1.25e18);

    terms.capPerRescue = NEEDED - short + 1;
    guardId = _register(terms);
    _endanger();
    assertEq(guard.rescue(guardId), NEEDED - short + 1);
    assertEq(uint8(_lastRescue(guardId).outcome), uint8(ILoanGuard.Outcome.Full));
  }

  /// LG-5, LG-6: other debts would need more, but this market can take only its own debt.
  function test_sizing_paysTheMarketOffAndLeavesOtherDebts() public {
    uint256 guardId = _register(_terms());
    _setLoan(borrower, 50e18, 950e18, 1_020e18);
    assertEq(guard.rescue(guardId), 50e18);
    assertEq(_debt(borrower), 0);
    assertEq(uint8(_lastRescue(guardId).outcome), uint8(ILoanGuard.Outcome.Partial));
    assertEq(_lastRescue(guardId).healthAfterWad, _recorded(uint256(1_020e18) * WAD / 950e18));
  }

  /// LG-6: a protocol whose sums have 8 decimals, cut down below the debt in its only market. Panics as little
  /// with the whole debt repaid as with a part of it.
  function test_sizing_takesAProtocolWithFewerDigits() public {
    uint256 debt = 1_000e18 + 9_999_999_999;
    lending.setSmallestSum(1e10);
    _setLoan(borrower, debt, 0, 1_020e18);
    uint256 guardId = _register(_terms());
    uint256 snapshot = vm.snapshotState();
    assertEq(guard.rescue(guardId), NEEDED);
    assertEq(_lastRescue(guardId).healthBeforeWad, 1.02e18);
    assertApproxEqAbs(_lastRescue(guardId).healthAfterWad, 1.25e18, 1e10);

    vm.revertToState(snapshot);
    _setLoan(borrower, debt, 0, 1e10);
    assertEq(guard.rescue(guardId), 1_000e18 - 0.8e10);
    vm.revertToState(snapshot);
    _setLoan(borrower, 1e10 + 1, 0, 1.01e10);
    lending.setMinDebt(1e10 + 2);
    ILoanGuard.Terms memory terms = _terms();
    terms.minRepay = 1;
    guardId = _register(terms);
    assertEq(guard.rescue(guardId), 1e10 + 1);
    assertEq(_lastRescue(guardId).healthAfterWad, type(uint128).max);
  }

  /// Any loss of digits, in any position: the debt is never shown lower than the market's part that is left.
  function testFuzz_sizing_neverPanicsForWantOfDigits(uint256 debt, uint256 other, uint256 unit, uint256 weighted)
    public
  {
    debt = bound(debt, 1, 1e27);
    lending.setSmallestSum(bound(unit, 1, 1e20));
    _setLoan(borrower, debt, bound(other, 0, 1e27), bound(weighted, 1, 2e27));
    ILoanGuard.Terms memory terms = _terms();
    terms.minRepay = 1;
    uint256 guardId = _register(terms);
    try guard.rescue(guardId) returns (uint256 repaid) {
      assertEq(_debt(borrower), debt - repaid);
    } catch (bytes memory why) {
      assertTrue(bytes4(why) != bytes4(0x4e487b71), "a panic");
    }
  }

  /// LG-10: the highest health that a record keeps with debt left, which is not that of an account without debt.
  function test_sizing_recordsAHealthBeyondTheHighestAsTheHighest() public {
    uint256 guardId = _register(_terms());
    _setLoan(borrower, 1_000e18, 1e6, 1_020e18);
    lending.setMinDebt(1_000e18);
    assertEq(guard.rescue(guardId), 1_000e18);
    assertEq(_lastRescue(guardId).healthAfterWad, (2 ** 40 - 2) * 1e9);
  }

  /// LG-5
  function test_sizing_refusesLessThanTheMinimum() public {
    ILoanGuard.Terms memory terms = _terms();
    terms.minRepay = NEEDED + 1;
    uint256 guardId = _register(terms);
    _endanger();
    vm.expectRevert(abi.encodeWithSelector(ILoanGuard.RepayBelowMinimum.selector, NEEDED, NEEDED + 1));
    guard.rescue(guardId);
    _assertUntouched(guardId);

    terms.minRepay = NEEDED;
    assertEq(guard.rescue(_register(terms)), NEEDED);
  }

  /// LG-5: refused before any call to token or market, whose own failures would hide the reason. This market fails on a
  /// repayment of zero.
  function test_sizing_refusesLessThanTheMinimumBeforeThePull() public {
    uint256 guardId = _register(_terms());
    _endanger();
    lending.setMiscredit(-1);
    vm.prank(borrower);
    token.approve(address(guard), 0);
    vm.expectRevert(abi.encodeWithSelector(ILoanGuard.AllowanceTooLow.selector, 0, 1e18));
    guard.rescue(guardId);
  }

  /// LG-5: the borrower's other way to stop, through the token alone.
  function test_sizing_refusesWithoutAnAllowance() public {
    uint256 guardId = _register(_terms());
    _endanger();
    vm.prank(borrower);
    token.approve(address(guard), 0);
    vm.expectRevert(abi.encodeWithSelector(ILoanGuard.AllowanceTooLow.selector, 0, 1e18));
    guard.rescue(guardId);
    _assertUntouched(guardId);
  }

  /// LG-5
  function test_sizing_refusesWithoutABalance() public {
    uint256 guardId = _register(_terms());
    _endanger();
    vm.prank(borrower);
    assertTrue(token.transfer(stranger, 10_000e18));
    vm.expectRevert(abi.encodeWithSelector(ILoanGuard.BalanceTooLow.selector, 0, 1e18));
    guard.rescue(guardId);
    assertEq(_debt(borrower), 1_000e18);
  }

  /// LG-5: the day's cap holds over several rescues, exactly, and resets at midnight UTC, not after 24 hours.
  function test_sizing_startsTheDaysCapAnewAtMidnightUtc() public {
    ILoanGuard.Terms memory terms = _terms();
    terms.capPerDay = 300e18;
    terms.cooldownSeconds = 0;
    uint256 guardId = _register(terms);
    uint256 midnight = START - 1 hours + 1 days;

    vm.warp(midnight - 2);
    _endanger();
    assertEq(guard.rescue(guardId), NEEDED);
    vm.warp(midnight - 1);
    _endanger();
    assertEq(guard.rescue(guardId), 300e18 - NEEDED);
    assertEq(guard.guard(guardId).state.takenInDay, 300e18);
    _endanger();
    vm.expectRevert(abi.encodeWithSelector(ILoanGuard.DayCapUsedUp.selector, 0, 1e18));
    guard.rescue(guardId);

    vm.warp(midnight);
    assertEq(guard.rescue(guardId), NEEDED);
    ILoanGuard.State memory state = guard.guard(guardId).state;
    assertEq(state.takenInDay, NEEDED);
    assertEq(state.day, midnight / 1 days);
  }

  /// LG-5
  function testFuzz_sizing_neverTakesMoreThanTheCapInAUtcDay(uint256[8] memory pauses, uint256 capPerDay) public {
    ILoanGuard.Terms memory terms = _terms();
    terms.capPerDay = uint128(capPerDay = bound(capPerDay, 1e18, 600e18));
    terms.cooldownSeconds = 0;
    uint256 guardId = _register(terms);

    uint256 day;
    uint256 taken;
    for (uint256 i; i < pauses.length; ++i) {
      skip(bound(pauses[i], 0, 12 hours));
      if (block.timestamp / 1 days != day) (day, taken) = (block.timestamp / 1 days, 0);
      _endanger();
      uint256 left = capPerDay - taken;
      if (left < terms.minRepay) {
        vm.expectRevert(abi.encodeWithSelector(ILoanGuard.DayCapUsedUp.selector, left, terms.minRepay));
        guard.rescue(guardId);
      } else {
        uint256 balanceBefore = token.balanceOf(borrower);
        guard.rescue(guardId);
        uint256 fell = balanceBefore - token.balanceOf(borrower);
        assertEq(fell, left < NEEDED ? left : NEEDED);
        taken += fell;
      }
    }
  }
}
