// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IPlanRegistry} from "../../../contracts/interfaces/IPlanRegistry.sol";
import {PlanBase} from "../../base/PlanBase.sol";

/// PR-5, PR-6, PR-8, PR-17, PR-18, PR-20, PR-28 together: random histories of runs, deferrals, pauses and resumes at random
/// times, against a model without a cursor. The model keeps, per slot number, whether the slot has run and the reasons
/// of its deferrals. The registry must allow the same steps, refuse the others for the same reason and write the same
/// history.
contract PlanRegistrySequencesTest is PlanBase {
  uint256 private constant STEPS = 48;

  IPlanRegistry.Terms private terms;
  uint256 private planId;

  IPlanRegistry.Status private status = IPlanRegistry.Status.Active;
  uint256 private runs;
  mapping(uint256 slot => bool) private hasRun;
  mapping(uint256 slot => uint16[]) private reasons;
  /// Slot, reason (0 for a run) and time of every record.
  uint256[3][] private history;

  function testFuzz_AgreesWithTheModel(uint256 seed, uint32 period, uint32 window, uint32 maxRuns) public {
    terms = _terms();
    terms.periodSeconds = uint32(bound(period, 60, 30 days));
    terms.windowSeconds = uint32(bound(window, 1, terms.periodSeconds));
    terms.maxRuns = uint32(bound(maxRuns, 1, 20));
    terms.startAt = START + uint40(seed % terms.periodSeconds);
    terms.expiresAt = terms.startAt + 30 * uint40(terms.periodSeconds);
    planId = _create(terms);

    uint256 time = START;
    for (uint256 step; step < STEPS; ++step) {
      seed = uint256(keccak256(abi.encode(seed)));
      // Half of the steps are short, so that slots see several; the others move on.
      time += (seed >> 8) % (seed & 1 == 0 ? terms.windowSeconds / 3 + 1 : terms.periodSeconds * uint256(3) / 2);
      vm.warp(time);
      uint40 cursor = _state(planId).cursor;
      _step((seed >> 64) % 64, seed >> 128);
      _assertAgrees(cursor);
    }
    _assertSameHistory();
  }

  function _step(uint256 choice, uint256 seed) private {
    if (choice < 22) _stepRun();
    else if (choice < 48) _stepDefer(uint16(seed % 4));
    else if (choice < 54) _stepPause();
    else if (choice < 63) _stepResume(seed % 8 == 0 ? runs + 1 : runs);
    else _stepCancel();
  }

  function _stepRun() private {
    bytes4 refusal = _whyNot();
    _assertReply(address(executor), abi.encodeCall(executor.run, (planId, _go(), "")), refusal);
    if (refusal != 0) return;
    hasRun[_slot()] = true;
    history.push([_slot(), 0, block.timestamp]);
    ++runs;
  }

  function _stepDefer(uint16 reason) private {
    bytes4 refusal = _whyNot();
    uint16[] storage given = reasons[_slot()];
    if (refusal == 0) {
      if (reason == 0) refusal = IPlanRegistry.ReasonMissing.selector;
      else if (given.length != 0 && given[given.length - 1] == reason) refusal = IPlanRegistry.ReasonRepeated.selector;
      else if (given.length == 4) refusal = IPlanRegistry.DeferralsUsedUp.selector;
    }
    _assertReply(address(executor), abi.encodeCall(executor.defer, (planId, reason, _go())), refusal);
    if (refusal != 0) return;
    given.push(reason);
    history.push([_slot(), reason, block.timestamp]);
  }

  function _stepPause() private {
    vm.prank(owner);
    registry.pause(planId);
    if (status == IPlanRegistry.Status.Active) status = IPlanRegistry.Status.Paused;
  }

  function _stepResume(uint256 seen) private {
    bytes4 refusal;
    if (status != IPlanRegistry.Status.Paused) refusal = IPlanRegistry.PlanNotPaused.selector;
    else if (seen != runs) refusal = IPlanRegistry.RunsChanged.selector;
    vm.prank(owner);
    _assertReply(address(registry), abi.encodeCall(registry.resume, (planId, 1, seen)), refusal);
    if (refusal == 0) status = IPlanRegistry.Status.Active;
  }

  function _stepCancel() private {
    vm.prank(owner);
    registry.cancel(planId);
    status = IPlanRegistry.Status.Cancelled;
  }

  /// Why neither a run nor a deferral is possible now; zero if one is.
  function _whyNot() private view returns (bytes4) {
    uint256 time = block.timestamp;
    if (status != IPlanRegistry.Status.Active) return IPlanRegistry.PlanNotActive.selector;
    if (time >= terms.expiresAt) return IPlanRegistry.PlanExpired.selector;
    if (runs == terms.maxRuns) return IPlanRegistry.RunsUsedUp.selector;
    if (time < terms.startAt) return IPlanRegistry.PlanNotStarted.selector;
    if (hasRun[_slot()]) return IPlanRegistry.SlotUsed.selector;
    if (time >= _startOf(_slot()) + terms.windowSeconds) return IPlanRegistry.SlotClosed.selector;
    return 0;
  }

  function _slot() private view returns (uint256) {
    return block.timestamp < terms.startAt ? 0 : (block.timestamp - terms.startAt) / terms.periodSeconds;
  }

  function _startOf(uint256 slot) private view returns (uint256) {
    return terms.startAt + slot * terms.periodSeconds;
  }

  function _assertReply(address target, bytes memory call, bytes4 refusal) private {
    (bool succeeded, bytes memory returned) = target.call(call);
    assertEq(succeeded, refusal == 0, "allowed by one, refused by the other");
    if (!succeeded) assertEq(bytes4(returned), refusal, "refused for another reason");
  }

  function _assertAgrees(uint40 cursorBefore) private view {
    IPlanRegistry.State memory state = _state(planId);
    assertGe(state.cursor, cursorBefore, "the cursor fell");
    if (state.cursor != 0) assertEq((state.cursor - terms.startAt) % terms.periodSeconds, 0, "off the grid");
    assertEq(uint8(state.status), uint8(status));
    assertEq(state.runs, runs);
    assertEq(state.records, history.length);
    assertEq(usd.balanceOf(owner), FUNDS - runs * AMOUNT);
    assertEq(coin.balanceOf(recipient), runs * FLOOR);
  }

  function _assertSameHistory() private view {
    IPlanRegistry.Run[] memory records = _history(planId);
    assertEq(records.length, history.length);
    for (uint256 i; i < records.length; ++i) {
      bool isRun = history[i][1] == 0;
      assertEq(records[i].slotStart, _startOf(history[i][0]));
      assertEq(records[i].reason, history[i][1]);
      assertEq(records[i].time, history[i][2]);
      assertEq(
        uint8(records[i].outcome), uint8(isRun ? IPlanRegistry.Outcome.Executed : IPlanRegistry.Outcome.Deferred)
      );
      assertEq(records[i].amountIn, isRun ? AMOUNT : 0);
    }
  }
}
