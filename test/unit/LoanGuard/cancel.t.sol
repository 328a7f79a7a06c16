// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {ILoanGuard} from "../../../contracts/interfaces/ILoanGuard.sol";
import {GuardBase} from "../../base/GuardBase.sol";

contract LoanGuardCancelTest is GuardBase {
  uint256 private guardId;

  function setUp() public override {
    super.setUp();
    guardId = _register(_terms());
    _endanger();
  }

  /// LG-11, LG-3
  function test_cancel_stopsRescuesForGood() public {
    vm.expectEmit(address(guard));
    emit ILoanGuard.GuardCancelled(guardId);
    vm.prank(borrower);
    guard.cancel(guardId);
    assertEq(uint8(guard.guard(guardId).state.status), uint8(ILoanGuard.Status.Cancelled));

    for (uint256 i; i < 2; ++i) {
      vm.expectRevert(abi.encodeWithSelector(ILoanGuard.GuardNotActive.selector, ILoanGuard.Status.Cancelled));
      guard.rescue(guardId);
      skip(60 days);
    }
    _assertUntouched(guardId);
  }

  /// LG-11
  function test_cancel_ofACancelledGuardChangesNothingAndDoesNotFail() public {
    vm.startPrank(borrower);
    guard.cancel(guardId);
    vm.recordLogs();
    guard.cancel(guardId);
    assertEq(vm.getRecordedLogs().length, 0);
    assertEq(uint8(guard.guard(guardId).state.status), uint8(ILoanGuard.Status.Cancelled));
  }

  /// LG-11
  function test_cancel_doesNotFailAfterExpiryOrARescue() public {
    guard.rescue(guardId);
    vm.warp(guard.guard(guardId).terms.expiresAt + 1);
    vm.prank(borrower);
    guard.cancel(guardId);
    ILoanGuard.State memory state = guard.guard(guardId).state;
    assertEq(uint8(state.status), uint8(ILoanGuard.Status.Cancelled));
    // The record survives the guard.
    assertEq(state.rescues, 1);
    assertEq(guard.rescues(guardId, 0, 1)[0].repaid, NEEDED);
  }

  /// LG-11
  function test_cancel_leavesOtherGuardsAlone() public {
    uint256 other = _register(_terms());
    vm.prank(borrower);
    guard.cancel(guardId);
    guard.rescue(other);
    assertEq(guard.guard(other).state.rescues, 1);
  }

  /// LG-11
  function testFuzz_cancel_refusesAnyoneButTheBorrower(address caller) public {
    vm.assume(caller != borrower);
    vm.expectRevert(abi.encodeWithSelector(ILoanGuard.NotPartner.selector, caller, borrower, borrower));
    vm.prank(caller);
    guard.cancel(guardId);
  }

  /// LG-11: the keeper is no exception.
  function test_cancel_refusesTheKeeper() public {
    ILoanGuard.Terms memory terms = _terms();
    terms.keeper = stranger;
    uint256 kept = _register(terms);
    vm.expectRevert(abi.encodeWithSelector(ILoanGuard.NotPartner.selector, stranger, borrower, borrower));
    vm.prank(stranger);
    guard.cancel(kept);
  }

  /// LG-11
  function test_cancel_refusesAnUnknownGuard() public {
    vm.expectRevert(abi.encodeWithSelector(ILoanGuard.GuardUnknown.selector, 2));
    vm.prank(borrower);
    guard.cancel(2);
  }
}
