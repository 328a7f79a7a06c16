// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IPlanRegistry, Verdict} from "../../contracts/interfaces/IPlanRegistry.sol";
import {PlanBase} from "../base/PlanBase.sol";
import {PlanHandler} from "./PlanHandler.sol";

/// PlanRegistry's invariants under any sequence of actions by an owner, a market and an attacker with every key of the
/// agent.
contract PlanInvariants is PlanBase {
  PlanHandler private handler;
  uint256 private fundsIn;
  uint256 private stockOut;

  function setUp() public override {
    super.setUp();
    usd.mint(owner, 1e27);
    coin.mint(address(executor), 1e20);
    fundsIn = usd.balanceOf(owner);
    stockOut = coin.balanceOf(address(executor));
    (, uint256 signerKey) = makeAddrAndKey("verdict signer");
    (, uint256 ownerKey) = makeAddrAndKey("owner");
    handler = new PlanHandler(registry, executor, usd, coin, source, owner, recipient, signerKey, ownerKey);
    for (uint256 seed; seed < 3; ++seed) {
      handler.create(seed);
    }
    targetContract(address(handler));
    // The attacker acts more often than the owner changes things.
    bytes4[] memory selectors = new bytes4[](4);
    selectors[0] = selectors[1] = PlanHandler.run.selector;
    selectors[2] = PlanHandler.pass.selector;
    selectors[3] = PlanHandler.run.selector;
    targetSelector(FuzzSelector(address(handler), selectors));
    bytes4[] memory others = new bytes4[](12);
    others[0] = PlanHandler.create.selector;
    others[1] = PlanHandler.edit.selector;
    others[2] = PlanHandler.pause.selector;
    others[3] = PlanHandler.resume.selector;
    others[4] = PlanHandler.cancel.selector;
    others[5] = PlanHandler.revokeAll.selector;
    others[6] = PlanHandler.defer.selector;
    others[7] = PlanHandler.move.selector;
    others[8] = PlanHandler.createSigned.selector;
    others[9] = PlanHandler.deferOn.selector;
    others[10] = PlanHandler.forge.selector;
    others[11] = PlanHandler.intrude.selector;
    targetSelector(FuzzSelector(address(handler), others));
  }

  /// After every tenth call: everything visible without reading every record again.
  function invariant_All() public view {
    _theAttackerTakesNothingBeyondTheSlippage();
    _balancesAre(handler.amountIn(), handler.amountOut());
    _nothingRunsThatMustNot();
    _attestedIsWhatWasSigned();
    _plansAreTheOwnersOwn();
    _stopButtonsNeverFail();
    _theCursorOnlyGrows();
    _newestRecordKeepsToItsTerms(handler.touched());
  }

  /// After the last call of a sequence: everything, from the records themselves.
  function afterInvariant() public view {
    invariant_All();
    _balancesAreWhatIsRecorded();
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
  }

  /// IN-1: an attacker with every agent key takes nothing beyond the stated slippage. At the prices of each run's own
  /// moment, the owner has received at least the payment less the slippage that the plan permits, in each run and in
  /// total; and no run has paid more than its limit price.
  function _theAttackerTakesNothingBeyondTheSlippage() private view {
    assertGe(handler.receivedUsd(), handler.minUsd());
    assertEq(handler.ranTooDear(), 0);
  }

  /// IN-2: the owner has paid and the recipient has received exactly what the records say, and nothing is stuck.
  function _balancesAreWhatIsRecorded() private view {
    (uint256 amountIn, uint256 amountOut) = (0, 0);
    for (uint256 planId = 1; planId <= registry.planCount(); ++planId) {
      IPlanRegistry.Run[] memory runs = _history(planId);
      for (uint256 i; i < runs.length; ++i) {
        amountIn += runs[i].amountIn;
        amountOut += runs[i].amountOut;
      }
    }
    _balancesAre(amountIn, amountOut);
  }

  function _balancesAre(uint256 amountIn, uint256 amountOut) private view {
    assertEq(usd.balanceOf(owner), fundsIn - amountIn);
    assertEq(usd.balanceOf(address(executor)), amountIn);
    assertEq(coin.balanceOf(recipient), amountOut);
    assertEq(coin.balanceOf(address(executor)), stockOut - amountOut);
    assertEq(usd.balanceOf(address(registry)) + coin.balanceOf(address(registry)), 0);
  }

  /// IN-3: no plan runs while paused, cancelled or revoked, on a verdict other than GO, without a required signature,
  /// or beyond what was signed.
  function _nothingRunsThatMustNot() private view {
    assertEq(handler.ranWhenStopped(), 0);
    assertEq(handler.ranAgainstItsVerdict(), 0);
    assertEq(handler.ranUnsigned(), 0);
    assertEq(handler.ranBeyondItsTicket(), 0);
  }

  /// IN-31: a record is attested only if the plan's signer signed it, for its tokens and its time.
  function _attestedIsWhatWasSigned() private view {
    assertEq(handler.attestedFalsely(), 0);
  }

  /// IN-32: nobody else creates or changes the owner's plans, and each of the owner's signatures creates exactly what
  /// it covers, once.
  function _plansAreTheOwnersOwn() private view {
    assertEq(handler.madeByOthers(), 0);
  }

  /// IN-4: stop functions never fail.
  function _stopButtonsNeverFail() private view {
    assertEq(handler.stopFailed(), 0);
  }

  /// IN-5: the cursor never decreases.
  function _theCursorOnlyGrows() private view {
    assertEq(handler.cursorFell(), 0);
  }

  /// IN-6: a cancelled or revoked plan has not run since.
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

  /// IN-7: every record agrees with the terms of its version.
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

  /// IN-8: counters match the records; no more runs than the current terms permit, and no more money than all terms
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

  /// IN-9: no slot runs twice, and the starts of two slots that ran are at least the earlier run's period apart.
  function _noSlotRunsTwice(uint256 planId, IPlanRegistry.Run[] memory runs) private view {
    uint256 earliest;
    for (uint256 i; i < runs.length; ++i) {
      if (runs[i].outcome != IPlanRegistry.Outcome.Executed) continue;
      assertGe(runs[i].slotStart, earliest);
      earliest = uint256(runs[i].slotStart) + registry.termsOf(planId, runs[i].version).periodSeconds;
    }
  }

  /// IN-10: at most four deferrals in a slot, and none repeats the reason before it.
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

  /// IN-11: terms never change once signed.
  function _termsNeverChange(uint256 planId) private view {
    assertEq(keccak256(abi.encode(registry.termsOf(planId, 1))), handler.firstTerms(planId));
  }

  /// A campaign in which nothing runs would prove nothing: the handler's own actions do run, defer and edit plans.
  function test_TheHandlerReachesWhatItIsAbout() public {
    for (uint256 i; i < 200; ++i) {
      handler.pass(uint256(keccak256(abi.encode(i))));
      handler.run(i, uint256(keccak256(abi.encode(i, 1))), uint256(keccak256(abi.encode(i, 2))));
      handler.defer(i, uint16(i));
      handler.deferOn(i, uint256(keccak256(abi.encode(i, 3))));
      handler.createSigned(i);
      handler.forge(i);
      handler.intrude(i, i);
      handler.edit(i * 4, i);
    }
    assertGt(handler.runsDone(), 20);
    assertGt(handler.deferralsDone(), 20);
    assertGt(handler.editsDone(), 20);
    assertGt(handler.signedDone(), 2);
    assertGt(handler.attestedDone(), 1);
    invariant_All();
  }
}
