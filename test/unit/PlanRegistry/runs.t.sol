// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IPlanRegistry} from "../../../contracts/interfaces/IPlanRegistry.sol";
import {PlanBase} from "../../base/PlanBase.sol";
import {ScriptedExecutor} from "../../mocks/ScriptedExecutor.sol";

contract PlanRegistryRunsTest is PlanBase {
  uint256 private constant RECORDS = 7;
  uint256 private planId;

  function setUp() public override {
    super.setUp();
    planId = _create(_terms());
    for (uint16 i; i < RECORDS; ++i) {
      vm.warp(START + i * PERIOD);
      if (i % 3 == 2) executor.defer(planId, i, _go());
      else _run(planId);
    }
  }

  /// PR-17: any page is that part of the whole history, oldest first, capped at its length.
  function testFuzz_PagesOldestFirst(uint256 from, uint256 to) public view {
    from = bound(from, 0, RECORDS + 2);
    to = bound(to, 0, RECORDS + 2);
    uint256 end = to < RECORDS ? to : RECORDS;
    IPlanRegistry.Run[] memory page = registry.runs(planId, from, to);
    assertEq(page.length, from < end ? end - from : 0);
    for (uint256 i; i < page.length; ++i) {
      assertEq(page[i].slotStart, START + (from + i) * PERIOD);
      assertEq(page[i].reason, (from + i) % 3 == 2 ? from + i : 0);
    }
  }

  /// PR-17
  function test_TheLargestBoundsMeanTheWholeHistory() public view {
    assertEq(registry.runs(planId, 0, type(uint256).max).length, RECORDS);
    assertEq(registry.runs(planId, type(uint256).max, type(uint256).max).length, 0);
  }

  /// PR-17
  function test_AnUnknownPlanHasNone() public view {
    assertEq(registry.runs(planId + 1, 0, 10).length, 0);
  }

  /// PR-17: the record of an open run is counted and not written.
  function test_RevertWhen_ARunIsOpen() public {
    vm.warp(START + RECORDS * PERIOD);
    ScriptedExecutor reader = _scripted();
    uint256 open = _planFor(reader);
    reader.beforeDelivery(address(registry), abi.encodeCall(registry.runs, (open, 0, 1)));
    reader.run(open, _go(), "");
    assertEq(reader.reply(0).returned, abi.encodeWithSelector(IPlanRegistry.RunOpen.selector, open));
    assertEq(registry.runs(open, 0, 1).length, 1);
  }
}
