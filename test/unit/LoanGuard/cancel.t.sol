// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {ILoanGuard} from "../../../contracts/interfaces/ILoanGuard.sol";
import {GuardBase} from "../../base/GuardBase.sol";

contract LoanGuardCancelTest is GuardBase {
  uint256 private policyId;

  function setUp() public override {
    super.setUp();
    policyId = _register(_terms());
    _endanger();
  }

  /// LG-11, LG-3
  function test_cancel_stopsRescuesForGood() public {
    vm.expectEmit(address(guard));
    emit ILoanGuard.PolicyCancelled(policyId);
    vm.prank(borrower);
    guard.cancel(policyId);
    assertEq(uint8(guard.policy(policyId).state.status), uint8(ILoanGuard.Status.Cancelled));

    for (uint256 i; i < 2; ++i) {
      vm.expectRevert(abi.encodeWithSelector(ILoanGuard.PolicyNotActive.selector, ILoanGuard.Status.Cancelled));
      guard.rescue(policyId);
      skip(60 days);
    }
    _assertUntouched(policyId);
  }

  /// LG-11
  function test_cancel_ofACancelledPolicyChangesNothingAndDoesNotFail() public {
    vm.startPrank(borrower);
    guard.cancel(policyId);
    vm.recordLogs();
    guard.cancel(policyId);
    assertEq(vm.getRecordedLogs().length, 0);
    assertEq(uint8(guard.policy(policyId).state.status), uint8(ILoanGuard.Status.Cancelled));
  }

  /// LG-11
  function test_cancel_doesNotFailAfterExpiryOrARescue() public {
    guard.rescue(policyId);
    vm.warp(guard.policy(policyId).terms.expiresAt + 1);
    vm.prank(borrower);
    guard.cancel(policyId);
    ILoanGuard.State memory state = guard.policy(policyId).state;
    assertEq(uint8(state.status), uint8(ILoanGuard.Status.Cancelled));
    // The record outlives the policy.
    assertEq(state.rescues, 1);
    assertEq(guard.rescues(policyId, 0, 1)[0].repaid, NEEDED);
  }

  /// LG-11
  function test_cancel_leavesOtherPoliciesAlone() public {
    uint256 other = _register(_terms());
    vm.prank(borrower);
    guard.cancel(policyId);
    guard.rescue(other);
    assertEq(guard.policy(other).state.rescues, 1);
  }

  /// LG-11
  function testFuzz_cancel_refusesAnyoneButTheBorrower(address caller) public {
    vm.assume(caller != borrower);
    vm.expectRevert(abi.encodeWithSelector(ILoanGuard.NotPartner.selector, caller, borrower, borrower));
    vm.prank(caller);
    guard.cancel(policyId);
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
  function test_cancel_refusesAnUnknownPolicy() public {
    vm.expectRevert(abi.encodeWithSelector(ILoanGuard.PolicyUnknown.selector, 2));
    vm.prank(borrower);
    guard.cancel(2);
  }
}
