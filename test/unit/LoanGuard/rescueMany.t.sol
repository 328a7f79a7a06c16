// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

import {ILoanGuard} from "../../../contracts/interfaces/ILoanGuard.sol";
import {RescueManyBase} from "../../base/RescueManyBase.sol";

/// Lists of guards, of whom some are not due. Hostile parts are in rescueMany.attacks, gas in rescueMany.gas.
contract LoanGuardRescueManyTest is RescueManyBase {
  /// LG-18, LG-5, LG-10: each as `rescue` would, with its result at its guard's index.
  function test_rescuesEveryGuard() public {
    for (uint256 i; i < 3; ++i) {
      vm.expectEmit(address(guard));
      emit ILoanGuard.LoanRescued(ids[i], who[i], NEEDED, 1.02e18, 1.25e18, ILoanGuard.Outcome.Full, 0);
    }
    vm.prank(stranger);
    ILoanGuard.Result[] memory results = guard.rescueMany(_ids(ids[0], ids[1], ids[2]), 0);
    assertEq(results.length, 3);
    for (uint256 i; i < 3; ++i) {
      _assertRescued(results[i], i);
      ILoanGuard.Rescue memory expected = ILoanGuard.Rescue(NEEDED, START, ILoanGuard.Outcome.Full, 1.02e18, 1.25e18);
      assertEq(abi.encode(_lastRescue(ids[i])), abi.encode(expected));
    }
    assertEq(token.balanceOf(address(guard)), 0);
    assertEq(token.balanceOf(address(lending)), 0);
  }

  /// LG-18: whatever the reason, the others are rescued, and each failure is returned and logged with its error.
  function test_oneThatIsRefusedStopsNoOther() public {
    uint256[] memory list = new uint256[](7);
    bytes[] memory why = new bytes[](7);
    (list[0], list[3], list[6]) = (ids[0], ids[1], ids[2]);
    list[1] = 99;
    why[1] = abi.encodeWithSelector(ILoanGuard.GuardUnknown.selector, 99);
    list[2] = _guardOf(makeAddr("cancelled"));
    vm.prank(makeAddr("cancelled"));
    guard.cancel(list[2]);
    why[2] = abi.encodeWithSelector(ILoanGuard.GuardNotActive.selector, ILoanGuard.Status.Cancelled);
    list[4] = _guardOf(makeAddr("healthy"));
    _setLoan(makeAddr("healthy"), 1_000e18, 0, 1_050e18);
    why[4] = abi.encodeWithSelector(ILoanGuard.HealthNotBelowTrigger.selector, 1.05e18, 1.05e18);
    list[5] = _guardOf(makeAddr("revoked"));
    vm.prank(makeAddr("revoked"));
    revocations.revokeAll();
    why[5] = abi.encodeWithSelector(ILoanGuard.GuardRevoked.selector, list[5]);

    for (uint256 i; i < 7; ++i) {
      if (why[i].length == 0) continue;
      vm.expectEmit(address(guard));
      emit ILoanGuard.RescueFailed(list[i], why[i]);
    }
    ILoanGuard.Result[] memory results = guard.rescueMany(list, 0);
    _assertRescued(results[0], 0);
    _assertRescued(results[3], 1);
    _assertRescued(results[6], 2);
    for (uint256 i; i < 7; ++i) {
      if (why[i].length != 0) assertEq(abi.encode(results[i]), abi.encode(ILoanGuard.Result(false, 0, why[i])));
    }
  }

  /// LG-18, LG-3: the guard's keeper is compared with the account that called, and named as such.
  function testFuzz_aKeepersGuardInAStrangersList(address caller) public {
    ILoanGuard.Terms memory terms = _termsOf(who[1]);
    terms.keeper = makeAddr("keeper");
    vm.assume(caller != terms.keeper);
    uint256 kept = _register(terms);
    vm.prank(caller);
    ILoanGuard.Result[] memory results = guard.rescueMany(_ids(ids[0], kept, ids[2]), 0);
    _assertRescued(results[0], 0);
    _assertRescued(results[2], 2);
    _assertFailed(results[1], abi.encodeWithSelector(ILoanGuard.NotKeeper.selector, caller, terms.keeper));
    assertEq(_debt(who[1]), 1_000e18);

    vm.prank(terms.keeper);
    assertTrue(guard.rescueMany(_ids(kept), 0)[0].isRescued);
  }

  /// LG-18: a guard whose keeper is LoanGuard itself is nobody's.
  function test_aGuardThatNamesLoanGuardAsItsKeeperIsRescuedByNobody() public {
    ILoanGuard.Terms memory terms = _termsOf(who[0]);
    terms.keeper = address(guard);
    uint256 kept = _register(terms);
    ILoanGuard.Result[] memory results = guard.rescueMany(_ids(kept), 0);
    _assertFailed(results[0], abi.encodeWithSelector(ILoanGuard.NotKeeper.selector, address(this), guard));
  }

  /// LG-18: nobody but `rescueMany` may name the caller.
  function testFuzz_RevertWhen_ARescueForAnotherIsCalledFromOutside(address caller, address named) public {
    vm.assume(caller != address(guard));
    vm.expectRevert(abi.encodeWithSelector(ILoanGuard.NotSelf.selector, caller));
    vm.prank(caller);
    guard.rescueFor(ids[0], named);
  }

  /// LG-18
  function test_RevertWhen_TheListIsEmpty() public {
    vm.expectRevert(ILoanGuard.GuardsMissing.selector);
    guard.rescueMany(new uint256[](0), 0);
  }

  /// LG-3: the cooldown of the first counts for the second.
  function test_theSameGuardTwiceIsRescuedOnce() public {
    ILoanGuard.Result[] memory results = guard.rescueMany(_ids(ids[0], ids[0]), 0);
    _assertRescued(results[0], 0);
    _assertFailed(results[1], abi.encodeWithSelector(ILoanGuard.CoolingDown.selector, START + 1 hours, START));
    assertEq(guard.guard(ids[0]).state.rescues, 1);
  }

  /// LG-5: without a cooldown, the day's cap bounds the list to the unit.
  function test_theSameGuardManyTimesTakesNoMoreThanItsDaysCap() public {
    ILoanGuard.Terms memory terms = _termsOf(who[0]);
    (terms.cooldownSeconds, terms.capPerRescue, terms.capPerDay) = (0, 70e18, 100e18);
    terms.triggerHealthWad = 1.2e18;
    uint256 id = _register(terms);
    ILoanGuard.Result[] memory results = guard.rescueMany(_ids(id, id, id), 0);
    assertEq(results[0].repaid, 70e18);
    assertEq(results[1].repaid, 30e18);
    _assertFailed(results[2], abi.encodeWithSelector(ILoanGuard.DayCapUsedUp.selector, 0, 1e18));
    assertEq(token.balanceOf(who[0]), 9_900e18);
    assertEq(guard.guard(id).state.takenInDay, 100e18);
  }

  /// LG-13: two loans with one funder: each rescue sees what the previous one left of balance and allowance.
  function test_aFundersMeansBoundTheWholeList() public {
    (address funder, uint256 key) = makeAddrAndKey("funder");
    uint256[] memory list = new uint256[](3);
    for (uint256 i; i < 3; ++i) {
      list[i] = _fundedGuard(who[i], funder, key, i);
    }
    token.mint(funder, 1_000e18);
    vm.prank(funder);
    token.approve(address(guard), 2 * NEEDED - 100e18);

    ILoanGuard.Result[] memory results = guard.rescueMany(list, 0);
    assertEq(results[0].repaid, NEEDED);
    assertEq(results[1].repaid, NEEDED - 100e18);
    _assertFailed(results[2], abi.encodeWithSelector(ILoanGuard.AllowanceTooLow.selector, 0, 1e18));
    assertEq(token.balanceOf(funder), 1_000e18 - 2 * NEEDED + 100e18);
    for (uint256 i; i < 3; ++i) {
      assertEq(token.balanceOf(who[i]), 10_000e18, "the borrowers' own tokens");
    }

    vm.prank(funder);
    token.approve(address(guard), type(uint256).max);
    vm.prank(funder);
    IERC20(token).transfer(stranger, 1_000e18 - 2 * NEEDED + 100e18 - 5e17);
    results = guard.rescueMany(_ids(list[2]), 0);
    _assertFailed(results[0], abi.encodeWithSelector(ILoanGuard.BalanceTooLow.selector, 5e17, 1e18));
  }

  /// LG-18: two guards on one loan: the first restores it, and nothing is left for the second.
  function test_twoGuardsOfOneLoanAreOneRescue() public {
    uint256 second = _register(_termsOf(who[0]));
    ILoanGuard.Result[] memory results = guard.rescueMany(_ids(ids[0], second), 0);
    _assertRescued(results[0], 0);
    _assertFailed(results[1], abi.encodeWithSelector(ILoanGuard.HealthNotBelowTrigger.selector, 1.25e18, 1.05e18));
  }

  /// LG-18: for separate loans and funders, the order does not matter at all.
  function testFuzz_theOrderOfSeparateLoansChangesNothing(uint256 seed, uint128[3] memory collateral) public {
    for (uint256 i; i < 3; ++i) {
      _setLoan(who[i], 1_000e18, 0, bound(collateral[i], 1e18, 1_200e18));
    }
    uint256 snapshot = vm.snapshotState();
    ILoanGuard.Result[] memory given = guard.rescueMany(_ids(ids[0], ids[1], ids[2]), 0);
    vm.revertToState(snapshot);
    uint256 a = seed % 3;
    uint256 b = (a + 1 + (seed / 3) % 2) % 3;
    uint256 c = 3 - a - b;
    ILoanGuard.Result[] memory other = guard.rescueMany(_ids(ids[a], ids[b], ids[c]), 0);
    assertEq(abi.encode(other[0]), abi.encode(given[a]));
    assertEq(abi.encode(other[1]), abi.encode(given[b]));
    assertEq(abi.encode(other[2]), abi.encode(given[c]));
  }

  /// LG-18: where guards share a loan or a funder, a list does what separate calls in that order do.
  function testFuzz_aListDoesWhatSeparateCallsDo(uint256 seed, uint128 means) public {
    (address funder, uint256 key) = makeAddrAndKey("funder");
    uint256[] memory list = new uint256[](6);
    for (uint256 i; i < 3; ++i) {
      (list[i], list[i + 3]) = (ids[i], _fundedGuard(who[i], funder, key, i));
    }
    for (uint256 i = 5; i != 0; --i) {
      uint256 j = uint256(keccak256(abi.encode(seed, i))) % (i + 1);
      (list[i], list[j]) = (list[j], list[i]);
    }
    token.mint(funder, bound(means, 0, 600e18));
    vm.prank(funder);
    token.approve(address(guard), type(uint256).max);

    uint256 snapshot = vm.snapshotState();
    ILoanGuard.Result[] memory results = guard.rescueMany(list, 0);
    vm.revertToState(snapshot);
    for (uint256 i; i < 6; ++i) {
      try guard.rescue(list[i]) returns (uint256 repaid) {
        assertEq(abi.encode(results[i]), abi.encode(ILoanGuard.Result(true, repaid, "")));
      } catch (bytes memory why) {
        _assertFailed(results[i], why);
      }
    }
  }

  /// LG-18: the lock is free again afterwards, also where rescues have failed.
  function test_listsMayFollowEachOther() public {
    guard.rescueMany(_ids(99, ids[0]), 0);
    assertTrue(guard.rescueMany(_ids(ids[1]), 0)[0].isRescued);
    assertEq(guard.rescue(ids[2]), NEEDED);
  }

  function _fundedGuard(address borrower_, address funder, uint256 key, uint256 nonce) private returns (uint256) {
    ILoanGuard.Consent memory consent;
    consent.terms = _termsOf(borrower_);
    consent.terms.funder = funder;
    (consent.nonce, consent.deadline) = (nonce, block.timestamp);
    (uint8 v, bytes32 r, bytes32 s) = vm.sign(key, guard.digestOf(consent));
    vm.prank(borrower_);
    return guard.registerFunded(consent, abi.encodePacked(r, s, v));
  }
}
