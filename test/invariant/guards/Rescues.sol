// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {ILoanGuard} from "../../../contracts/interfaces/ILoanGuard.sol";
import {MockLendingMarket} from "../../mocks/lending/MockLendingMarket.sol";
import {LoudToken} from "../LoudToken.sol";
import {Loans} from "./Loans.sol";

/// Rescues by an attacker with the keeper's key, who acts again out of the tokens that a rescue moves, and what each
/// rescue must have been.
abstract contract Rescues is Loans {
  bool private transient _isHostile;
  bool private transient _isMoving;
  address private transient _openToken;
  address private transient _openFunder;
  uint256 private transient _openGuard;
  /// What the funder was given during the rescue.
  uint256 private transient _given;

  constructor() {
    _expect("rescue inside a rescue");
    _expect("rescue in a keeper's name");
    _expect("list inside a rescue");
    _expect("register inside a rescue");
    _expect("register funded inside a rescue");
    _expect("cancel another's guard");
    _expect("flash loan");
    _expect("rescue in a source's cooldown");
  }

  /// Mostly of a loan in danger, after its cooldown, by its keeper.
  function rescue(uint256 seed) external rolls(seed) {
    (uint256 guardId, ILoanGuard.Guard memory entry) = _any();
    if (guardId == 0) return;
    ILoanGuard.Terms memory terms = entry.terms;
    if (!_oneIn(6)) _endanger(guardId, entry);
    address from = terms.keeper == KEEPER && !_oneIn(6) ? KEEPER : _oneIn(2) ? STRANGER : parties[_roll(5)].who;
    _count("rescue", _rescue(guardId, from, _oneIn(5), _oneIn(3)));
  }

  /// Two rescues in one block, of different accounts, in both orders.
  function reorder(uint256 seed) external rolls(seed) {
    if (!_oneIn(2)) return;
    (uint256 one, ILoanGuard.Guard memory first) = _any();
    (uint256 other, ILoanGuard.Guard memory second) = _any();
    if (one == 0 || other == 0 || first.terms.borrower == second.terms.borrower) return;
    if (first.terms.funder == second.terms.funder) return;
    _endanger(one, first);
    uint256 time = block.timestamp;
    _endanger(other, second);
    if (block.timestamp != time && !_oneIn(4)) return;
    uint256 snapshot = vm.snapshotState();
    bool isFirst = _rescue(one, KEEPER, false, false);
    bool isSecond = _rescue(other, KEEPER, false, false);
    bytes32 picture = _picture(one, other);
    assert(vm.revertToStateAndDelete(snapshot));
    _rule("IN-36: the order decides whether a loan is rescued", isSecond == _rescue(other, KEEPER, false, false));
    _rule("IN-36: the order decides whether a loan is rescued", isFirst == _rescue(one, KEEPER, false, false));
    _rule("IN-36: the order of two rescues matters", picture == _picture(one, other));
    _count("two rescues in either order", isFirst && isSecond);
  }

  /// Out of a token, while it moves.
  function onMoved(address, address to) external {
    if (_isMoving || !_isHostile || _oneIn(2)) return;
    _isMoving = true;
    _move(_roll(10), to);
    _isMoving = false;
  }

  /*//////////////////////////////////////////////////////////////
                           INSIDE A RESCUE
  //////////////////////////////////////////////////////////////*/

  function _move(uint256 which, address to) private {
    (uint256 another,) = _any();
    uint256 guardId = _oneIn(2) || another == 0 ? _openGuard : another;
    if (which == 0) _forbid("rescue inside a rescue", KEEPER, abi.encodeCall(guard.rescue, (guardId)));
    if (which == 1) _forbid("rescue in a keeper's name", STRANGER, abi.encodeCall(guard.rescueFor, (guardId, KEEPER)));
    if (which == 2) {
      uint256[] memory list = new uint256[](1);
      list[0] = guardId;
      _forbid("list inside a rescue", KEEPER, abi.encodeCall(guard.rescueMany, (list, 0)));
    }
    if (which == 3) {
      address borrower = parties[_roll(BORROWERS)].who;
      _forbid("register inside a rescue", borrower, abi.encodeCall(guard.register, (_terms(borrower, borrower))));
    }
    if (which == 4) {
      Party memory funder = parties[BORROWERS];
      ILoanGuard.Consent memory consent = _consent(parties[0].who, funder.who);
      bytes memory call = abi.encodeCall(guard.registerFunded, (consent, _sign(funder.key, consent)));
      _forbid("register funded inside a rescue", parties[0].who, call);
    }
    if (which == 5) _forbid("cancel another's guard", STRANGER, abi.encodeCall(guard.cancel, (guardId)));
    // The borrower may stop the guard inside of its own rescue, which completes and is the last.
    if (which == 6 && _oneIn(4)) _cancel(_openGuard, guard.guard(_openGuard).terms.borrower);
    // A flash loan inflates what is measured.
    if (which == 7) _lend(_openFunder, _oneIn(2) ? 1 : _between(1, 1e24));
    if (which == 8) _lend(to, _between(1, 1e24));
    if (which == 9) _lend(STRANGER, 1);
  }

  function _lend(address to, uint256 amount) private {
    if (to == _openFunder) _given += amount;
    _send(LoudToken(_openToken), LENDER, to, amount);
    _count("flash loan", true);
  }

  function _forbid(bytes32 name, address from, bytes memory call) internal {
    vm.prank(from);
    (bool succeeded,) = address(guard).call(call);
    _count(name, succeeded);
    if (!succeeded) return;
    if (_isMoving) revert MovePassed(name);
    _requireRefused(abi.encodeWithSelector(MovePassed.selector, name));
  }

  function _cancel(uint256 guardId, address from) internal {
    vm.prank(from);
    try guard.cancel(guardId) {}
    catch {
      _rule("LG-11: a stop button has failed", false);
    }
    _count("cancel", true);
    noted[guardId].isEnded = true;
  }

  /*//////////////////////////////////////////////////////////////
                                RESCUE
  //////////////////////////////////////////////////////////////*/

  /// The cooldown passes, and the market or the source falls. A funder whose means have run out mostly has new ones: one
  /// that nobody mended would refuse half of a sequence's rescues.
  function _endanger(uint256 guardId, ILoanGuard.Guard memory entry) private {
    ILoanGuard.Terms memory terms = entry.terms;
    uint256 until = uint256(entry.state.lastRescueAt) + terms.cooldownSeconds;
    // The cooldown of a source's rescue does not hold back one that the protocol's prices ask for.
    bool isWaited = !noted[guardId].wasBySource || _oneIn(2);
    if (entry.state.rescues != 0 && until > block.timestamp && isWaited) vm.warp(until);
    uint256 today = _takenInDay[guardId][block.timestamp / 1 days];
    if (today + terms.minRepay > terms.capPerDay && !_oneIn(4)) vm.warp((block.timestamp / 1 days + 1) * 1 days);
    if (!_oneIn(4)) _refill(terms.funder, _tokenOf(MockLendingMarket(terms.adapter)), terms.minRepay);
    uint256 trigger = terms.triggerHealthWad;
    bool isBySource = terms.priceSource != address(0) && _oneIn(2);
    // At the edge, too.
    uint256 health =
      _oneIn(8) ? trigger : isBySource ? _between(trigger, trigger * 105 / 100) : _between(trigger * 8 / 10, trigger);
    MockLendingMarket lending = MockLendingMarket(terms.adapter);
    _setLoan(terms.borrower, lending, health);
    if (isBySource) source.setPrice(address(lending.token()), _between(0.6e18, 1e18));
  }

  function _refill(address funder, LoudToken token, uint256 minRepay) private {
    if (token.balanceOf(funder) < minRepay) _give(token, funder, 1_000_000e18);
    if (token.allowance(funder, address(guard)) >= minRepay) return;
    vm.prank(funder);
    token.approve(address(guard), type(uint256).max);
  }

  /// Alone, or in a list between two guards that do not exist. A list itself never fails.
  function _rescue(uint256 guardId, address from, bool isListed, bool isHostile) private returns (bool) {
    ILoanGuard.Guard memory entry = guard.guard(guardId);
    MockLendingMarket.Account memory loan = _loanOf(entry.terms);
    LoudToken token = _tokenOf(MockLendingMarket(entry.terms.adapter));
    (_isHostile, _openGuard, _openToken, _openFunder) = (isHostile, guardId, address(token), entry.terms.funder);
    _given = 0;
    uint256 most = _mostRepaid(guardId, entry, loan, from);
    bytes32 before = _held(token);
    bool wasEnded = noted[guardId].isEnded;
    (bool isRescued, uint256 repaid) = _call(guardId, from, isListed);
    _isHostile = false;
    if (isRescued) {
      ledger[address(token)][entry.terms.funder] -= repaid + _given;
      ledger[address(token)][MockLendingMarket(entry.terms.adapter).till()] += repaid + _given;
      _rule("LG-11: after it was cancelled or revoked", !wasEnded);
      _judge(guardId, entry.terms, from, loan, repaid, most);
    } else {
      _rule("LG-8: a refused rescue has moved money", before == _held(token));
      bool isDue = most != 0 && !isHostile && _isHonest(MockLendingMarket(entry.terms.adapter));
      _rule("IN-34: a rescue that everything permits was refused", !isDue);
    }
    return isRescued;
  }

  function _call(uint256 guardId, address from, bool isListed) private returns (bool, uint256) {
    vm.prank(from);
    if (isListed) {
      uint256[] memory list = new uint256[](3);
      (list[0], list[1], list[2]) = (type(uint256).max, guardId, 0);
      ILoanGuard.Result memory result = guard.rescueMany(list, 0)[1];
      _requireRefused(result.failure);
      return (result.isRescued, result.repaid);
    }
    try guard.rescue(guardId) returns (uint256 repaid) {
      return (true, repaid);
    } catch (bytes memory reason) {
      _requireRefused(reason);
      return (false, 0);
    }
  }

  function _judge(
    uint256 guardId,
    ILoanGuard.Terms memory terms,
    address from,
    MockLendingMarket.Account memory loan,
    uint256 repaid,
    uint256 most
  ) private {
    Noted storage note = noted[guardId];
    _rule("LG-5: outside of minimum and cap", repaid >= terms.minRepay && repaid <= terms.capPerRescue);
    uint256 today = _takenInDay[guardId][block.timestamp / 1 days] += repaid;
    _rule("LG-5: above the day's cap", today <= terms.capPerDay);
    _rule("LG-3: by somebody else than its keeper", terms.keeper == address(0) || terms.keeper == from);
    _rule("LG-3: after its expiry", block.timestamp < terms.expiresAt);
    _rule("LG-3: within the cooldown", _isCool(note, terms, loan));
    _rule("LG-5: not in danger", _isEndangered(terms, loan));
    _rule("LG-5: more than everything permits", repaid <= most);
    _judgeMoney(terms, loan, repaid);
    _judgeHealth(guardId, terms, loan, repaid);
    _count(
      "rescue in a source's cooldown", note.rescues != 0 && block.timestamp < note.lastRescueAt + terms.cooldownSeconds
    );
    bool isBySource = _healthOf(terms, loan) >= terms.triggerHealthWad;
    (note.rescues, note.lastRescueAt, note.wasBySource) = (note.rescues + 1, block.timestamp, isBySource);
    if (terms.funder != terms.borrower) _count("rescue by another's funds", true);
  }

  /// The funder's tokens went to the market, and no other tokens moved.
  function _judgeMoney(ILoanGuard.Terms memory terms, MockLendingMarket.Account memory loan, uint256 repaid) private {
    MockLendingMarket lending = MockLendingMarket(terms.adapter);
    LoudToken token = _tokenOf(lending);
    for (uint256 i; i < accounts.length; ++i) {
      bool isAsInLedger = token.balanceOf(accounts[i]) == ledger[address(token)][accounts[i]];
      _rule("LG-8: other money than what was repaid", isAsInLedger);
    }
    uint256 debt = loan.debt + loan.interest - lending.storedDebt(terms.borrower, terms.market);
    uint256 off = lending.isInexact() ? 1 + repaid / 1e9 : 0;
    _rule("LG-8: the debt has not fallen by it", debt + off >= repaid && debt <= repaid + off);
  }

  /// Computed by the handler, with more digits than LoanGuard uses.
  function _judgeHealth(
    uint256 guardId,
    ILoanGuard.Terms memory terms,
    MockLendingMarket.Account memory loan,
    uint256 repaid
  ) private {
    uint256 priceWad = MockLendingMarket(terms.adapter).priceWad();
    uint256 debtUsd = _debtUsd(terms, loan);
    uint256 debtAfterUsd = loan.otherDebtUsd + (loan.debt + loan.interest - repaid) * priceWad / WAD;
    uint256 weighted = loan.weightedCollateralUsd;
    // One unit less would not have been enough: the rescue takes no more than needed.
    uint256 oneLessUsd = debtAfterUsd + priceWad / WAD + 2;
    _rule("LG-5: more than the target needs", weighted * WAD <= uint256(terms.targetHealthWad) * oneLessUsd);
    ILoanGuard.State memory state = guard.guard(guardId).state;
    ILoanGuard.Rescue memory done = guard.rescues(guardId, state.rescues - 1, state.rescues)[0];
    bool isAtTarget = weighted * WAD + 1e9 * WAD >= uint256(terms.targetHealthWad) * (debtAfterUsd - debtAfterUsd / 1e8);
    _rule("LG-6: full, and not at its target", done.outcome != ILoanGuard.Outcome.Full || isAtTarget);
    _count("full rescue", done.outcome == ILoanGuard.Outcome.Full);
    _count("rescue by a price source", weighted * WAD / debtUsd >= terms.triggerHealthWad);
    _rule("LG-10: another amount or time on record", done.repaid == repaid && done.time == block.timestamp);
    _rule("LG-10: another health on record", done.healthBeforeWad == weighted * WAD / debtUsd / 1e9 * 1e9);
    _rule("LG-5: health has fallen", done.healthAfterWad >= done.healthBeforeWad);
    uint256 healthAfter = debtAfterUsd == 0 ? type(uint128).max : weighted * WAD / debtAfterUsd;
    uint256 off =
      done.healthAfterWad > healthAfter ? done.healthAfterWad - healthAfter : healthAfter - done.healthAfterWad;
    _rule("LG-10: another health after it on record", off <= 1e9 + healthAfter / 1e8);
  }

  /// Below the trigger by the protocol's prices; or by the guard's source, and below the target by the protocol's.
  function _isEndangered(ILoanGuard.Terms memory terms, MockLendingMarket.Account memory loan)
    private
    view
    returns (bool)
  {
    uint256 debtUsd = _debtUsd(terms, loan);
    uint256 weighted = loan.weightedCollateralUsd;
    if (debtUsd == 0 || weighted == 0) return false;
    uint256 health = _healthOf(terms, loan);
    if (health < terms.triggerHealthWad) return true;
    if (terms.priceSource == address(0) || health >= terms.targetHealthWad) return false;
    uint256 wad = source.priceWad(address(MockLendingMarket(terms.adapter).token()));
    return wad != 0 && weighted * wad / WAD * WAD / debtUsd < terms.triggerHealthWad;
  }

  /// By the protocol's prices.
  function _healthOf(ILoanGuard.Terms memory terms, MockLendingMarket.Account memory loan)
    private
    view
    returns (uint256)
  {
    return loan.weightedCollateralUsd * WAD / _debtUsd(terms, loan);
  }

  /// A source's rescue holds back only the source.
  function _isCool(Noted storage note, ILoanGuard.Terms memory terms, MockLendingMarket.Account memory loan)
    private
    view
    returns (bool)
  {
    if (note.rescues == 0 || block.timestamp >= note.lastRescueAt + terms.cooldownSeconds) return true;
    return note.wasBySource && _healthOf(terms, loan) < terms.triggerHealthWad;
  }

  /// What the rescue would repay in an honest market; zero if it must be refused.
  function _mostRepaid(
    uint256 guardId,
    ILoanGuard.Guard memory entry,
    MockLendingMarket.Account memory loan,
    address from
  ) private view returns (uint256 most) {
    ILoanGuard.Terms memory terms = entry.terms;
    Noted storage note = noted[guardId];
    if (note.isEnded || (terms.keeper != address(0) && terms.keeper != from)) return 0;
    if (block.timestamp >= terms.expiresAt || !_isEndangered(terms, loan)) return 0;
    if (!_isCool(note, terms, loan)) return 0;
    (uint256 debtUsd, uint256 priceWad) = (_debtUsd(terms, loan), MockLendingMarket(terms.adapter).priceWad());
    uint256 atTarget = loan.weightedCollateralUsd * WAD / terms.targetHealthWad;
    if (debtUsd <= atTarget) return 0;
    most = ((debtUsd - atTarget) * WAD + priceWad - 1) / priceWad;
    most = _min(_min(most, terms.capPerRescue), loan.debt + loan.interest);
    uint256 taken = _takenInDay[guardId][block.timestamp / 1 days];
    most = _min(most, taken < terms.capPerDay ? terms.capPerDay - taken : 0);
    LoudToken token = _tokenOf(MockLendingMarket(terms.adapter));
    most = _min(_min(most, token.balanceOf(terms.funder)), token.allowance(terms.funder, address(guard)));
    return most < terms.minRepay ? 0 : most;
  }

  function _isHonest(MockLendingMarket lending) private view returns (bool) {
    return lending.maxTaken() == type(uint256).max && lending.miscredit() == 0;
  }

  function _held(LoudToken token) private view returns (bytes32 held) {
    for (uint256 i; i < accounts.length; ++i) {
      held = keccak256(abi.encode(held, token.balanceOf(accounts[i])));
    }
  }

  function _picture(uint256 one, uint256 other) private view returns (bytes32) {
    bytes32 held = keccak256(abi.encode(_held(_tokenOf(markets[0])), _held(_tokenOf(markets[1]))));
    return keccak256(
      abi.encode(held, guard.guard(one), guard.guard(other), guard.rescues(one, 0, 1e9), guard.rescues(other, 0, 1e9))
    );
  }

  function _min(uint256 a, uint256 b) private pure returns (uint256) {
    return a < b ? a : b;
  }
}
