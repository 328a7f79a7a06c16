// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {ILoanGuard} from "../../../contracts/interfaces/ILoanGuard.sol";
import {GuardBase} from "../../base/GuardBase.sol";

contract LoanGuardPolicyTest is GuardBase {
  /// LG-10
  function test_policy_showsTermsAndWhatHasHappened() public {
    ILoanGuard.Terms memory terms = _terms();
    uint256 policyId = _register(terms);
    _endanger();
    guard.rescue(policyId);

    ILoanGuard.Policy memory policy = guard.policy(policyId);
    assertEq(abi.encode(policy.terms), abi.encode(terms));
    assertEq(policy.repayToken, address(token));
    ILoanGuard.State memory expected = ILoanGuard.State({
      status: ILoanGuard.Status.Active, lastRescueAt: START, day: 21_915, takenInDay: NEEDED, rescues: 1
    });
    assertEq(abi.encode(policy.state), abi.encode(expected));
  }

  /// LG-10
  function test_policy_refusesAnUnknownPolicy() public {
    _register(_terms());
    vm.expectRevert(abi.encodeWithSelector(ILoanGuard.PolicyUnknown.selector, 0));
    guard.policy(0);
    vm.expectRevert(abi.encodeWithSelector(ILoanGuard.PolicyUnknown.selector, 2));
    guard.policy(2);
  }
}
