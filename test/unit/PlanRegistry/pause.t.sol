// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IPlanRegistry} from "../../../contracts/interfaces/IPlanRegistry.sol";
import {PlanBase} from "../../base/PlanBase.sol";

contract PlanRegistryPauseTest is PlanBase {
  uint256 private planId;

  function setUp() public override {
    super.setUp();
    planId = _create(_terms());
  }

  /// PR-20, PR-8
  function test_StopsRuns() public {
    vm.expectEmit(address(registry));
    emit IPlanRegistry.PlanPaused(planId);
    vm.prank(owner);
    registry.pause(planId);
    assertEq(uint8(_state(planId).status), uint8(IPlanRegistry.Status.Paused));
    _assertRefused(
      executor, planId, abi.encodeWithSelector(IPlanRegistry.PlanNotActive.selector, IPlanRegistry.Status.Paused)
    );
  }

  /// PR-20
  function test_ChangesNothingButTheStatus() public {
    _run(planId);
    IPlanRegistry.State memory state = _state(planId);
    vm.prank(owner);
    registry.pause(planId);
    state.status = IPlanRegistry.Status.Paused;
    assertEq(abi.encode(_state(planId)), abi.encode(state));
    assertEq(_history(planId).length, 1);
  }

  /// PR-20: neither fails nor has an effect on a paused, cancelled or expired plan.
  function test_HasNoEffectWhenNotActive() public {
    vm.startPrank(owner);
    registry.pause(planId);
    _assertPauseDoesNothing();
    registry.cancel(planId);
    _assertPauseDoesNothing();
    vm.warp(START + 1000 days);
    _assertPauseDoesNothing();
  }

  /// PR-20
  function test_WorksAfterExpiry() public {
    vm.warp(START + 1000 days);
    vm.prank(owner);
    registry.pause(planId);
    assertEq(uint8(_state(planId).status), uint8(IPlanRegistry.Status.Paused));
  }

  /// PR-20
  function testFuzz_RevertWhen_CallerIsNotTheOwner(address caller) public {
    vm.assume(caller != owner);
    vm.expectRevert(abi.encodeWithSelector(IPlanRegistry.NotOwner.selector, caller, owner));
    vm.prank(caller);
    registry.pause(planId);
  }

  /// PR-20
  function test_RevertWhen_CallerIsTheExecutor() public {
    vm.expectRevert(abi.encodeWithSelector(IPlanRegistry.NotOwner.selector, executor, owner));
    vm.prank(address(executor));
    registry.pause(planId);
  }

  function test_RevertWhen_PlanIsUnknown() public {
    vm.expectRevert(abi.encodeWithSelector(IPlanRegistry.PlanUnknown.selector, planId + 1));
    vm.prank(owner);
    registry.pause(planId + 1);
  }

  function _assertPauseDoesNothing() private {
    bytes memory before = _picture(planId);
    vm.recordLogs();
    registry.pause(planId);
    assertEq(vm.getRecordedLogs().length, 0);
    assertEq(_picture(planId), before);
  }
}
