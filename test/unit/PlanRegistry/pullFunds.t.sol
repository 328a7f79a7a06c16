// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IERC20Errors} from "@openzeppelin/contracts/interfaces/draft-IERC6093.sol";

import {IPlanRegistry, Verdict} from "../../../contracts/interfaces/IPlanRegistry.sol";
import {PlanBase} from "../../base/PlanBase.sol";
import {ScriptedExecutor} from "../../mocks/ScriptedExecutor.sol";
import {TestExecutor} from "../../mocks/TestExecutor.sol";

/// Who may open a run, when, and what it takes. recordRun.t.sol tests an executor's later mistakes.
contract PlanRegistryPullFundsTest is PlanBase {
  uint256 private planId;

  function setUp() public override {
    super.setUp();
    planId = _create(_terms());
  }

  /// PR-11, PR-12, PR-17
  function test_TakesTheAmountDeliversAndRecords() public {
    vm.warp(START + 17);
    uint256 stock = coin.balanceOf(address(executor));
    vm.expectEmit(address(registry));
    emit IPlanRegistry.RunRecorded(planId, 0, AMOUNT, FLOOR, FLOOR, START, EVIDENCE);
    assertEq(_run(planId), FLOOR);

    assertEq(usd.balanceOf(owner), FUNDS - AMOUNT);
    assertEq(usd.balanceOf(address(executor)), AMOUNT);
    assertEq(coin.balanceOf(recipient), FLOOR);
    assertEq(coin.balanceOf(address(executor)), stock - FLOOR);
    assertEq(usd.balanceOf(address(registry)) + coin.balanceOf(address(registry)), 0);
    IPlanRegistry.Run[] memory history = _history(planId);
    assertEq(history.length, 1);
    assertEq(
      abi.encode(history[0]),
      abi.encode(
        IPlanRegistry.Run(
          START + 17,
          IPlanRegistry.Outcome.Executed,
          START,
          1,
          0,
          Verdict.GO,
          false,
          uint104(FLOOR),
          AMOUNT,
          uint104(FLOOR),
          bytes19(EVIDENCE)
        )
      )
    );
  }

  /// PR-5
  function test_MovesTheCursorToTheEndOfTheSlot() public {
    _run(planId);
    assertEq(
      abi.encode(_state(planId)),
      abi.encode(IPlanRegistry.State(IPlanRegistry.Status.Active, START + PERIOD, 1, 1, 0, 0, 1, 0))
    );
  }

  /// PR-10: the executor learns what it may have paid and what it owes, and gets its own data back.
  function test_TellsTheExecutorWhatItOwes() public {
    executor.run(planId, _go(), "route");
    assertEq(
      abi.encode(executor.opened()),
      abi.encode(IPlanRegistry.OpenRun(planId, address(usd), address(coin), AMOUNT, FLOOR))
    );
    assertEq(executor.handed(), "route");
  }

  /// PR-9
  function testFuzz_RevertWhen_CallerIsNotTheExecutor(address caller) public {
    vm.assume(caller != address(executor));
    vm.expectRevert(abi.encodeWithSelector(IPlanRegistry.NotExecutor.selector, caller, executor));
    vm.prank(caller);
    registry.pullFunds(planId, 1, _unsigned(_go()), "", "");
  }

  /// PR-9: any contract may be an executor, but only of plans that name it.
  function test_RevertWhen_CallerIsAnotherPlansExecutor() public {
    ScriptedExecutor other = _scripted();
    _planFor(other);
    _assertRefused(other, planId, abi.encodeWithSelector(IPlanRegistry.NotExecutor.selector, other, executor));
  }

  function test_RevertWhen_PlanIsUnknown() public {
    vm.expectRevert(abi.encodeWithSelector(IPlanRegistry.PlanUnknown.selector, 0));
    executor.run(0, _go(), "");
  }

  /// PR-9
  function test_RevertWhen_VerdictIsNotGo() public {
    for (uint8 verdict; verdict < uint8(Verdict.GO); ++verdict) {
      vm.expectRevert(abi.encodeWithSelector(IPlanRegistry.VerdictNotGo.selector, verdict));
      executor.run(planId, TestExecutor.Claim(Verdict(verdict), EVIDENCE), "");
    }
    assertEq(usd.balanceOf(owner), FUNDS);
  }

  /*//////////////////////////////////////////////////////////////
                                  WHEN
  //////////////////////////////////////////////////////////////*/

  /// PR-5, PR-6: on any grid, a run is possible exactly in the first `window` seconds of a slot.
  function testFuzz_RunsOnlyWithinAWindow(uint32 period, uint32 window, uint40 startAt, uint40 time) public {
    IPlanRegistry.Terms memory terms = _terms();
    terms.periodSeconds = period = uint32(bound(period, 60, 400 days));
    terms.windowSeconds = window = uint32(bound(window, 1, period));
    terms.startAt = startAt = uint40(bound(startAt, 0, START + 400 days));
    terms.expiresAt = type(uint40).max;
    uint256 id = _create(terms);
    time = uint40(bound(time, startAt, uint256(startAt) + 100 * uint256(period)));
    vm.warp(time);

    uint40 slot = (time - startAt) / period;
    uint40 slotStart = startAt + slot * period;
    if (time < slotStart + window) {
      _run(id);
      assertEq(_history(id)[0].slotStart, slotStart);
      assertEq(_history(id)[0].time, time);
      assertEq(_state(id).cursor, slotStart + period);
      _assertRefused(
        executor, id, abi.encodeWithSelector(IPlanRegistry.SlotUsed.selector, slotStart, slotStart + period)
      );
    } else {
      _assertRefused(executor, id, abi.encodeWithSelector(IPlanRegistry.SlotClosed.selector, slotStart + window, time));
    }
  }

  /// PR-5
  function test_RunsInTheFirstAndTheLastSecondOfTheWindow() public {
    _run(planId);
    vm.warp(START + PERIOD + WINDOW - 1);
    _run(planId);
    assertEq(_history(planId)[1].slotStart, START + PERIOD);
  }

  /// PR-5
  function test_RevertWhen_TheWindowHasClosed() public {
    vm.warp(START + WINDOW);
    _assertRefused(
      executor, planId, abi.encodeWithSelector(IPlanRegistry.SlotClosed.selector, START + WINDOW, START + WINDOW)
    );
  }

  /// PR-5
  function test_RevertWhen_TheSlotHasRun() public {
    _run(planId);
    vm.warp(START + WINDOW - 1);
    _assertRefused(executor, planId, abi.encodeWithSelector(IPlanRegistry.SlotUsed.selector, START, START + PERIOD));
  }

  /// PR-6: after a late run the next slot opens at its usual time, and missed slots do not return.
  function test_NeitherDriftsNorCatchesUp() public {
    vm.warp(START + WINDOW - 1);
    _run(planId);
    vm.warp(START + PERIOD);
    _run(planId);
    vm.warp(START + 5 * PERIOD);
    _run(planId);
    assertEq(_history(planId)[2].slotStart, START + 5 * PERIOD);
    _assertRefused(
      executor, planId, abi.encodeWithSelector(IPlanRegistry.SlotUsed.selector, START + 5 * PERIOD, START + 6 * PERIOD)
    );
    assertEq(usd.balanceOf(owner), FUNDS - 3 * AMOUNT);
  }

  /// PR-8
  function test_RevertWhen_NotStarted() public {
    vm.warp(START - 1);
    _assertRefused(executor, planId, abi.encodeWithSelector(IPlanRegistry.PlanNotStarted.selector, START, START - 1));
  }

  /// PR-8
  function test_RevertWhen_Expired() public {
    IPlanRegistry.Terms memory terms = _terms();
    terms.expiresAt = START + 10;
    uint256 id = _create(terms);
    vm.warp(START + 10);
    _assertRefused(executor, id, abi.encodeWithSelector(IPlanRegistry.PlanExpired.selector, START + 10, START + 10));
    vm.warp(START + 9);
    _run(id);
  }

  /// PR-8
  function test_RevertWhen_NoRunIsLeft() public {
    IPlanRegistry.Terms memory terms = _terms();
    terms.maxRuns = 2;
    uint256 id = _create(terms);
    _run(id);
    vm.warp(START + PERIOD);
    _run(id);
    vm.warp(START + 2 * PERIOD);
    _assertRefused(executor, id, abi.encodeWithSelector(IPlanRegistry.RunsUsedUp.selector, 2, 2));
  }

  /*//////////////////////////////////////////////////////////////
                                THE PULL
  //////////////////////////////////////////////////////////////*/

  /// PR-11
  function testFuzz_TakesExactlyTheAmount(uint104 amount) public {
    amount = uint104(bound(amount, 1, type(uint104).max));
    IPlanRegistry.Terms memory terms = _terms();
    (terms.amountPerRun, terms.priceSource, terms.maxSlippageBps) = (amount, address(0), 0);
    (terms.limitPriceWad, terms.farLimit) = (type(uint128).max, true);
    uint256 id = _create(terms);
    usd.mint(owner, amount);
    executor.setAmountOut(1_000e8); // More than the limit price requires for the largest amount.
    _run(id);
    assertEq(usd.balanceOf(owner), FUNDS);
    assertEq(usd.balanceOf(address(executor)), amount);
    assertEq(_history(id)[0].amountIn, amount);
  }

  /// PR-11
  function test_RevertWhen_TheOwnerHasWithdrawnTheAllowance() public {
    vm.prank(owner);
    usd.approve(address(registry), AMOUNT - 1);
    _assertRefused(
      executor,
      planId,
      abi.encodeWithSelector(IERC20Errors.ERC20InsufficientAllowance.selector, registry, AMOUNT - 1, AMOUNT)
    );
  }

  /// PR-11
  function test_RevertWhen_TheOwnerHasTooLittle() public {
    vm.prank(owner);
    usd.transfer(stranger, FUNDS - AMOUNT + 1);
    _assertRefused(
      executor,
      planId,
      abi.encodeWithSelector(IERC20Errors.ERC20InsufficientBalance.selector, owner, AMOUNT - 1, AMOUNT)
    );
  }

  /// PR-14
  function test_RevertWhen_TheExecutorKeepsEverything() public {
    ScriptedExecutor scripted = _scripted();
    uint256 id = _planFor(scripted);
    scripted.keepEverything();
    _assertRefused(scripted, id, abi.encodeWithSelector(IPlanRegistry.RunNotRecorded.selector, id));
  }

  /// PR-14, PR-15: a run leaves nothing behind for the next one in the same transaction (a whole test is one).
  function test_TheNextRunStartsClean() public {
    ScriptedExecutor thief = _scripted();
    uint256 theirs = _planFor(thief);
    thief.keepEverything();
    _run(planId);
    _assertRefused(thief, theirs, abi.encodeWithSelector(IPlanRegistry.RunNotRecorded.selector, theirs));
    vm.warp(START + PERIOD);
    _run(planId);
    assertEq(_history(planId).length, 2);
  }
}
