// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IPlanRegistry} from "../../../contracts/interfaces/IPlanRegistry.sol";
import {PlanBase} from "../../base/PlanBase.sol";

contract PlanRegistryResumeTest is PlanBase {
  uint256 private planId;

  function setUp() public override {
    super.setUp();
    planId = _create(_terms());
    _run(planId);
    vm.prank(owner);
    registry.pause(planId);
  }

  /// PR-28, PR-6: it continues with the next slot; a slot that passed while paused stays missed.
  function test_GoesOnWithoutCatchingUp() public {
    vm.warp(START + 2 * PERIOD);
    vm.expectEmit(address(registry));
    emit IPlanRegistry.PlanResumed(planId);
    vm.prank(owner);
    registry.resume(planId, 1, 1);

    assertEq(uint8(_state(planId).status), uint8(IPlanRegistry.Status.Active));
    _run(planId);
    assertEq(_history(planId)[1].slotStart, START + 2 * PERIOD);
    _assertRefused(
      executor, planId, abi.encodeWithSelector(IPlanRegistry.SlotUsed.selector, START + 2 * PERIOD, START + 3 * PERIOD)
    );
    assertEq(usd.balanceOf(owner), FUNDS - 2 * AMOUNT);
  }

  /// PR-28, PR-5: resuming in a used slot does not open it again.
  function test_DoesNotReopenAUsedSlot() public {
    vm.prank(owner);
    registry.resume(planId, 1, 1);
    _assertRefused(executor, planId, abi.encodeWithSelector(IPlanRegistry.SlotUsed.selector, START, START + PERIOD));
  }

  /// PR-28
  function testFuzz_RevertWhen_RunsAreNotThoseSeen(uint256 seen) public {
    vm.assume(seen != 1);
    vm.expectRevert(abi.encodeWithSelector(IPlanRegistry.RunsChanged.selector, seen, 1));
    vm.prank(owner);
    registry.resume(planId, 1, seen);
    assertEq(uint8(_state(planId).status), uint8(IPlanRegistry.Status.Paused));
  }

  /// PR-28
  function testFuzz_RevertWhen_CallerIsNotTheOwner(address caller) public {
    vm.assume(caller != owner);
    vm.expectRevert(abi.encodeWithSelector(IPlanRegistry.NotOwner.selector, caller, owner));
    vm.prank(caller);
    registry.resume(planId, 1, 1);
  }

  function test_RevertWhen_PlanIsActive() public {
    vm.startPrank(owner);
    registry.resume(planId, 1, 1);
    vm.expectRevert(abi.encodeWithSelector(IPlanRegistry.PlanNotPaused.selector, IPlanRegistry.Status.Active));
    registry.resume(planId, 1, 1);
  }

  /// PR-20: a cancellation is final.
  function test_RevertWhen_PlanIsCancelled() public {
    vm.startPrank(owner);
    registry.cancel(planId);
    vm.expectRevert(abi.encodeWithSelector(IPlanRegistry.PlanNotPaused.selector, IPlanRegistry.Status.Cancelled));
    registry.resume(planId, 1, 1);
  }

  /// RV-1: a revocation is final, too.
  function test_RevertWhen_ThePlanIsRevoked() public {
    vm.startPrank(owner);
    revocations.revokeAll();
    vm.expectRevert(abi.encodeWithSelector(IPlanRegistry.PlanRevoked.selector, 0));
    registry.resume(planId, 1, 1);
  }

  function test_RevertWhen_PlanIsUnknown() public {
    vm.expectRevert(abi.encodeWithSelector(IPlanRegistry.PlanUnknown.selector, planId + 1));
    vm.prank(owner);
    registry.resume(planId + 1, 1, 0);
  }
}
