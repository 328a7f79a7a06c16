// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IPlanRegistry, Verdict} from "../../../contracts/interfaces/IPlanRegistry.sol";
import {PlanBase} from "../../base/PlanBase.sol";
import {TestExecutor} from "../../mocks/TestExecutor.sol";

contract PlanRegistryRecordDeferralTest is PlanBase {
  TestExecutor.Claim private claim = TestExecutor.Claim(Verdict.CAUTION, EVIDENCE);
  uint256 private planId;

  function setUp() public override {
    super.setUp();
    planId = _create(_terms());
  }

  /// PR-17, PR-18
  function test_RecordsTheReasonAndMovesNoMoney() public {
    vm.warp(START + 5);
    vm.expectEmit(address(registry));
    emit IPlanRegistry.DeferralRecorded(planId, 0, 42, Verdict.CAUTION, EVIDENCE, START, false);
    executor.defer(planId, 42, claim);

    IPlanRegistry.Run[] memory history = _history(planId);
    assertEq(history.length, 1);
    assertEq(
      abi.encode(history[0]),
      abi.encode(
        IPlanRegistry.Run(
          START + 5, IPlanRegistry.Outcome.Deferred, START, 1, 42, Verdict.CAUTION, false, 0, 0, 0, bytes19(EVIDENCE)
        )
      )
    );
    assertEq(
      abi.encode(_state(planId)), abi.encode(IPlanRegistry.State(IPlanRegistry.Status.Active, START, 0, 1, 1, 42, 1, 0))
    );
    assertEq(usd.balanceOf(owner), FUNDS);
    assertEq(coin.balanceOf(recipient), 0);
  }

  /// PR-18
  function test_LeavesTheSlotExecutable() public {
    executor.defer(planId, 1, claim);
    _run(planId);
    assertEq(
      abi.encode(_state(planId)),
      abi.encode(IPlanRegistry.State(IPlanRegistry.Status.Active, START + PERIOD, 1, 2, 0, 0, 1, 0))
    );
    assertEq(usd.balanceOf(owner), FUNDS - AMOUNT);
  }

  /// PR-18: any verdict may be deferred, even GO: the executor may have its own reason.
  function testFuzz_KeepsWhatWasClaimed(uint8 verdict, bytes32 evidenceHash, uint16 reason) public {
    Verdict claimed = Verdict(bound(verdict, 0, 3));
    reason = uint16(bound(reason, 1, type(uint16).max));
    executor.defer(planId, reason, TestExecutor.Claim(claimed, evidenceHash));
    IPlanRegistry.Run memory record = _history(planId)[0];
    assertEq(uint8(record.verdict), uint8(claimed));
    assertEq(record.evidencePrefix, bytes19(evidenceHash));
    assertEq(record.reason, reason);
  }

  /// PR-18
  function test_RevertWhen_FourWereRecordedInTheSlot() public {
    _deferAlternately(4);
    vm.expectRevert(abi.encodeWithSelector(IPlanRegistry.DeferralsUsedUp.selector, 4));
    executor.defer(planId, 9, claim);
    assertEq(_history(planId).length, 4);
    _run(planId);
  }

  /// PR-18: an edit gives the executor no further deferrals of a slot.
  function test_RevertWhen_FourWereRecordedBeforeAnEdit() public {
    _deferAlternately(4);
    vm.prank(owner);
    registry.edit(planId, 1, 0, _terms());
    vm.expectRevert(abi.encodeWithSelector(IPlanRegistry.DeferralsUsedUp.selector, 4));
    executor.defer(planId, 9, claim);
    assertEq(_history(planId).length, 4);
  }

  /// PR-18
  function test_CountsAfreshInTheNextSlot() public {
    _deferAlternately(4);
    vm.warp(START + PERIOD);
    _deferAlternately(4);
    assertEq(_history(planId).length, 8);
    assertEq(_state(planId).cursor, START + PERIOD);
    assertEq(_state(planId).deferrals, 4);
  }

  /// PR-18: the earlier run ended its slot, and with it that slot's count and last reason.
  function test_CountsAfreshInTheSlotAfterARun() public {
    _deferAlternately(4);
    _run(planId);
    vm.warp(START + PERIOD);
    executor.defer(planId, 2, claim);
    assertEq(_state(planId).deferrals, 1);
    assertEq(_state(planId).cursor, START + PERIOD);
  }

  /// PR-18
  function testFuzz_RevertWhen_ReasonIsTheOneBefore(uint16 reason) public {
    reason = uint16(bound(reason, 1, type(uint16).max));
    executor.defer(planId, reason, claim);
    vm.expectRevert(abi.encodeWithSelector(IPlanRegistry.ReasonRepeated.selector, reason));
    executor.defer(planId, reason, claim);
    assertEq(_history(planId).length, 1);
  }

  /// PR-18
  function test_TheSameReasonMayComeInTheNextSlot() public {
    executor.defer(planId, 5, claim);
    vm.warp(START + PERIOD);
    executor.defer(planId, 5, claim);
    assertEq(_history(planId)[1].slotStart, START + PERIOD);
  }

  /// PR-18
  function test_RevertWhen_ReasonIsMissing() public {
    vm.expectRevert(IPlanRegistry.ReasonMissing.selector);
    executor.defer(planId, 0, claim);
    executor.defer(planId, 1, claim);
    vm.expectRevert(IPlanRegistry.ReasonMissing.selector);
    executor.defer(planId, 0, claim);
  }

  /// PR-18
  function testFuzz_RevertWhen_CallerIsNotTheExecutor(address caller) public {
    vm.assume(caller != address(executor));
    vm.expectRevert(abi.encodeWithSelector(IPlanRegistry.NotExecutor.selector, caller, executor));
    vm.prank(caller);
    registry.recordDeferral(planId, 1, 1, _unsigned(claim), "");
  }

  /// PR-18
  function test_RevertWhen_TheSlotHasRun() public {
    _run(planId);
    vm.expectRevert(abi.encodeWithSelector(IPlanRegistry.SlotUsed.selector, START, START + PERIOD));
    executor.defer(planId, 1, claim);
  }

  /// PR-18
  function test_RevertWhen_TheWindowHasClosed() public {
    vm.warp(START + WINDOW);
    vm.expectRevert(abi.encodeWithSelector(IPlanRegistry.SlotClosed.selector, START + WINDOW, START + WINDOW));
    executor.defer(planId, 1, claim);
  }

  /// PR-8, PR-18
  function test_RevertWhen_NotStarted() public {
    vm.warp(START - 1);
    vm.expectRevert(abi.encodeWithSelector(IPlanRegistry.PlanNotStarted.selector, START, START - 1));
    executor.defer(planId, 1, claim);
  }

  /// PR-8, PR-18
  function test_RevertWhen_Expired() public {
    vm.warp(START + 365 days);
    vm.expectRevert(abi.encodeWithSelector(IPlanRegistry.PlanExpired.selector, START + 365 days, START + 365 days));
    executor.defer(planId, 1, claim);
  }

  /// PR-8, PR-18
  function test_RevertWhen_NoRunIsLeft() public {
    IPlanRegistry.Terms memory terms = _terms();
    terms.maxRuns = 1;
    uint256 once = _create(terms);
    _run(once);
    vm.warp(START + PERIOD);
    vm.expectRevert(abi.encodeWithSelector(IPlanRegistry.RunsUsedUp.selector, 1, 1));
    executor.defer(once, 1, claim);
  }

  /// PR-8, PR-18
  function test_RevertWhen_Paused() public {
    vm.prank(owner);
    registry.pause(planId);
    vm.expectRevert(abi.encodeWithSelector(IPlanRegistry.PlanNotActive.selector, IPlanRegistry.Status.Paused));
    executor.defer(planId, 1, claim);
  }

  function test_RevertWhen_PlanIsUnknown() public {
    vm.expectRevert(abi.encodeWithSelector(IPlanRegistry.PlanUnknown.selector, planId + 1));
    executor.defer(planId + 1, 1, claim);
  }

  function _deferAlternately(uint256 times) private {
    for (uint256 i; i < times; ++i) {
      executor.defer(planId, uint16(1 + i % 2), claim);
    }
  }
}
