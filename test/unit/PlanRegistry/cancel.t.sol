// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IPlanRegistry} from "../../../contracts/interfaces/IPlanRegistry.sol";
import {PlanBase} from "../../base/PlanBase.sol";

contract PlanRegistryCancelTest is PlanBase {
  uint256 private planId;

  function setUp() public override {
    super.setUp();
    planId = _create(_terms());
  }

  /// PR-20, PR-8
  function test_StopsAnActivePlanForGood() public {
    vm.expectEmit(address(registry));
    emit IPlanRegistry.PlanCancelled(planId);
    vm.prank(owner);
    registry.cancel(planId);
    _assertStopped();
    vm.warp(START + PERIOD);
    _assertStopped();
  }

  /// PR-20
  function test_StopsAPausedPlanForGood() public {
    vm.startPrank(owner);
    registry.pause(planId);
    registry.cancel(planId);
    vm.stopPrank();
    _assertStopped();
  }

  /// PR-20
  function test_ChangesNothingButTheStatus() public {
    _run(planId);
    IPlanRegistry.State memory state = _state(planId);
    vm.prank(owner);
    registry.cancel(planId);
    state.status = IPlanRegistry.Status.Cancelled;
    assertEq(abi.encode(_state(planId)), abi.encode(state));
    assertEq(_history(planId).length, 1);
  }

  /// PR-20
  function test_HasNoEffectWhenCancelled() public {
    vm.startPrank(owner);
    registry.cancel(planId);
    bytes memory before = _picture(planId);
    vm.recordLogs();
    registry.cancel(planId);
    assertEq(vm.getRecordedLogs().length, 0);
    assertEq(_picture(planId), before);
  }

  /// PR-20
  function test_WorksAfterExpiry() public {
    vm.warp(START + 1000 days);
    vm.prank(owner);
    registry.cancel(planId);
    assertEq(uint8(_state(planId).status), uint8(IPlanRegistry.Status.Cancelled));
  }

  /// PR-20
  function testFuzz_RevertWhen_CallerIsNotTheOwner(address caller) public {
    vm.assume(caller != owner);
    vm.expectRevert(abi.encodeWithSelector(IPlanRegistry.NotOwner.selector, caller, owner));
    vm.prank(caller);
    registry.cancel(planId);
  }

  /// PR-20
  function test_RevertWhen_CallerIsTheExecutor() public {
    vm.expectRevert(abi.encodeWithSelector(IPlanRegistry.NotOwner.selector, executor, owner));
    vm.prank(address(executor));
    registry.cancel(planId);
  }

  function test_RevertWhen_PlanIsUnknown() public {
    vm.expectRevert(abi.encodeWithSelector(IPlanRegistry.PlanUnknown.selector, 0));
    vm.prank(owner);
    registry.cancel(0);
  }

  function _assertStopped() private {
    bytes memory reason = abi.encodeWithSelector(IPlanRegistry.PlanNotActive.selector, IPlanRegistry.Status.Cancelled);
    _assertRefused(executor, planId, reason);
    vm.expectRevert(reason);
    executor.defer(planId, 1, _go());
  }
}
