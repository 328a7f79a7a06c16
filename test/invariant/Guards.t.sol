// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {ILoanGuard} from "../../contracts/interfaces/ILoanGuard.sol";
import {GuardBase} from "../base/GuardBase.sol";
import {GuardHandler} from "./GuardHandler.sol";

/// LoanGuard's invariants under any sequence of actions by borrowers, funders, a falling market and an attacker with
/// the keeper's key.
contract GuardInvariants is GuardBase {
  GuardHandler private handler;

  function setUp() public override {
    super.setUp();
    handler = new GuardHandler(guard, token, lending, market);
    for (uint256 seed; seed < 3; ++seed) {
      handler.register(seed);
      handler.registerFunded(seed + 24);
    }
    targetContract(address(handler));
    bytes4[] memory selectors = new bytes4[](14);
    // The attacker acts more often than anybody changes anything.
    selectors[0] = selectors[1] = selectors[2] = selectors[3] = GuardHandler.rescue.selector;
    selectors[4] = selectors[5] = GuardHandler.worsen.selector;
    selectors[6] = GuardHandler.pass.selector;
    selectors[7] = GuardHandler.registerFunded.selector;
    selectors[8] = GuardHandler.cancel.selector;
    selectors[9] = GuardHandler.revokeAll.selector;
    selectors[10] = GuardHandler.spend.selector;
    selectors[11] = GuardHandler.forge.selector;
    selectors[12] = GuardHandler.cheat.selector;
    selectors[13] = GuardHandler.price.selector;
    targetSelector(FuzzSelector(address(handler), selectors));
    bytes4[] memory others = new bytes4[](2);
    others[0] = GuardHandler.register.selector;
    others[1] = GuardHandler.grab.selector;
    targetSelector(FuzzSelector(address(handler), others));
  }

  /// After every tenth call. The handler, which knows the state before, checks IN-12 to IN-17, IN-19 and IN-20.
  function invariant_All() public view {
    assertEq(handler.broken(), "");
    _guardAndAdapterHoldNothing();
  }

  /// After the last call of a sequence, from state alone.
  function afterInvariant() public view {
    invariant_All();
    _everybodyHasWhatIsRecorded();
    for (uint256 guardId = 1; guardId <= guard.guardCount(); ++guardId) {
      _countersAreWhatIsRecorded(guardId);
      _guardsNeverChange(guardId);
    }
  }

  /// IN-18: guard and adapter hold nothing (except what a dishonest market kept without taking it) and have no open
  /// allowances.
  function _guardAndAdapterHoldNothing() private view {
    assertEq(token.balanceOf(address(guard)), 0);
    assertEq(token.balanceOf(address(lending)), 0);
    assertEq(token.allowance(address(guard), address(lending)), 0);
  }

  /// IN-12: each account has the tokens given to it, less the repayments recorded from it.
  function _everybodyHasWhatIsRecorded() private view {
    for (uint256 i; i < handler.BORROWERS() + 2; ++i) {
      (address account,) = handler.accounts(i);
      assertEq(token.balanceOf(account), handler.funds(account));
    }
    assertEq(token.balanceOf(handler.stranger()), handler.funds(handler.stranger()));
  }

  /// IN-21: counters and the day's sum match the records.
  function _countersAreWhatIsRecorded(uint256 guardId) private view {
    ILoanGuard.Guard memory entry = guard.guard(guardId);
    ILoanGuard.Rescue[] memory rescues = guard.rescues(guardId, 0, type(uint256).max);
    (, uint256 count,, bool isEnded) = handler.noted(guardId);
    assertEq(rescues.length, count);
    assertEq(entry.state.rescues, count);
    uint256 inDay;
    for (uint256 i; i < count; ++i) {
      if (rescues[i].time / 1 days == entry.state.day) inDay += rescues[i].repaid;
    }
    assertEq(entry.state.takenInDay, inDay);
    if (count != 0) assertEq(entry.state.lastRescueAt, rescues[count - 1].time);
    if (isEnded) assertTrue(entry.isRevoked || entry.state.status == ILoanGuard.Status.Cancelled);
  }

  /// IN-21: a guard's terms match its agreement.
  function _guardsNeverChange(uint256 guardId) private view {
    (bytes32 terms,,,) = handler.noted(guardId);
    assertEq(keccak256(abi.encode(guard.guard(guardId).terms)), terms);
  }

  /// A campaign without rescues would prove nothing.
  function test_TheHandlerReachesWhatItIsAbout() public {
    for (uint256 i; i < 300; ++i) {
      handler.worsen(i, uint256(keccak256(abi.encode(i))), uint256(keccak256(abi.encode(i, 1))));
      handler.rescue(uint256(keccak256(abi.encode(i, 2))), i);
      handler.cheat(uint256(keccak256(abi.encode(i, 3))) % 4, 50e18);
      handler.pass(uint256(keccak256(abi.encode(i, 4))));
      if (i % 30 == 0) handler.registerFunded(i);
    }
    assertEq(handler.broken(), "");
    assertGt(handler.rescuesDone(), 10);
    assertGt(handler.partialDone(), 1);
    assertGt(handler.fundedDone(), 5);
    assertGt(handler.paidByAnother(), 3);
    assertGt(handler.refused(), 20);
    afterInvariant();
  }
}
