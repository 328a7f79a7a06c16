// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {ILoanGuard} from "../../../contracts/interfaces/ILoanGuard.sol";
import {IRevocations} from "../../../contracts/interfaces/IRevocations.sol";
import {GuardBase} from "../../base/GuardBase.sol";
import {Product} from "../../base/Product.sol";

contract LoanGuardRevokeAllTest is GuardBase {
  /// RV-1
  function test_StopsTheGuardsOfTheBorrower() public {
    uint256 guardId = _register(_terms());
    assertFalse(guard.guard(guardId).isRevoked);
    vm.prank(borrower);
    revocations.revokeAll();
    assertTrue(guard.guard(guardId).isRevoked);
    vm.expectRevert(abi.encodeWithSelector(ILoanGuard.GuardRevoked.selector, guardId));
    guard.rescue(guardId);
    assertFalse(guard.guard(_register(_terms())).isRevoked);
  }

  /// RV-1
  function test_RevertWhen_TheRevocationsHaveNoCode() public {
    vm.expectRevert(abi.encodeWithSelector(ILoanGuard.RevocationsRefused.selector, address(1)));
    Product.loanGuard(IRevocations(address(1)), new address[](0), new address[](0));
  }
}
