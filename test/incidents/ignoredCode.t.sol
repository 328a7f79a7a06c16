// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {ILendingMarket} from "../../contracts/interfaces/ILendingMarket.sol";
import {ILoanGuard} from "../../contracts/interfaces/ILoanGuard.sol";
import {IVenusComptroller} from "../../contracts/interfaces/IVenus.sol";
import {LoanIncidentBase} from "../base/LoanIncidentBase.sol";
import {SmallGuard} from "./twins/SmallGuard.sol";
import {SmallVenus} from "./twins/SmallVenus.sol";

/// The mistake: a repayment that fails with a return code counts as a repayment.
contract IgnoredCodeTwin is SmallVenus {
  constructor(IVenusComptroller comptroller_) SmallVenus(comptroller_) {}

  function _requireRepaid(uint256) internal pure override {}
}

/// The market refuses the borrower's rescue, whose tokens stay in the adapter. The stranger has as much debt and repays
/// it with them.
contract IgnoredCodeTest is LoanIncidentBase {
  function setUp() public override {
    super.setUp();
    vUsdt.setDebt(stranger, NEEDED);
  }

  function attack() external override {
    uint256 guardId = _guardMarket(address(vUsdt));
    vUsdt.setRepayCode(3);
    guard.rescue(guardId);
    vUsdt.setRepayCode(0);
    vm.prank(stranger);
    lending.repay(stranger, _market(address(vUsdt)), NEEDED, stranger);
  }

  /// IT-1
  function test_TheTwinsBorrowerPaysAStrangersDebt() public {
    _moveTo(address(new SmallGuard()), new IgnoredCodeTwin(comptroller));
    this.attack();
    assertEq(usdt.balanceOf(borrower), FUNDS - NEEDED);
    assertEq(vUsdt.borrowBalanceStored(borrower), 450e18);
    assertEq(vUsdt.borrowBalanceStored(stranger), 0);
  }

  /// IT-1, VM-3
  function test_RevertWhen_TriedOnOurs() public {
    _assertAttackFails(abi.encodeWithSelector(ILendingMarket.RepayRejected.selector, vUsdt, 3));
    assertEq(vUsdt.borrowBalanceStored(stranger), NEEDED);
  }

  /// IT-1, LG-8: also over an adapter with the mistake.
  function test_RevertWhen_TriedOnOurGuardOverTheTwin() public {
    ILendingMarket twin = new IgnoredCodeTwin(comptroller);
    _moveTo(address(_ourGuardOver(twin)), twin);
    _assertAttackFails(abi.encodeWithSelector(ILoanGuard.DebtFellWrong.selector, NEEDED, 0));
    assertEq(vUsdt.borrowBalanceStored(stranger), NEEDED);
  }
}
