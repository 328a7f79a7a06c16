// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IPlanRegistry} from "../../../contracts/interfaces/IPlanRegistry.sol";
import {PlanBase} from "../../base/PlanBase.sol";
import {MockERC20} from "../../mocks/MockERC20.sol";

contract PlanRegistryEditTest is PlanBase {
  uint256 private planId;

  function setUp() public override {
    super.setUp();
    planId = _create(_terms());
  }

  function _edit(uint256 version, uint256 runs, IPlanRegistry.Terms memory terms) private {
    vm.prank(owner);
    registry.edit(planId, version, runs, terms);
  }

  /// PR-28: earlier terms stay readable, and runs name their version.
  function test_AddsAVersion() public {
    _run(planId);
    IPlanRegistry.Terms memory terms = _terms();
    terms.amountPerRun = AMOUNT * 2;
    vm.expectEmit(address(registry));
    emit IPlanRegistry.PlanEdited(planId, 2, terms);
    _edit(1, 1, terms);

    assertEq(registry.plan(planId).terms.amountPerRun, AMOUNT * 2);
    assertEq(registry.termsOf(planId, 1).amountPerRun, AMOUNT);
    vm.expectRevert(abi.encodeWithSelector(IPlanRegistry.PlanUnknown.selector, planId));
    registry.termsOf(planId, 3);

    vm.warp(START + PERIOD);
    executor.setAmountOut(FLOOR * 2);
    _run(planId);
    assertEq(_history(planId)[0].version, 1);
    assertEq(_history(planId)[1].version, 2);
    assertEq(_history(planId)[1].amountIn, AMOUNT * 2);
  }

  /// PR-17, PR-28: amount and slot of a record are those of the terms it ran by.
  function test_EarlierRecordsKeepTheirAmountAndSlot() public {
    vm.warp(START + 61);
    _run(planId);
    IPlanRegistry.Terms memory terms = _terms();
    (terms.amountPerRun, terms.startAt, terms.periodSeconds) = (AMOUNT * 2, START - 30 minutes, PERIOD * 2);
    _edit(1, 1, terms);
    vm.warp(uint256(START) - 30 minutes + PERIOD * 2 + 7);
    executor.setAmountOut(FLOOR * 2);
    _run(planId);

    IPlanRegistry.Run[] memory history = _history(planId);
    assertEq(history[0].slotStart, START);
    assertEq(history[0].amountIn, AMOUNT);
    assertEq(history[1].slotStart, START - 30 minutes + PERIOD * 2);
    assertEq(history[1].amountIn, AMOUNT * 2);
    assertEq(abi.encode(registry.runs(planId, 1, 2)[0]), abi.encode(history[1]));
  }

  /// PR-28: an executor with other terms in mind cannot run.
  function test_RevertWhen_TheExecutorExpectsAnotherVersion() public {
    IPlanRegistry.Ticket memory ticket = _unsigned(_go());
    _edit(1, 0, _terms());
    vm.expectRevert(abi.encodeWithSelector(IPlanRegistry.VersionChanged.selector, 1, 2));
    executor.runOn(planId, 1, ticket, "");
    executor.runOn(planId, 2, ticket, "");
  }

  /// PR-28: a used slot stays used, whatever the new grid.
  function testFuzz_NoSlotRunsTwice(uint32 period, uint40 shift) public {
    _run(planId);
    IPlanRegistry.Terms memory terms = _terms();
    terms.periodSeconds = uint32(bound(period, 60, PERIOD));
    terms.windowSeconds = terms.periodSeconds;
    terms.startAt = START - uint40(bound(shift, 0, PERIOD));
    _edit(1, 1, terms);
    // Any time within the day that has been paid for.
    vm.warp(bound(uint256(shift) * 7, START, START + PERIOD - 1));
    vm.expectPartialRevert(IPlanRegistry.SlotUsed.selector);
    _run(planId);
  }

  /// PR-28
  function test_RevertWhen_TheOwnerHasSeenOtherThings() public {
    _run(planId);
    vm.expectRevert(abi.encodeWithSelector(IPlanRegistry.VersionChanged.selector, 2, 1));
    _edit(2, 1, _terms());
    vm.expectRevert(abi.encodeWithSelector(IPlanRegistry.RunsChanged.selector, 0, 1));
    _edit(1, 0, _terms());
  }

  /// PR-28
  function test_RevertWhen_NotTheOwners() public {
    vm.expectRevert(abi.encodeWithSelector(IPlanRegistry.NotOwner.selector, stranger, owner));
    vm.prank(stranger);
    registry.edit(planId, 1, 0, _terms());
    IPlanRegistry.Terms memory terms = _terms();
    terms.owner = stranger;
    vm.expectRevert(abi.encodeWithSelector(IPlanRegistry.OwnerDiffers.selector, stranger, owner));
    _edit(1, 0, terms);
  }

  /// PR-28: what creation refuses, an edit refuses.
  function test_RevertWhen_TheTermsAreUnsound() public {
    IPlanRegistry.Terms memory terms = _terms();
    terms.maxSlippageBps = 1_001;
    vm.expectRevert(abi.encodeWithSelector(IPlanRegistry.SlippageRefused.selector, 1_001, 1_000));
    _edit(1, 0, terms);
  }

  /// PR-28: a cancelled plan stays cancelled; a paused plan stays paused.
  function test_RevertWhen_Cancelled() public {
    vm.prank(owner);
    registry.pause(planId);
    _edit(1, 0, _terms());
    assertEq(uint8(_state(planId).status), uint8(IPlanRegistry.Status.Paused));
    vm.expectRevert(abi.encodeWithSelector(IPlanRegistry.VersionChanged.selector, 1, 2));
    vm.prank(owner);
    registry.resume(planId, 1, 0);
    vm.prank(owner);
    registry.cancel(planId);
    vm.expectRevert(abi.encodeWithSelector(IPlanRegistry.PlanCancelledForGood.selector));
    _edit(2, 0, _terms());
  }

  /// PR-28: a finished plan stays finished, and the executor cannot change.
  function test_RevertWhen_ThePlanIsOverOrAnothers() public {
    IPlanRegistry.Terms memory terms = _terms();
    terms.executor = address(_scripted());
    vm.expectRevert(abi.encodeWithSelector(IPlanRegistry.ExecutorRefused.selector, terms.executor));
    _edit(1, 0, terms);

    terms = _terms();
    terms.tokenOut = address(new MockERC20("OTHER", 18));
    vm.expectRevert(abi.encodeWithSelector(IPlanRegistry.TokensRefused.selector, usd, terms.tokenOut));
    _edit(1, 0, terms);

    terms = _terms();
    terms.tokenIn = address(new MockERC20("OTHER", 18));
    vm.expectRevert(abi.encodeWithSelector(IPlanRegistry.TokensRefused.selector, terms.tokenIn, coin));
    _edit(1, 0, terms);

    terms = _terms();
    terms.maxRuns = 1;
    _edit(1, 0, terms);
    _run(planId);
    vm.expectRevert(abi.encodeWithSelector(IPlanRegistry.RunsUsedUp.selector, 1, 1));
    _edit(2, 1, _terms());

    uint256 other = _create(_terms());
    vm.warp(START + 365 days);
    vm.expectRevert(abi.encodeWithSelector(IPlanRegistry.PlanExpired.selector, START + 365 days, block.timestamp));
    vm.prank(owner);
    registry.edit(other, 1, 0, _terms());
  }

  /// RV-1: what its owner has revoked stays revoked, whatever its terms become.
  function test_RevertWhen_ThePlanIsRevoked() public {
    vm.prank(owner);
    revocations.revokeAll();
    vm.expectRevert(abi.encodeWithSelector(IPlanRegistry.PlanRevoked.selector, 0));
    _edit(1, 0, _terms());
  }

  /// PR-28: an edit that would end the plan is a mistake: `cancel` does that.
  function test_RevertWhen_NoRunWouldBeLeft() public {
    _run(planId);
    IPlanRegistry.Terms memory terms = _terms();
    terms.maxRuns = 1;
    vm.expectRevert(abi.encodeWithSelector(IPlanRegistry.RunsUsedUp.selector, 1, 1));
    _edit(1, 1, terms);
  }

  /// PR-2: tokens delivered to Revocations could not be recovered.
  function test_RevertWhen_TheRecipientIsTheRevocations() public {
    IPlanRegistry.Terms memory terms = _terms();
    terms.recipient = address(revocations);
    vm.expectRevert(abi.encodeWithSelector(IPlanRegistry.RecipientRefused.selector, terms.recipient));
    _edit(1, 0, terms);
  }
}
