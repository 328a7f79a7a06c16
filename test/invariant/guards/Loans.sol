// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {LoanGuard} from "../../../contracts/LoanGuard.sol";
import {Revocations} from "../../../contracts/Revocations.sol";
import {ILoanGuard} from "../../../contracts/interfaces/ILoanGuard.sol";
import {MockPriceSource} from "../../mocks/MockPriceSource.sol";
import {MockLendingMarket} from "../../mocks/lending/MockLendingMarket.sol";
import {IListener, LoudToken} from "../LoudToken.sol";
import {Rules} from "../Rules.sol";
import {Wallet} from "../Wallet.sol";

/// Who and what there is: three borrowers, two funders, of whom one is a wallet with code, two lending markets, and a
/// price source that guards may name.
abstract contract Loans is Rules, IListener {
  struct Party {
    address who;
    /// Signs for `who`.
    uint256 key;
  }

  /// A guard and its agreement, as the handler knows them.
  struct Noted {
    bytes32 terms;
    uint256 rescues;
    uint256 lastRescueAt;
    bool wasBySource;
    bool isEnded;
  }

  LoanGuard public immutable guard;
  Revocations public immutable revocations;
  MockPriceSource public immutable source;
  Wallet internal immutable _wallet;
  bytes32 private immutable _market;
  uint256 internal constant WAD = 1e18;
  uint256 internal constant BORROWERS = 3;
  address internal constant KEEPER = address(uint160(uint256(keccak256("keeper"))));
  address internal constant STRANGER = address(uint160(uint256(keccak256("stranger"))));
  address internal constant LENDER = address(uint160(uint256(keccak256("lender"))));
  uint256 private constant MAX_LIVE = 8;
  /// What a check of every guard at the end of a sequence can afford.
  uint256 private constant MAX_GUARDS = 60;

  MockLendingMarket[2] public markets;
  /// Borrowers first, then two funders.
  Party[] public parties;
  address[] public accounts;
  /// What each account must hold, from the transfers that should have happened.
  mapping(address token => mapping(address account => uint256)) public ledger;
  mapping(uint256 guardId => Noted) public noted;
  mapping(uint256 guardId => mapping(uint256 day => uint256)) internal _takenInDay;
  uint256[] internal _live;
  uint256 internal _nonce;

  constructor(LoanGuard guard_, MockLendingMarket[2] memory markets_, bytes32 market, MockPriceSource source_) {
    guard = guard_;
    revocations = Revocations(address(guard_.revocations()));
    (markets, source, _market) = (markets_, source_, market);
    for (uint256 i; i < BORROWERS + 1; ++i) {
      uint256 key = uint256(keccak256(abi.encode("account", i)));
      parties.push(Party(vm.addr(key), key));
    }
    uint256 walletsKey = uint256(keccak256("wallet's key"));
    _wallet = new Wallet(vm.addr(walletsKey));
    parties.push(Party(address(_wallet), walletsKey));
    accounts = [STRANGER, LENDER, KEEPER, address(guard_), markets_[0].till(), markets_[1].till()];
    accounts.push(address(markets_[0]));
    accounts.push(address(markets_[1]));
    for (uint256 i; i < 2; ++i) {
      LoudToken token = _tokenOf(markets_[i]);
      _give(token, LENDER, 1e40);
      for (uint256 j; j < parties.length; ++j) {
        if (i == 0) accounts.push(parties[j].who);
        _give(token, parties[j].who, 10_000_000e18);
        vm.prank(parties[j].who);
        token.approve(address(guard_), type(uint256).max);
      }
      token.setListener(this);
    }
  }

  function accountsCount() external view returns (uint256) {
    return accounts.length;
  }

  function _tokenOf(MockLendingMarket lending) internal view returns (LoudToken) {
    return LoudToken(address(lending.token()));
  }

  function _give(LoudToken token, address account, uint256 amount) internal {
    token.mint(account, amount);
    ledger[address(token)][account] += amount;
  }

  function _send(LoudToken token, address from, address to, uint256 amount) internal {
    vm.prank(from);
    token.transfer(to, amount);
    ledger[address(token)][from] -= amount;
    ledger[address(token)][to] += amount;
  }

  /*//////////////////////////////////////////////////////////////
                                GUARDS
  //////////////////////////////////////////////////////////////*/

  function _note(uint256 guardId, ILoanGuard.Terms memory terms) internal {
    noted[guardId].terms = keccak256(abi.encode(terms));
    _live.push(guardId);
  }

  function _isFull() internal view returns (bool) {
    return _live.length >= MAX_LIVE || guard.guardCount() >= MAX_GUARDS;
  }

  /// A guard that has not ended; zero if there is none.
  function _any() internal returns (uint256 guardId, ILoanGuard.Guard memory entry) {
    while (_live.length != 0) {
      uint256 place = _roll(_live.length);
      guardId = _live[place];
      entry = guard.guard(guardId);
      bool hasEnded = entry.isRevoked || entry.state.status == ILoanGuard.Status.Cancelled;
      if (!hasEnded && block.timestamp < entry.terms.expiresAt) return (guardId, entry);
      _live[place] = _live[_live.length - 1];
      _live.pop();
      guardId = 0;
    }
  }

  function _terms(address borrower, address funder) internal returns (ILoanGuard.Terms memory) {
    uint256 trigger = _between(1e18, 1.3e18);
    return ILoanGuard.Terms({
      borrower: borrower,
      funder: funder,
      adapter: address(markets[_roll(2)]),
      market: _market,
      keeper: _oneIn(2) ? KEEPER : address(0),
      priceSource: _oneIn(2) ? address(source) : address(0),
      triggerHealthWad: uint64(trigger),
      targetHealthWad: uint64(_between(trigger * 103 / 100, 2e18)),
      capPerRescue: uint128(_between(1_000e18, 40_000e18)),
      capPerDay: uint128(_between(1_000e18, 60_000e18)),
      minRepay: uint128(_between(1, 100e18)),
      cooldownSeconds: uint32(_roll(1 days)),
      expiresAt: uint40(block.timestamp + _between(1 days, 90 days))
    });
  }

  function _consent(address borrower, address funder) internal returns (ILoanGuard.Consent memory consent) {
    consent.terms = _terms(borrower, funder);
    consent.nonce = ++_nonce;
    consent.deadline = block.timestamp + 1 days;
    consent.borrowerEpoch = revocations.epochOf(borrower);
    consent.funderEpoch = revocations.epochOf(funder);
  }

  function _sign(uint256 key, ILoanGuard.Consent memory consent) internal view returns (bytes memory) {
    (uint8 v, bytes32 r, bytes32 s) = vm.sign(key, guard.digestOf(consent));
    return abi.encodePacked(r, s, v);
  }

  /*//////////////////////////////////////////////////////////////
                                LOANS
  //////////////////////////////////////////////////////////////*/

  function _loanOf(ILoanGuard.Terms memory terms) internal view returns (MockLendingMarket.Account memory loan) {
    (loan.debt, loan.interest, loan.otherDebtUsd, loan.weightedCollateralUsd) =
      MockLendingMarket(terms.adapter).accounts(terms.borrower);
  }

  function _debtUsd(ILoanGuard.Terms memory terms, MockLendingMarket.Account memory loan)
    internal
    view
    returns (uint256)
  {
    return loan.otherDebtUsd + (loan.debt + loan.interest) * MockLendingMarket(terms.adapter).priceWad() / WAD;
  }

  /// A loan of any size with a health, in the market's token and sometimes in others.
  function _setLoan(address borrower, MockLendingMarket lending, uint256 healthWad) internal {
    uint256 debt = _between(1e18, 50_000e18);
    uint256 other = _oneIn(3) ? _roll(20_000e18) : 0;
    uint256 debtUsd = other + debt * lending.priceWad() / WAD;
    lending.setAccount(
      borrower,
      MockLendingMarket.Account({
        debt: debt,
        interest: _oneIn(5) ? debt / 1_000 : 0,
        otherDebtUsd: other,
        weightedCollateralUsd: debtUsd * healthWad / WAD
      })
    );
  }
}
