// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {ILoanGuard} from "../../../contracts/interfaces/ILoanGuard.sol";
import {GuardBase} from "../../base/GuardBase.sol";

contract LoanGuardGuardTest is GuardBase {
  /// LG-10
  function test_guard_showsTermsAndWhatHasHappened() public {
    ILoanGuard.Terms memory terms = _terms();
    uint256 guardId = _register(terms);
    _endanger();
    guard.rescue(guardId);

    ILoanGuard.Guard memory entry = guard.guard(guardId);
    assertEq(abi.encode(entry.terms), abi.encode(terms));
    assertEq(entry.repayToken, address(token));
    ILoanGuard.State memory expected = ILoanGuard.State({
      status: ILoanGuard.Status.Active,
      lastRescueAt: START,
      day: 21_915,
      takenInDay: NEEDED,
      rescues: 1,
      isBySource: false
    });
    assertEq(abi.encode(entry.state), abi.encode(expected));
  }

  /// LG-10
  function test_guard_refusesAnUnknownGuard() public {
    _register(_terms());
    vm.expectRevert(abi.encodeWithSelector(ILoanGuard.GuardUnknown.selector, 0));
    guard.guard(0);
    vm.expectRevert(abi.encodeWithSelector(ILoanGuard.GuardUnknown.selector, 2));
    guard.guard(2);
  }
}
