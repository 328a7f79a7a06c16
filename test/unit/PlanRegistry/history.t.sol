// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Vm} from "forge-std/Vm.sol";

import {IPlanRegistry, Verdict} from "../../../contracts/interfaces/IPlanRegistry.sol";
import {IRevocations} from "../../../contracts/interfaces/IRevocations.sol";
import {PlanBase} from "../../base/PlanBase.sol";
import {TestExecutor} from "../../mocks/TestExecutor.sol";

/// Rebuilds plans, all versions of their terms and their records from logs and the times of their blocks, without a call,
/// and compares the result with the views.
contract PlanRegistryHistoryTest is PlanBase {
  mapping(uint256 planId => IPlanRegistry.Plan) private _plans;
  mapping(uint256 planId => mapping(uint256 version => IPlanRegistry.Terms)) private _versions;
  mapping(uint256 planId => IPlanRegistry.Run[]) private _records;
  mapping(address owner => uint64) private _epochOf;
  uint256 private _count;

  function setUp() public override {
    super.setUp();
    vm.recordLogs();
  }

  /// PR-33: a plan with a signer and one without, of two owners, over three days: runs, deferrals with a verdict, without
  /// one and with one that nobody signed, edits, a pause, a cancellation and revocations.
  function test_History_isInTheEvents() public {
    vm.prank(owner);
    revocations.revokeAll();
    uint256 plain = _create(_terms());
    IPlanRegistry.Terms memory terms = _terms();
    terms.verdictSigner = signer;
    uint256 signed = _create(terms);
    (terms.owner, terms.maxSlippageBps) = (stranger, 200);
    uint256 other = _create(terms);
    _replay();

    uint256[3] memory slots = [uint256(0), 1, 4];
    for (uint256 day; day < 3; ++day) {
      vm.warp(START + slots[day] * PERIOD);
      executor.defer(plain, 7, TestExecutor.Claim(Verdict.CAUTION, keccak256(abi.encode(day))));
      _defer(signed, 8, _sign(_ticket(Verdict.NO_GO)));
      _defer(signed, 9, "");
      _replay();
      skip(10 minutes);
      // A signature for a plan without a signer attests nothing.
      _defer(plain, 8, hex"01");
      _defer(other, 8, _sign(_ticket(Verdict.NO_GO)));
      if (day != 1) _run(plain);
      executor.runOn(signed, _state(signed).version, _ticket(Verdict.GO), _sign(_ticket(Verdict.GO)));
      _replay();
      if (day == 0) {
        // Without a signer from here on.
        terms = _terms();
        terms.windowSeconds = 2 * WINDOW;
        vm.prank(owner);
        registry.edit(signed, 1, 1, terms);
        terms = _terms();
        (terms.amountPerRun, terms.limitPriceWad) = (AMOUNT / 2, 7e32);
        vm.prank(owner);
        registry.edit(plain, 1, 1, terms);
      }
      if (day == 1) {
        vm.startPrank(owner);
        registry.pause(signed);
        registry.resume(signed, 2, 2);
        registry.pause(plain);
        vm.stopPrank();
        _replay();
        vm.prank(owner);
        registry.resume(plain, 2, 1);
      }
      _replay();
    }
    vm.prank(owner);
    registry.cancel(plain);
    vm.prank(stranger);
    revocations.revokeAll();
    _replay();

    assertEq(_count, 3);
    assertTrue(_plans[other].isRevoked && !_plans[signed].isRevoked);
    for (uint256 i; i < 9; ++i) {
      assertEq(_records[signed][i].isAttested, i == 0 || i == 2);
    }
  }

  /// Takes in the logs of this block, and compares every plan.
  function _replay() private {
    Vm.Log[] memory logs = vm.getRecordedLogs();
    for (uint256 i; i < logs.length; ++i) {
      if (logs[i].emitter == address(registry)) _take(logs[i]);
      if (logs[i].emitter == address(revocations)) {
        _epochOf[address(uint160(uint256(logs[i].topics[1])))] = uint64(abi.decode(logs[i].data, (uint256)));
      }
    }
    assertEq(registry.planCount(), _count);
    for (uint256 planId = 1; planId <= _count; ++planId) {
      IPlanRegistry.Plan storage rebuilt = _plans[planId];
      rebuilt.isRevoked = rebuilt.state.epoch != _epochOf[rebuilt.terms.owner];
      assertEq(abi.encode(rebuilt), abi.encode(registry.plan(planId)));
      assertEq(abi.encode(_records[planId]), abi.encode(_history(planId)));
      for (uint256 version = 1; version <= rebuilt.state.version; ++version) {
        assertEq(abi.encode(_versions[planId][version]), abi.encode(registry.termsOf(planId, version)));
      }
    }
  }

  function _take(Vm.Log memory log) private {
    bytes32 kind = log.topics[0];
    uint256 planId = uint256(log.topics[1]);
    IPlanRegistry.State storage state = _plans[planId].state;
    if (kind == IPlanRegistry.PlanCreated.selector) {
      (uint64 epoch, IPlanRegistry.Terms memory terms) = abi.decode(log.data, (uint64, IPlanRegistry.Terms));
      _plans[planId].terms = _versions[planId][1] = terms;
      (state.status, state.version, state.epoch) = (IPlanRegistry.Status.Active, 1, epoch);
      ++_count;
    } else if (kind == IPlanRegistry.PlanEdited.selector) {
      (uint256 version, IPlanRegistry.Terms memory terms) = abi.decode(log.data, (uint256, IPlanRegistry.Terms));
      _plans[planId].terms = _versions[planId][version] = terms;
      state.version = uint16(version);
    } else if (kind == IPlanRegistry.PlanPaused.selector) {
      state.status = IPlanRegistry.Status.Paused;
    } else if (kind == IPlanRegistry.PlanResumed.selector) {
      state.status = IPlanRegistry.Status.Active;
    } else if (kind == IPlanRegistry.PlanCancelled.selector) {
      state.status = IPlanRegistry.Status.Cancelled;
    } else if (kind == IPlanRegistry.RunRecorded.selector) {
      _takeRun(planId, uint256(log.topics[2]), log.data);
    } else if (kind == IPlanRegistry.DeferralRecorded.selector) {
      _takeDeferral(planId, uint256(log.topics[2]), log.data);
    }
  }

  function _takeRun(uint256 planId, uint256 record, bytes memory data) private {
    IPlanRegistry.Plan storage entry = _plans[planId];
    (uint256 amountIn, uint256 amountOut, uint256 floor, uint256 slotStart, bytes32 evidenceHash) =
      abi.decode(data, (uint256, uint256, uint256, uint256, bytes32));
    assertEq(record, _records[planId].length);
    IPlanRegistry.Run memory run;
    (run.time, run.outcome, run.verdict) = (uint40(block.timestamp), IPlanRegistry.Outcome.Executed, Verdict.GO);
    (run.slotStart, run.version, run.evidencePrefix) = (uint40(slotStart), entry.state.version, bytes19(evidenceHash));
    (run.floor, run.amountIn, run.amountOut) = (uint104(floor), uint104(amountIn), uint104(amountOut));
    run.isAttested = entry.terms.verdictSigner != address(0);
    _records[planId].push(run);
    entry.state.cursor = run.slotStart + entry.terms.periodSeconds;
    (entry.state.deferrals, entry.state.lastReason) = (0, 0);
    ++entry.state.runs;
    ++entry.state.records;
  }

  function _takeDeferral(uint256 planId, uint256 record, bytes memory data) private {
    IPlanRegistry.State storage state = _plans[planId].state;
    (uint16 reason, Verdict verdict, bytes32 evidenceHash, uint256 slotStart, bool isAttested) =
      abi.decode(data, (uint16, Verdict, bytes32, uint256, bool));
    assertEq(record, _records[planId].length);
    IPlanRegistry.Run memory run;
    (run.time, run.outcome, run.reason) = (uint40(block.timestamp), IPlanRegistry.Outcome.Deferred, reason);
    (run.slotStart, run.version, run.evidencePrefix) = (uint40(slotStart), state.version, bytes19(evidenceHash));
    (run.verdict, run.isAttested) = (verdict, isAttested);
    _records[planId].push(run);
    if (slotStart > state.cursor) (state.cursor, state.deferrals) = (uint40(slotStart), 0);
    state.lastReason = reason;
    ++state.deferrals;
    ++state.records;
  }

  function _defer(uint256 planId, uint16 reason, bytes memory signature) private {
    executor.deferOn(planId, _state(planId).version, reason, _ticket(Verdict.NO_GO), signature);
  }

  function _ticket(Verdict verdict) private view returns (IPlanRegistry.Ticket memory ticket) {
    ticket = _ticketAtFloor();
    (ticket.verdict, ticket.evidenceHash) = (verdict, keccak256(abi.encode(verdict, block.timestamp)));
  }
}
