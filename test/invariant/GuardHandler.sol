// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {LoanGuard} from "../../contracts/LoanGuard.sol";
import {Revocations} from "../../contracts/Revocations.sol";
import {ILoanGuard} from "../../contracts/interfaces/ILoanGuard.sol";
import {MockERC20} from "../mocks/MockERC20.sol";
import {MockLendingMarket} from "../mocks/lending/MockLendingMarket.sol";
import {Rules} from "./Rules.sol";

/// Borrowers and funders who permit and stop, loans that improve and worsen, and an attacker with the keeper's key who
/// calls for rescues at will, repeats and forges consents, and makes the market take less than offered.
contract GuardHandler is Rules {
  struct Account {
    address who;
    uint256 key;
  }

  /// A guard and its agreement, as tracked by the handler.
  struct Noted {
    bytes32 terms;
    uint256 rescues;
    uint256 lastRescueAt;
    bool isEnded;
  }

  LoanGuard public immutable guard;
  Revocations public immutable revocations;
  MockERC20 public immutable token;
  MockLendingMarket public immutable lending;
  bytes32 private immutable _market;

  uint256 private constant WAD = 1e18;
  uint256 private constant MAX_GUARDS = 12;
  uint256 public constant BORROWERS = 3;
  /// Borrowers first, then two funders.
  Account[] public accounts;
  address public immutable keeper = address(uint160(uint256(keccak256("keeper"))));
  address public immutable stranger = address(uint160(uint256(keccak256("stranger"))));

  /// Balances as tracked by the handler: tokens given, less recorded repayments.
  mapping(address account => uint256) public funds;
  mapping(uint256 guardId => Noted) public noted;
  mapping(uint256 guardId => mapping(uint256 day => uint256)) public takenInDay;
  uint256 private _nonce;
  ILoanGuard.Consent private _lastConsent;
  bytes private _lastSignature;
  uint256 public rescuesDone;
  uint256 public partialDone;
  uint256 public paidByAnother;
  uint256 public fundedDone;
  uint256 public refused;

  constructor(LoanGuard guard_, MockERC20 token_, MockLendingMarket lending_, bytes32 market) {
    guard = guard_;
    revocations = Revocations(address(guard_.revocations()));
    token = token_;
    lending = lending_;
    _market = market;
    for (uint256 i; i < BORROWERS + 2; ++i) {
      uint256 key = uint256(keccak256(abi.encode("account", i)));
      accounts.push(Account(vm.addr(key), key));
      _give(vm.addr(key), 1_000_000e18);
      vm.prank(vm.addr(key));
      token.approve(address(guard), type(uint256).max);
    }
  }

  /*//////////////////////////////////////////////////////////////
                         BORROWERS AND FUNDERS
  //////////////////////////////////////////////////////////////*/

  function register(uint256 seed) external {
    if (guard.guardCount() == MAX_GUARDS) return;
    address borrower = accounts[seed % BORROWERS].who;
    ILoanGuard.Terms memory terms = _terms(seed, borrower, borrower);
    vm.prank(borrower);
    _note(guard.register(terms), terms);
  }

  function registerFunded(uint256 seed) external {
    if (guard.guardCount() == MAX_GUARDS) return;
    address borrower = accounts[seed % BORROWERS].who;
    Account memory funder = accounts[(seed / 8) % accounts.length];
    ILoanGuard.Consent memory consent = _consent(seed, borrower, funder.who);
    bytes memory signature = _sign(funder.key, consent);
    vm.prank(borrower);
    uint256 guardId = guard.registerFunded(consent, signature);
    _note(guardId, consent.terms);
    (_lastConsent, _lastSignature) = (consent, signature);
    ++fundedDone;
  }

  function cancel(uint256 seed) external {
    if (seed % 16 != 0) return;
    uint256 guardId = _pick(seed / 16);
    if (guardId == 0) return;
    ILoanGuard.Terms memory terms = guard.guard(guardId).terms;
    vm.prank(seed % 32 == 0 ? terms.borrower : terms.funder);
    try guard.cancel(guardId) {}
    catch {
      _rule("IN-20: a stop button has failed", false);
    }
    noted[guardId].isEnded = true;
  }

  /// Rare, because it ends many guards.
  function revokeAll(uint256 seed) external {
    if (seed % 64 != 0) return;
    address account = accounts[(seed / 64) % accounts.length].who;
    vm.prank(account);
    try revocations.revokeAll() {}
    catch {
      _rule("IN-20: a stop button has failed", false);
    }
    for (uint256 id = 1; id <= guard.guardCount(); ++id) {
      ILoanGuard.Terms memory terms = guard.guard(id).terms;
      if (terms.borrower == account || terms.funder == account) noted[id].isEnded = true;
    }
  }

  /// A funder's balance and allowance change.
  function spend(uint256 seed, uint256 amount) external {
    address account = accounts[seed % accounts.length].who;
    if (seed % 3 == 0) {
      _give(account, bound(amount, 0, 100_000e18));
    } else if (seed % 3 == 1) {
      amount = bound(amount, 0, token.balanceOf(account));
      vm.prank(account);
      token.transfer(stranger, amount);
      funds[account] -= amount;
      funds[stranger] += amount;
    } else {
      vm.prank(account);
      token.approve(address(guard), seed % 4 == 0 ? amount % 10_000e18 : type(uint256).max);
    }
  }

  /*//////////////////////////////////////////////////////////////
                             THE ATTACKER
  //////////////////////////////////////////////////////////////*/

  function rescue(uint256 seed, uint256 caller) external {
    uint256 guardId = _pick(seed);
    if (guardId == 0) return;
    ILoanGuard.Guard memory entry = guard.guard(guardId);
    Account memory some = accounts[caller % accounts.length];
    address from = caller % 3 == 0 ? keeper : caller % 3 == 1 ? stranger : some.who;
    uint256[] memory before = _balances();
    MockLendingMarket.Account memory loan = _loan(entry.terms.borrower);
    (bool isRescued, uint256 repaid) = _tryRescue(guardId, from, seed % 5 == 0);
    if (isRescued) {
      _judge(guardId, entry, from, loan, before, repaid);
    } else {
      _rule(
        "IN-12: a refused rescue has moved money", keccak256(abi.encode(before)) == keccak256(abi.encode(_balances()))
      );
      ++refused;
    }
  }

  /// An earlier consent again; or one that is outside its time, signed by somebody else, or signed for something else.
  function forge(uint256 seed) external {
    ILoanGuard.Consent memory consent = _lastConsent;
    bytes memory signature = _lastSignature;
    if (seed % 16 == 0) {
      if (signature.length == 0) return;
    } else {
      Account memory funder = accounts[(seed / 16) % accounts.length];
      Account memory other = accounts[(seed / 16 + 1 + (seed / 128) % 4) % accounts.length];
      consent = _consent(seed, accounts[(seed / 1024) % BORROWERS].who, funder.who);
      if (seed % 16 == 1) consent.deadline = block.timestamp - 1;
      if (seed % 16 == 2) ++consent.borrowerEpoch;
      if (seed % 16 == 3) ++consent.funderEpoch;
      signature = _sign(seed % 16 == 4 ? other.key : funder.key, consent);
      // Of another epoch, or altered to name this one.
      if (seed % 32 == 2) --consent.borrowerEpoch;
      if (seed % 32 == 3) --consent.funderEpoch;
      if (seed % 16 > 4) _change(consent, seed % 16, other.who);
    }
    vm.prank(consent.terms.borrower);
    try guard.registerFunded(consent, signature) {
      _rule("IN-19: a guard that its funder has not signed for", false);
    } catch {}
  }

  /// Without a signature: with somebody else's money, or on somebody else's loan.
  function grab(uint256 seed) external {
    Account memory borrower = accounts[seed % BORROWERS];
    Account memory funder = accounts[(seed / 8) % accounts.length];
    ILoanGuard.Terms memory terms = _terms(seed, borrower.who, funder.who);
    vm.prank(funder.who == borrower.who ? stranger : borrower.who);
    try guard.register(terms) {
      _rule("IN-19: a guard that its funder has not signed for", false);
    } catch {}
    ILoanGuard.Consent memory consent = _consent(seed, borrower.who, funder.who);
    bytes memory signature = _sign(funder.key, consent);
    vm.prank(stranger);
    try guard.registerFunded(consent, signature) {
      _rule("IN-19: a guard that its borrower has not asked for", false);
    } catch {}
  }

  function cheat(uint256 seed, uint256 taken) external {
    if (seed % 2 == 0) lending.setMaxTaken(type(uint256).max, false);
    else lending.setMaxTaken(bound(taken, 0, 10_000e18), seed % 8 == 1);
    lending.setMiscredit(seed % 16 == 3 ? -int256(bound(taken, 0, 1e18)) : seed % 16 == 5 ? -int256(1) : int256(0));
    lending.setInexact(seed % 4 > 1);
  }

  /*//////////////////////////////////////////////////////////////
                               THE WORLD
  //////////////////////////////////////////////////////////////*/

  function pass(uint256 time) external {
    vm.warp(block.timestamp + bound(time, 1, 18 hours));
    vm.roll(block.number + 1);
  }

  function worsen(uint256 seed, uint256 debt, uint256 health) external {
    debt = bound(debt, 1e18, 50_000e18);
    uint256 other = seed % 3 == 0 ? bound(seed, 0, 20_000e18) : 0;
    uint256 debtUsd = other + debt * lending.priceWad() / WAD;
    lending.setAccount(
      accounts[seed % BORROWERS].who,
      MockLendingMarket.Account({
        debt: debt,
        interest: seed % 5 == 0 ? debt / 1_000 : 0,
        otherDebtUsd: other,
        weightedCollateralUsd: debtUsd * bound(health, 0.9e18, 1.4e18) / WAD
      })
    );
  }

  function price(uint256 priceWad) external {
    lending.setPrice(bound(priceWad, 0.5e18, 2e18));
  }

  /*//////////////////////////////////////////////////////////////
                                PRIVATE
  //////////////////////////////////////////////////////////////*/

  /// Alone, or in a list between two guards that do not exist. A list itself never fails.
  function _tryRescue(uint256 guardId, address from, bool isListed) private returns (bool, uint256) {
    vm.prank(from);
    if (isListed) {
      uint256[] memory list = new uint256[](3);
      (list[0], list[1], list[2]) = (MAX_GUARDS + 1, guardId, 0);
      ILoanGuard.Result memory result = guard.rescueMany(list)[1];
      return (result.isRescued, result.repaid);
    }
    try guard.rescue(guardId) returns (uint256 repaid) {
      return (true, repaid);
    } catch {
      return (false, 0);
    }
  }

  function _judge(
    uint256 guardId,
    ILoanGuard.Guard memory entry,
    address from,
    MockLendingMarket.Account memory loan,
    uint256[] memory before,
    uint256 repaid
  ) private {
    ILoanGuard.Terms memory terms = entry.terms;
    Noted storage note = noted[guardId];
    _rule("IN-13: outside of minimum and cap", repaid >= terms.minRepay && repaid <= terms.capPerRescue);
    uint256 today = takenInDay[guardId][block.timestamp / 1 days] += repaid;
    _rule("IN-13: above the day's cap", today <= terms.capPerDay);
    _rule("IN-14: by somebody else than its keeper", terms.keeper == address(0) || terms.keeper == from);
    _rule("IN-14: after its expiry", block.timestamp < terms.expiresAt);
    _rule(
      "IN-14: within the cooldown", note.rescues == 0 || block.timestamp >= note.lastRescueAt + terms.cooldownSeconds
    );
    _rule("IN-20: after it was cancelled or revoked", !note.isEnded);
    _judgeMoney(terms, loan, before, repaid);
    _judgeHealth(guardId, terms, loan, repaid);
    (note.rescues, note.lastRescueAt) = (note.rescues + 1, block.timestamp);
    funds[terms.funder] -= repaid;
    ++rescuesDone;
    if (terms.funder != terms.borrower) ++paidByAnother;
  }

  /// The funder's tokens went to the market, and no other tokens moved.
  function _judgeMoney(
    ILoanGuard.Terms memory terms,
    MockLendingMarket.Account memory loan,
    uint256[] memory before,
    uint256 repaid
  ) private {
    uint256[] memory afterwards = _balances();
    for (uint256 i; i < accounts.length; ++i) {
      uint256 fell = accounts[i].who == terms.funder ? repaid : 0;
      _rule("IN-12: other money than what was repaid", before[i] - afterwards[i] == fell);
    }
    uint256 debt = loan.debt + loan.interest - lending.storedDebt(terms.borrower, _market);
    uint256 off = lending.isInexact() ? 1 + repaid / 1e9 : 0;
    _rule("IN-12: the debt has not fallen by it", debt + off >= repaid && debt <= repaid + off);
  }

  /// Computed by the handler, with more digits than LoanGuard uses.
  function _judgeHealth(
    uint256 guardId,
    ILoanGuard.Terms memory terms,
    MockLendingMarket.Account memory loan,
    uint256 repaid
  ) private {
    uint256 priceWad = lending.priceWad();
    uint256 debt = loan.debt + loan.interest;
    uint256 debtUsd = loan.otherDebtUsd + debt * priceWad / WAD;
    uint256 debtAfterUsd = loan.otherDebtUsd + (debt - repaid) * priceWad / WAD;
    uint256 weighted = loan.weightedCollateralUsd;
    _rule("IN-15: not below its trigger", weighted * WAD < uint256(terms.triggerHealthWad) * debtUsd);
    // One unit less would not have been enough: the rescue takes no more than needed.
    uint256 oneLessUsd = debtAfterUsd + priceWad / WAD + 2;
    _rule("IN-15: more than the target needs", weighted * WAD <= uint256(terms.targetHealthWad) * oneLessUsd);
    ILoanGuard.State memory state = guard.guard(guardId).state;
    ILoanGuard.Rescue memory done = guard.rescues(guardId, state.rescues - 1, state.rescues)[0];
    bool isAtTarget = weighted * WAD + 1e9 * WAD >= uint256(terms.targetHealthWad) * (debtAfterUsd - debtAfterUsd / 1e8);
    _rule("IN-16: full, and not at its target", done.outcome != ILoanGuard.Outcome.Full || isAtTarget);
    if (done.outcome == ILoanGuard.Outcome.Partial) ++partialDone;
    _rule("IN-17: another amount or time on record", done.repaid == repaid && done.time == block.timestamp);
    _rule("IN-17: another health on record", done.healthBeforeWad == weighted * WAD / debtUsd / 1e9 * 1e9);
    _rule("IN-15: health has fallen", done.healthAfterWad >= done.healthBeforeWad);
  }

  /// Changes one term; the terms stay sound.
  function _change(ILoanGuard.Consent memory consent, uint256 which, address other) private {
    ILoanGuard.Terms memory terms = consent.terms;
    if (which == 5) consent.nonce = ++_nonce;
    if (which == 6) ++consent.deadline;
    if (which == 7) terms.borrower = terms.borrower == accounts[0].who ? accounts[1].who : accounts[0].who;
    if (which == 8) terms.funder = other;
    if (which == 9) terms.keeper = other;
    if (which == 10) ++terms.triggerHealthWad;
    if (which == 11) ++terms.targetHealthWad;
    if (which == 12) ++terms.capPerRescue;
    if (which == 13) ++terms.capPerDay;
    if (which == 14) ++terms.minRepay;
    if (which == 15) (terms.expiresAt, terms.cooldownSeconds) = (terms.expiresAt + 1, terms.cooldownSeconds / 2);
    consent.borrowerEpoch = revocations.epochOf(terms.borrower);
    consent.funderEpoch = revocations.epochOf(terms.funder);
  }

  function _consent(uint256 seed, address borrower, address funder)
    private
    returns (ILoanGuard.Consent memory consent)
  {
    consent.terms = _terms(seed, borrower, funder);
    consent.nonce = ++_nonce;
    consent.deadline = block.timestamp + 1 days;
    consent.borrowerEpoch = revocations.epochOf(borrower);
    consent.funderEpoch = revocations.epochOf(funder);
  }

  function _note(uint256 guardId, ILoanGuard.Terms memory terms) private {
    noted[guardId].terms = keccak256(abi.encode(terms));
  }

  function _give(address account, uint256 amount) private {
    token.mint(account, amount);
    funds[account] += amount;
  }

  function _loan(address borrower) private view returns (MockLendingMarket.Account memory loan) {
    (loan.debt, loan.interest, loan.otherDebtUsd, loan.weightedCollateralUsd) = lending.accounts(borrower);
  }

  function _balances() private view returns (uint256[] memory balances) {
    balances = new uint256[](accounts.length);
    for (uint256 i; i < balances.length; ++i) {
      balances[i] = token.balanceOf(accounts[i].who);
    }
  }

  function _sign(uint256 key, ILoanGuard.Consent memory consent) private view returns (bytes memory) {
    (uint8 v, bytes32 r, bytes32 s) = vm.sign(key, guard.digestOf(consent));
    return abi.encodePacked(r, s, v);
  }

  function _pick(uint256 seed) private view returns (uint256) {
    uint256 count = guard.guardCount();
    return count == 0 ? 0 : 1 + seed % count;
  }

  function _terms(uint256 seed, address borrower, address funder) private view returns (ILoanGuard.Terms memory) {
    uint256 trigger = bound(uint256(keccak256(abi.encode(seed, 1))), 1e18, 1.3e18);
    uint256 cap = bound(uint256(keccak256(abi.encode(seed, 2))), 1_000e18, 40_000e18);
    return ILoanGuard.Terms({
      borrower: borrower,
      funder: funder,
      adapter: address(lending),
      market: _market,
      keeper: seed % 2 == 0 ? keeper : address(0),
      priceSource: address(0),
      triggerHealthWad: uint64(trigger),
      targetHealthWad: uint64(bound(uint256(keccak256(abi.encode(seed, 3))), trigger * 103 / 100, 2e18)),
      capPerRescue: uint128(cap),
      capPerDay: uint128(bound(uint256(keccak256(abi.encode(seed, 4))), 1_000e18, 60_000e18)),
      minRepay: uint128(bound(uint256(keccak256(abi.encode(seed, 5))), 1, 100e18)),
      cooldownSeconds: uint32(bound(uint256(keccak256(abi.encode(seed, 6))), 0, 1 days)),
      expiresAt: uint40(block.timestamp + bound(uint256(keccak256(abi.encode(seed, 7))), 1 days, 90 days))
    });
  }
}
