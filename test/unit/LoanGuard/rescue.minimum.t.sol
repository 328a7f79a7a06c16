// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {ILoanGuard} from "../../../contracts/interfaces/ILoanGuard.sol";
import {GuardBase} from "../../base/GuardBase.sol";

contract LoanGuardRescueMinimumTest is GuardBase {
  /// LG-5: the minimum applies to what is needed. That the market takes no dust does not make a small rescue a large one.
  function test_minimum_appliesBeforeTheRescueIsRaisedToTheWholeDebt() public {
    ILoanGuard.Terms memory terms = _terms();
    terms.minRepay = NEEDED + 1;
    uint256 guardId = _register(terms);
    _endanger();
    lending.setMinDebt(1_000e18);
    vm.expectRevert(abi.encodeWithSelector(ILoanGuard.RepayBelowMinimum.selector, NEEDED, NEEDED + 1));
    guard.rescue(guardId);
  }
}
