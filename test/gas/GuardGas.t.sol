// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {ILoanGuard} from "../../contracts/interfaces/ILoanGuard.sol";
import {GuardBase} from "../base/GuardBase.sol";

/// Whole transactions on cold storage, with a lending market that costs almost nothing: the cost of LoanGuard itself.
contract GuardGasTest is GuardBase {
  function test_register() public {
    ILoanGuard.Terms memory terms = _terms();
    vm.prank(borrower);
    guard.register(terms);
    vm.snapshotGasLastCall("guard", "register");
  }

  function test_rescue() public {
    uint256 guardId = _register(_terms());
    _endanger();
    guard.rescue(guardId);
    vm.snapshotGasLastCall("guard", "rescue, the lending protocol apart");
  }
}
