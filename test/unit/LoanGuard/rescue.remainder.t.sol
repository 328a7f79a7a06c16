// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {ILoanGuard} from "../../../contracts/interfaces/ILoanGuard.sol";
import {GuardBase} from "../../base/GuardBase.sol";
import {MockLendingMarket} from "../../mocks/lending/MockLendingMarket.sol";

/// A market that takes no repayment after which less than a minimum is owed, but something. The debt in it is 200 of
/// 1,000, of which a rescue needs 184: 16 would be left.
contract LoanGuardRescueRemainderTest is GuardBase {
  uint256 private constant DEBT = 200e18;

  function setUp() public override {
    super.setUp();
    _setLoan(borrower, DEBT, 800e18, 1_020e18);
    lending.setMinDebt(15e18);
  }

  /// LG-22
  function test_remainder_ofTheMinimumIsLeft() public {
    lending.setMinDebt(16e18);
    _assertRepaid(_terms(), NEEDED, ILoanGuard.Outcome.Full);
  }

  /// LG-22: the market itself would refuse the repayment.
  function test_remainder_belowTheMinimumIsRepaidToo() public {
    lending.setMinDebt(16e18 + 1);
    _assertRepaid(_terms(), DEBT, ILoanGuard.Outcome.Full);
    assertEq(_lastRescue(1).healthAfterWad, 1.275e18);
  }

  /// LG-22: by any bound that a repayment of the whole debt would exceed, if only by a unit.
  function test_remainder_ofTheMinimumIsLeftIfABoundForbidsTheWhole() public {
    lending.setMinDebt(20e18);
    uint256 snapshot = vm.snapshotState();
    for (uint256 bound; bound < 4; ++bound) {
      ILoanGuard.Terms memory terms = _terms();
      if (bound == 0) terms.capPerRescue = uint128(DEBT - 1);
      if (bound == 1) terms.capPerDay = uint128(DEBT - 1);
      vm.startPrank(borrower);
      if (bound == 2) token.approve(address(guard), DEBT - 1);
      if (bound == 3) assertTrue(token.transfer(stranger, 10_000e18 - DEBT + 1));
      vm.stopPrank();
      _assertRepaid(terms, 180e18, ILoanGuard.Outcome.Partial);
      vm.revertToState(snapshot);
    }
  }

  /// LG-22: also where a cap and not the need leaves too little.
  function test_remainder_belowTheMinimumByACapIsEnlarged() public {
    lending.setMinDebt(50e18);
    ILoanGuard.Terms memory terms = _terms();
    terms.capPerRescue = 160e18;
    _assertRepaid(terms, 150e18, ILoanGuard.Outcome.Partial);
  }

  /// LG-22
  function test_remainder_isRefusedIfTheRestOfTheRepaymentIsBelowTheGuardsMinimum() public {
    lending.setMinDebt(50e18);
    ILoanGuard.Terms memory terms = _terms();
    (terms.capPerRescue, terms.minRepay) = (160e18, 150e18 + 1);
    _assertRefused(terms, 40e18, 50e18);
  }

  /// LG-22: the debt is at the minimum, or below it since the market raised it. Only the whole can be repaid.
  function test_remainder_isRefusedIfTheDebtIsNotAboveTheMinimum() public {
    ILoanGuard.Terms memory terms = _terms();
    terms.capPerRescue = uint128(DEBT - 1);
    uint256[2] memory minimums = [DEBT, 2 * DEBT];
    for (uint256 i; i < 2; ++i) {
      lending.setMinDebt(minimums[i]);
      _assertRefused(terms, DEBT - NEEDED, minimums[i]);
    }
    terms.capPerRescue = uint128(DEBT);
    _assertRepaid(terms, DEBT, ILoanGuard.Outcome.Full);
  }

  /// LG-22, LG-5: whatever the numbers, the market is left with nothing or its minimum, and no bound is exceeded.
  function testFuzz_remainder_isNeverDust(uint256 debt, uint256 minDebt, uint128 cap, uint128 minRepay) public {
    debt = bound(debt, 1, 1_000e18);
    lending.setMinDebt(minDebt = bound(minDebt, 0, 1_100e18));
    ILoanGuard.Terms memory terms = _terms();
    terms.capPerRescue = uint128(bound(cap, 1, 400e18));
    terms.minRepay = uint128(bound(minRepay, 1, terms.capPerRescue));
    _setLoan(borrower, debt, 1_000e18 - debt, 1_020e18);
    try guard.rescue(_register(terms)) returns (uint256 repaid) {
      uint256 left = _debt(borrower);
      assertEq(left, debt - repaid);
      assertTrue(left == 0 || left >= minDebt || minDebt == 0);
      assertTrue(repaid >= terms.minRepay && repaid <= terms.capPerRescue);
      assertTrue(repaid <= NEEDED || left == 0);
    } catch (bytes memory why) {
      // Never the market's own refusal.
      assertTrue(
        bytes4(why) == ILoanGuard.RemainderRefused.selector || bytes4(why) == ILoanGuard.RepayBelowMinimum.selector
      );
    }
  }

  function _assertRepaid(ILoanGuard.Terms memory terms, uint256 amount, ILoanGuard.Outcome outcome) private {
    uint256 guardId = _register(terms);
    uint256 balance = token.balanceOf(borrower);
    assertEq(guard.rescue(guardId), amount);
    assertEq(_debt(borrower), DEBT - amount);
    assertEq(token.balanceOf(borrower), balance - amount);
    assertEq(uint8(_lastRescue(guardId).outcome), uint8(outcome));
  }

  function _assertRefused(ILoanGuard.Terms memory terms, uint256 remainder, uint256 minDebt) private {
    uint256 guardId = _register(terms);
    vm.expectRevert(abi.encodeWithSelector(ILoanGuard.RemainderRefused.selector, remainder, minDebt));
    guard.rescue(guardId);
    assertEq(_debt(borrower), DEBT);
  }
}
