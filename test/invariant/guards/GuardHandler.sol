// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {LoanGuard} from "../../../contracts/LoanGuard.sol";
import {ILoanGuard} from "../../../contracts/interfaces/ILoanGuard.sol";
import {MockPriceSource} from "../../mocks/MockPriceSource.sol";
import {MockLendingMarket} from "../../mocks/lending/MockLendingMarket.sol";
import {LoudToken} from "../LoudToken.sol";
import {Loans} from "./Loans.sol";
import {Rescues} from "./Rescues.sol";

/// Borrowers and funders who permit and stop, loans that improve and worsen, and an attacker who repeats and forges
/// consents and makes the market take less than offered.
contract GuardHandler is Rescues {
  ILoanGuard.Consent private _lastConsent;
  bytes private _lastSignature;

  constructor(LoanGuard guard_, MockLendingMarket[2] memory markets_, bytes32 market, MockPriceSource source_)
    Loans(guard_, markets_, market, source_)
  {}

  /*//////////////////////////////////////////////////////////////
                         BORROWERS AND FUNDERS
  //////////////////////////////////////////////////////////////*/

  function register(uint256 seed) external rolls(seed) {
    if (_isFull()) return;
    address borrower = parties[_roll(BORROWERS)].who;
    ILoanGuard.Terms memory terms = _terms(borrower, borrower);
    vm.prank(borrower);
    _note(guard.register(terms), terms);
  }

  function registerFunded(uint256 seed) external rolls(seed) {
    if (_isFull()) return;
    address borrower = parties[_roll(BORROWERS)].who;
    Party memory funder = parties[_roll(parties.length)];
    ILoanGuard.Consent memory consent = _consent(borrower, funder.who);
    bytes memory signature = _sign(funder.key, consent);
    bool isOff = funder.who == address(_wallet) && _wallet.isOff();
    vm.prank(borrower);
    try guard.registerFunded(consent, signature) returns (uint256 guardId) {
      _rule("LG-14: a wallet that accepts no signature has consented", !isOff);
      _note(guardId, consent.terms);
      (_lastConsent, _lastSignature) = (consent, signature);
      _count("registerFunded", true);
    } catch {
      _rule("LG-14: a consent was refused", isOff);
      _count("registerFunded", false);
    }
  }

  /// Stop functions never fail. They are rare.
  function stop(uint256 seed) external rolls(seed) {
    uint256 dice = _roll(24);
    if (dice == 0) return _revokeAll(parties[_roll(parties.length)].who);
    if (dice > 3) return;
    (uint256 guardId, ILoanGuard.Guard memory entry) = _any();
    if (guardId != 0) _cancel(guardId, _oneIn(2) ? entry.terms.borrower : entry.terms.funder);
  }

  /// A funder's balance and allowance change. A wallet accepts no signature for a while.
  function spend(uint256 seed) external rolls(seed) {
    _wallet.turn(_oneIn(4));
    address account = parties[_roll(parties.length)].who;
    LoudToken token = _tokenOf(markets[_roll(2)]);
    uint256 balance = token.balanceOf(account);
    if (balance < 100_000e18 || _oneIn(2)) _give(token, account, _between(0, 1_000_000e18));
    else if (_oneIn(6)) _send(token, account, STRANGER, balance - _roll(1_000e18));
    vm.prank(account);
    token.approve(address(guard), _oneIn(8) ? _roll(10_000e18) : type(uint256).max);
  }

  /*//////////////////////////////////////////////////////////////
                             THE ATTACKER
  //////////////////////////////////////////////////////////////*/

  /// An earlier consent again; or one that is outside its time, signed by somebody else, or signed for something else.
  function forge(uint256 seed) external rolls(seed) {
    ILoanGuard.Consent memory consent = _lastConsent;
    bytes memory signature = _lastSignature;
    uint256 dice = _roll(16);
    if (dice == 0) {
      if (signature.length == 0) return;
    } else {
      uint256 which = _roll(parties.length);
      Party memory funder = parties[which];
      Party memory other = parties[(which + _between(1, parties.length - 1)) % parties.length];
      consent = _consent(parties[_roll(BORROWERS)].who, funder.who);
      if (dice == 1) consent.deadline = block.timestamp - 1;
      if (dice == 2) ++consent.borrowerEpoch;
      if (dice == 3) ++consent.funderEpoch;
      signature = _sign(dice == 4 ? other.key : funder.key, consent);
      // Of another epoch, or altered to name this one.
      if (dice == 2 && _oneIn(2)) --consent.borrowerEpoch;
      if (dice == 3 && _oneIn(2)) --consent.funderEpoch;
      if (dice > 4) _change(consent, dice, other.who);
    }
    _forbid("forged consent", consent.terms.borrower, abi.encodeCall(guard.registerFunded, (consent, signature)));
  }

  /// Without a signature: with somebody else's money, or on somebody else's loan.
  function grab(uint256 seed) external rolls(seed) {
    address borrower = parties[_roll(BORROWERS)].who;
    Party memory funder = parties[_roll(parties.length)];
    ILoanGuard.Consent memory consent = _consent(borrower, funder.who);
    address from = funder.who == borrower ? STRANGER : borrower;
    _forbid("guard without consent", from, abi.encodeCall(guard.register, (consent.terms)));
    bytes memory signature = _sign(funder.key, consent);
    _forbid("guard of another's loan", STRANGER, abi.encodeCall(guard.registerFunded, (consent, signature)));
  }

  /// Mostly the market is honest.
  function cheat(uint256 seed) external rolls(seed) {
    MockLendingMarket lending = markets[_roll(2)];
    lending.setInexact(_oneIn(2));
    bool takesLess = _oneIn(8);
    lending.setMaxTaken(takesLess ? _roll(10_000e18) : type(uint256).max, takesLess && _oneIn(2));
    lending.setMiscredit(_oneIn(12) ? -int256(_oneIn(2) ? 1 : _roll(1e18)) : int256(0));
  }

  /*//////////////////////////////////////////////////////////////
                               THE WORLD
  //////////////////////////////////////////////////////////////*/

  /// Blocks come more often than once a second, so a time may repeat.
  function pass(uint256 seed) external rolls(seed) {
    vm.roll(block.number + 1);
    if (!_oneIn(4)) vm.warp(block.timestamp + _between(1, 18 hours));
  }

  function price(uint256 seed) external rolls(seed) {
    MockLendingMarket lending = markets[_roll(2)];
    lending.setPrice(_between(0.5e18, 2e18));
    // The source may give none.
    source.setPrice(address(lending.token()), _oneIn(4) ? 0 : _between(0.5e18, 1.5e18));
    _setLoan(parties[_roll(BORROWERS)].who, lending, _between(0.9e18, 1.6e18));
  }

  /*//////////////////////////////////////////////////////////////
                                PRIVATE
  //////////////////////////////////////////////////////////////*/

  function _revokeAll(address account) private {
    vm.prank(account);
    try revocations.revokeAll() {}
    catch {
      _rule("LG-11: a stop button has failed", false);
    }
    _count("revokeAll", true);
    for (uint256 id = guard.guardCount(); id != 0; --id) {
      ILoanGuard.Terms memory terms = guard.guard(id).terms;
      if (terms.borrower == account || terms.funder == account) noted[id].isEnded = true;
    }
  }

  /// Changes one term; the terms stay sound.
  function _change(ILoanGuard.Consent memory consent, uint256 which, address other) private {
    ILoanGuard.Terms memory terms = consent.terms;
    if (which == 5) consent.nonce = ++_nonce;
    if (which == 6) ++consent.deadline;
    if (which == 7) terms.borrower = terms.borrower == parties[0].who ? parties[1].who : parties[0].who;
    if (which == 8) terms.funder = other;
    if (which == 9) terms.keeper = other;
    if (which == 10) ++terms.triggerHealthWad;
    if (which == 11) ++terms.targetHealthWad;
    if (which == 12) ++terms.capPerRescue;
    if (which == 13) ++terms.capPerDay;
    if (which == 14) ++terms.minRepay;
    if (which == 15) terms.priceSource = terms.priceSource == address(0) ? address(source) : address(0);
    consent.borrowerEpoch = revocations.epochOf(terms.borrower);
    consent.funderEpoch = revocations.epochOf(terms.funder);
  }
}
