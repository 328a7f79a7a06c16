// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Vm} from "forge-std/Vm.sol";

import {ILoanGuard} from "../../../contracts/interfaces/ILoanGuard.sol";
import {IRevocations} from "../../../contracts/interfaces/IRevocations.sol";
import {GuardBase} from "../../base/GuardBase.sol";

/// Rebuilds guards and their records from logs and the times of their blocks, without a call, and compares the result
/// with the views.
contract LoanGuardHistoryTest is GuardBase {
  struct Epochs {
    uint64 borrower;
    uint64 funder;
  }

  mapping(uint256 guardId => ILoanGuard.Guard) private _guards;
  mapping(uint256 guardId => ILoanGuard.Rescue[]) private _records;
  mapping(uint256 guardId => Epochs) private _epochs;
  mapping(address owner => uint64) private _epochOf;
  uint256 private _count;

  address private funder;
  uint256 private funderKey;

  function setUp() public override {
    super.setUp();
    (funder, funderKey) = makeAddrAndKey("funder");
    token.mint(funder, 10_000e18);
    vm.prank(funder);
    token.approve(address(guard), type(uint256).max);
    vm.recordLogs();
  }

  /// LG-10: full, partial and repeated rescues over three days, some of them triggered by a price source, a funded guard,
  /// cancellations and a revocation.
  function test_history_isInTheEvents() public {
    vm.prank(funder);
    revocations.revokeAll();
    ILoanGuard.Terms memory terms = _terms();
    (terms.keeper, terms.cooldownSeconds) = (address(this), 0);
    _register(terms);
    terms.capPerRescue = 100e18;
    terms.priceSource = address(source);
    source.setPrice(address(token), 0.9e18);
    _register(terms);
    terms.funder = funder;
    _registerFunded(terms);
    _replay();

    for (uint256 day; day < 3; ++day) {
      for (uint256 guardId = 1; guardId <= 3; ++guardId) {
        _setLoan(borrower, 1_000e18, 0, 1_020e18 - day * 7e18 - guardId);
        guard.rescue(guardId);
        if (guardId == 2) {
          _setLoan(borrower, 1_000e18, 0, day == 0 ? 930e18 : 1_150e18);
          guard.rescue(guardId);
          assertEq(guard.guard(guardId).state.isBySource, day != 0);
        }
        _replay();
        skip(1 hours);
      }
      uint256[] memory list = new uint256[](2);
      (list[0], list[1]) = (3, 1);
      _setLoan(borrower, 1_000e18, 0, 900e18);
      assertTrue(guard.rescueMany(list, 0)[1].isRescued);
      _replay();
      skip(1 days);
    }
    // The whole debt, to a health beyond every record.
    lending.setMinDebt(1_000e18);
    _setLoan(borrower, 1_000e18, 1e6, 1_020e18);
    guard.rescue(1);
    _setLoan(borrower, 1_000e18, 0, 1_020e18);
    guard.rescue(1);
    _replay();
    vm.prank(borrower);
    guard.cancel(1);
    _replay();
    vm.prank(funder);
    revocations.revokeAll();
    _replay();

    assertEq(_count, 3);
    assertEq(uint8(_guards[1].state.status), uint8(ILoanGuard.Status.Cancelled));
    assertTrue(_isRevoked(3) && !_isRevoked(2));
    assertEq(_records[2].length, 6);
  }

  /// Takes in the logs of this block, and compares every guard.
  function _replay() private {
    Vm.Log[] memory logs = vm.getRecordedLogs();
    for (uint256 i; i < logs.length; ++i) {
      _take(logs[i]);
    }
    assertEq(guard.guardCount(), _count);
    for (uint256 guardId = 1; guardId <= _count; ++guardId) {
      ILoanGuard.Guard memory rebuilt = _guards[guardId];
      rebuilt.isRevoked = _isRevoked(guardId);
      assertEq(abi.encode(rebuilt), abi.encode(guard.guard(guardId)));
      assertEq(abi.encode(_records[guardId]), abi.encode(guard.rescues(guardId, 0, type(uint256).max)));
    }
  }

  function _take(Vm.Log memory log) private {
    bytes32 kind = log.topics[0];
    uint256 guardId = uint256(log.topics[1]);
    if (kind == IRevocations.AllRevoked.selector) {
      _epochOf[address(uint160(uint256(log.topics[1])))] = uint64(abi.decode(log.data, (uint256)));
    } else if (kind == ILoanGuard.GuardRegistered.selector) {
      ILoanGuard.Guard storage entry = _guards[guardId];
      (entry.terms, entry.repayToken, _epochs[guardId].borrower, _epochs[guardId].funder) =
        abi.decode(log.data, (ILoanGuard.Terms, address, uint64, uint64));
      entry.state.status = ILoanGuard.Status.Active;
      ++_count;
    } else if (kind == ILoanGuard.GuardCancelled.selector) {
      _guards[guardId].state.status = ILoanGuard.Status.Cancelled;
    } else if (kind == ILoanGuard.LoanRescued.selector) {
      (uint256 repaid, uint256 healthBefore, uint256 healthAfter, ILoanGuard.Outcome outcome,) =
        abi.decode(log.data, (uint256, uint256, uint256, ILoanGuard.Outcome, uint256));
      uint40 time = uint40(block.timestamp);
      _records[guardId].push(ILoanGuard.Rescue(uint128(repaid), time, outcome, _kept(healthBefore), _kept(healthAfter)));
      ILoanGuard.State storage state = _guards[guardId].state;
      uint32 day = uint32(time / 1 days);
      state.takenInDay = uint128(repaid) + (state.day == day ? state.takenInDay : 0);
      (state.day, state.lastRescueAt) = (day, time);
      ++state.rescues;
      state.isBySource = healthBefore >= _guards[guardId].terms.triggerHealthWad;
    }
  }

  function _isRevoked(uint256 guardId) private view returns (bool) {
    ILoanGuard.Terms storage terms = _guards[guardId].terms;
    return _epochs[guardId].borrower != _epochOf[terms.borrower] || _epochs[guardId].funder != _epochOf[terms.funder];
  }

  /// As in a record: billionths, up to the highest.
  function _kept(uint256 healthWad) private pure returns (uint128) {
    if (healthWad == type(uint128).max) return type(uint128).max;
    uint256 highest = (2 ** 40 - 2) * 1e9;
    return uint128(healthWad > highest ? highest : _recorded(healthWad));
  }

  function _registerFunded(ILoanGuard.Terms memory terms) private {
    ILoanGuard.Consent memory consent;
    (consent.terms, consent.deadline) = (terms, block.timestamp);
    consent.funderEpoch = revocations.epochOf(funder);
    (uint8 v, bytes32 r, bytes32 s) = vm.sign(funderKey, guard.digestOf(consent));
    vm.prank(borrower);
    guard.registerFunded(consent, abi.encodePacked(r, s, v));
  }
}
