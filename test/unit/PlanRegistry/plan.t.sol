// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IPlanRegistry} from "../../../contracts/interfaces/IPlanRegistry.sol";
import {PlanBase} from "../../base/PlanBase.sol";

contract PlanRegistryPlanTest is PlanBase {
  /// PR-17, PR-22: the terms stay as signed, whatever happens to a plan.
  function test_TermsNeverChange() public {
    bytes memory terms = abi.encode(_terms());
    uint256 planId = _create(_terms());
    executor.defer(planId, 7, _go());
    _run(planId);
    vm.startPrank(owner);
    registry.pause(planId);
    registry.resume(planId, 1, 1);
    registry.cancel(planId);
    vm.stopPrank();
    assertEq(abi.encode(registry.plan(planId).terms), terms);
  }

  /// PR-17
  function testFuzz_RevertWhen_Unknown(uint256 planId) public {
    uint256 known = _create(_terms());
    vm.assume(planId != known);
    vm.expectRevert(abi.encodeWithSelector(IPlanRegistry.PlanUnknown.selector, planId));
    registry.plan(planId);
  }
}
