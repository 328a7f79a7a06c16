// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {ILoanGuard} from "../../../contracts/interfaces/ILoanGuard.sol";
import {GuardBase} from "../../base/GuardBase.sol";

contract LoanGuardRescueMinimumTest is GuardBase {
  /// LG-5: the guard's minimum applies to what the loan needs, before LG-22 raises the repayment to the whole debt.
  function test_minimum_appliesToTheNeed() public {
    ILoanGuard.Terms memory terms = _terms();
    terms.minRepay = NEEDED + 1;
    uint256 guardId = _register(terms);
    _endanger();
    lending.setMinDebt(1_000e18);
    vm.expectRevert(abi.encodeWithSelector(ILoanGuard.RepayBelowMinimum.selector, NEEDED, NEEDED + 1));
    guard.rescue(guardId);
  }

  /// LG-5: what the account has and has approved is enough at exactly the minimum.
  function test_minimum_isEnoughAsAllowanceAndAsBalance() public {
    ILoanGuard.Terms memory terms = _terms();
    terms.minRepay = NEEDED / 2;
    uint256 guardId = _register(terms);
    _endanger();
    uint256 snapshot = vm.snapshotState();
    vm.prank(borrower);
    token.approve(address(guard), terms.minRepay);
    assertEq(guard.rescue(guardId), terms.minRepay);
    vm.revertToState(snapshot);
    uint256 balance = token.balanceOf(borrower);
    vm.prank(borrower);
    token.transfer(address(0xdead), balance - terms.minRepay);
    assertEq(guard.rescue(guardId), terms.minRepay);
  }
}
