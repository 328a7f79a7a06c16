// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IPlanRegistry, Verdict} from "../../contracts/interfaces/IPlanRegistry.sol";
import {PlanBase} from "../base/PlanBase.sol";
import {Tally} from "./Tally.sol";
import {Owners} from "./plans/Owners.sol";
import {PlanHandler} from "./plans/PlanHandler.sol";
import {Runs} from "./plans/Runs.sol";

/// PlanRegistry's invariants under any sequence of actions by owners, a market and an attacker with every key of the
/// agent.
contract PlanInvariants is PlanBase, Tally {
  PlanHandler private handler;

  function setUp() public override {
    super.setUp();
    handler = new PlanHandler(registry, source);
    for (uint256 seed; seed < 6; ++seed) {
      handler.create(seed);
    }
    targetContract(address(handler));
    // The attacker acts more often than the owners change things.
    bytes4[] memory selectors = new bytes4[](4);
    selectors[0] = selectors[1] = selectors[2] = selectors[3] = Runs.run.selector;
    targetSelector(FuzzSelector(address(handler), selectors));
    bytes4[] memory others = new bytes4[](13);
    others[0] = Owners.create.selector;
    others[1] = Owners.createSigned.selector;
    others[2] = Owners.edit.selector;
    others[3] = Owners.stop.selector;
    others[4] = Owners.pass.selector;
    others[5] = Owners.move.selector;
    others[6] = Owners.turn.selector;
    others[7] = Runs.reorder.selector;
    others[8] = others[12] = Runs.deferOn.selector;
    others[9] = Runs.defer.selector;
    others[10] = PlanHandler.forge.selector;
    others[11] = PlanHandler.intrude.selector;
    targetSelector(FuzzSelector(address(handler), others));
  }

  /// After every tenth call. The handler, which knows the state before, checks IN-1, IN-2, PR-24, PR-20, PR-5, PR-35, PR-1, IN-33, IN-34, PR-36, IN-36.
  function invariant_All() public view {
    assertEq(handler.broken(), "");
    assertGe(handler.receivedUsd(), handler.minUsd(), "IN-1");
    _newestRecordKeepsToItsTerms(handler.touched());
  }

  /// After the last call of a sequence: everything, from the records themselves.
  function afterInvariant() public {
    invariant_All();
    _everybodyHoldsWhatWasMoved();
    for (uint256 planId = 1; planId <= registry.planCount(); ++planId) {
      _whatHasEndedHasEnded(planId);
      IPlanRegistry.Run[] memory runs = _history(planId);
      for (uint256 i; i < runs.length; ++i) {
        _keepsToItsTerms(planId, runs[i]);
      }
      _countersAreWhatIsRecorded(planId, runs);
      _noSlotRunsTwice(planId, runs);
      _deferralsAreBounded(runs);
      _termsNeverChange(planId);
    }
    _tally("plans", handler);
    _requireDone(handler, "run", 20, 25);
    _requireDone(handler, "attested deferral", 2, 0);
  }

  /// IN-2: every account holds of every token what the payments, deliveries and gifts have left it.
  function _everybodyHoldsWhatWasMoved() private view {
    (uint256 tokens, uint256 accounts) = handler.tokensCount();
    for (uint256 i; i < tokens; ++i) {
      for (uint256 j; j < accounts; ++j) {
        address account = handler.accounts(j);
        assertEq(handler.tokens(i).balanceOf(account), handler.ledger(address(handler.tokens(i)), account), "IN-2");
      }
    }
  }

  /// PR-20: a cancelled or revoked plan has not run since.
  function _whatHasEndedHasEnded(uint256 planId) private view {
    IPlanRegistry.Plan memory plan = registry.plan(planId);
    if (handler.wasCancelled(planId)) assertEq(uint8(plan.state.status), uint8(IPlanRegistry.Status.Cancelled));
    if (handler.wasRevoked(planId)) assertTrue(plan.isRevoked);
    if (handler.wasCancelled(planId) || handler.wasRevoked(planId)) {
      assertEq(plan.state.runs, handler.runsWhenEnded(planId));
    }
  }

  function _newestRecordKeepsToItsTerms(uint256 planId) private view {
    if (planId == 0) return;
    uint256 records = _state(planId).records;
    if (records != 0) _keepsToItsTerms(planId, registry.runs(planId, records - 1, records)[0]);
  }

  /// PR-17: every record agrees with the terms of its version.
  function _keepsToItsTerms(uint256 planId, IPlanRegistry.Run memory run) private view {
    IPlanRegistry.Terms memory terms = registry.termsOf(planId, run.version);
    assertEq((run.slotStart - terms.startAt) % terms.periodSeconds, 0, "not a slot");
    assertGe(run.time, run.slotStart);
    assertLt(run.time, uint256(run.slotStart) + terms.windowSeconds);
    assertLt(run.time, terms.expiresAt);
    if (run.outcome == IPlanRegistry.Outcome.Executed) {
      assertEq(run.amountIn, terms.amountPerRun);
      assertGe(run.amountOut, run.floor);
      assertGt(run.floor, 0);
      assertEq(uint8(run.verdict), uint8(Verdict.GO));
      assertEq(run.isAttested, terms.verdictSigner != address(0));
    } else {
      assertEq(uint256(run.amountIn) + run.amountOut + run.floor, 0);
      assertGt(run.reason, 0);
    }
  }

  /// PR-17: counters match the records; no more runs than the current terms permit, and no more money than all terms
  /// together.
  function _countersAreWhatIsRecorded(uint256 planId, IPlanRegistry.Run[] memory runs) private view {
    IPlanRegistry.Plan memory plan = registry.plan(planId);
    assertEq(runs.length, plan.state.records);
    (uint256 executed, uint256 paid) = (0, 0);
    for (uint256 i; i < runs.length; ++i) {
      if (runs[i].outcome != IPlanRegistry.Outcome.Executed) continue;
      ++executed;
      paid += runs[i].amountIn;
    }
    assertEq(executed, plan.state.runs);
    assertLe(executed, plan.terms.maxRuns);
    assertLe(paid, handler.maxPaid(planId));
  }

  /// PR-5: no slot runs twice, and the starts of two slots that ran are at least the earlier run's period apart.
  function _noSlotRunsTwice(uint256 planId, IPlanRegistry.Run[] memory runs) private view {
    uint256 earliest;
    for (uint256 i; i < runs.length; ++i) {
      if (runs[i].outcome != IPlanRegistry.Outcome.Executed) continue;
      assertGe(runs[i].slotStart, earliest);
      earliest = uint256(runs[i].slotStart) + registry.termsOf(planId, runs[i].version).periodSeconds;
    }
  }

  /// PR-18: at most four deferrals in a slot, and none repeats the reason before it.
  function _deferralsAreBounded(IPlanRegistry.Run[] memory runs) private view {
    (uint256 inSlot, uint256 slot, uint256 last) = (0, 0, 0);
    for (uint256 i; i < runs.length; ++i) {
      if (runs[i].outcome == IPlanRegistry.Outcome.Executed) {
        (inSlot, slot, last) = (0, 0, 0);
        continue;
      }
      if (runs[i].slotStart != slot) (inSlot, slot, last) = (0, runs[i].slotStart, 0);
      assertLe(++inSlot, registry.MAX_DEFERRALS_PER_SLOT());
      assertTrue(runs[i].reason != last, "a deferral repeats the one before");
      last = runs[i].reason;
    }
  }

  /// PR-33: terms never change once signed.
  function _termsNeverChange(uint256 planId) private view {
    assertEq(keccak256(abi.encode(registry.termsOf(planId, 1))), handler.firstTerms(planId));
  }
}
