// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IPlanRegistry} from "../../../contracts/interfaces/IPlanRegistry.sol";
import {PlanBase} from "../../base/PlanBase.sol";
import {Puppet} from "../../mocks/Puppet.sol";
import {ScriptedExecutor} from "../../mocks/ScriptedExecutor.sol";

/// Who is paid, by whom, and how often. pullFunds.t.sol and tokens.t.sol test the amount.
contract PlanRegistryPayToTest is PlanBase {
  ScriptedExecutor private scripted;
  uint256 private planId;

  function setUp() public override {
    super.setUp();
    scripted = _scripted();
    planId = _planFor(scripted);
    scripted.leavePayment();
  }

  /// PR-11: straight to the payee, whoever that is.
  function testFuzz_PaysTheAmountToThePayee(address payee) public {
    vm.assume(payee != owner && payee != address(0) && payee != address(registry));
    _pay(payee);
    scripted.run(planId, _go(), "");
    assertTrue(scripted.reply(0).succeeded);
    assertEq(usd.balanceOf(owner), FUNDS - AMOUNT);
    assertEq(usd.balanceOf(payee), AMOUNT);
    assertEq(usd.balanceOf(address(scripted)), payee == address(scripted) ? AMOUNT : 0);
  }

  /// PR-11: the owner cannot be the payee of their own funds, which would then not have moved.
  function test_RevertWhen_ThePayeeIsTheOwner() public {
    _pay(owner);
    _assertRefused(scripted, planId, abi.encodeWithSelector(IPlanRegistry.RunNotPaid.selector, planId));
  }

  /// PR-12: what the registry were paid, nobody could withdraw.
  function test_RevertWhen_ThePayeeIsTheRegistry() public {
    _pay(address(registry));
    scripted.beforeDelivery(address(registry), abi.encodeCall(registry.payTo, (address(scripted))));
    scripted.run(planId, _go(), "");
    assertEq(scripted.reply(0).returned, abi.encodeWithSelector(IPlanRegistry.PayeeRefused.selector, registry));
    assertEq(usd.balanceOf(address(registry)), 0);
    assertEq(usd.balanceOf(address(scripted)), AMOUNT, "and another may be named");
  }

  /// PR-14
  function test_RevertWhen_NoRunIsOpen() public {
    vm.expectRevert(abi.encodeWithSelector(IPlanRegistry.NoRunOpen.selector, 0));
    vm.prank(address(scripted));
    registry.payTo(address(scripted));
  }

  /// PR-14: not even right after a run, in the same transaction.
  function test_RevertWhen_TheRunIsOver() public {
    _pay(address(scripted));
    scripted.run(planId, _go(), "");
    vm.expectRevert(abi.encodeWithSelector(IPlanRegistry.NoRunOpen.selector, planId));
    vm.prank(address(scripted));
    registry.payTo(address(scripted));
    assertEq(usd.balanceOf(owner), FUNDS - AMOUNT);
  }

  /// PR-14: neither before nor after the delivery is a run paid again.
  function test_RevertWhen_PaidTwice() public {
    _pay(address(scripted));
    _pay(stranger);
    scripted.afterDelivery(address(registry), abi.encodeCall(registry.payTo, (stranger)));
    scripted.run(planId, _go(), "");
    for (uint256 i = 1; i < 3; ++i) {
      assertEq(scripted.reply(i).returned, abi.encodeWithSelector(IPlanRegistry.RunAlreadyPaid.selector, planId));
    }
    assertEq(usd.balanceOf(owner), FUNDS - AMOUNT);
    assertEq(usd.balanceOf(stranger), 0);
  }

  /// PR-14: nobody else has an open run paid, not even the executor of another of the owner's plans.
  function test_RevertWhen_CallerIsNotTheExecutor() public {
    Puppet accomplice = new Puppet();
    bytes memory call = abi.encodeCall(registry.payTo, (address(accomplice)));
    scripted.beforeDelivery(address(accomplice), abi.encodeCall(accomplice.act, (address(registry), call)));
    scripted.beforeDelivery(address(executor), abi.encodeCall(executor.act, (address(registry), call)));
    _pay(address(scripted));
    scripted.run(planId, _go(), "");
    address[2] memory others = [address(accomplice), address(executor)];
    for (uint256 i; i < 2; ++i) {
      assertEq(
        scripted.reply(i).returned, abi.encodeWithSelector(IPlanRegistry.NotExecutor.selector, others[i], scripted)
      );
    }
    assertEq(usd.balanceOf(owner), FUNDS - AMOUNT);
  }

  function _pay(address payee) private {
    scripted.beforeDelivery(address(registry), abi.encodeCall(registry.payTo, (payee)));
  }
}
