// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";

import {ICollateralGuard} from "../../../contracts/interfaces/ICollateralGuard.sol";
import {ILoanGuard} from "../../../contracts/interfaces/ILoanGuard.sol";
import {SavingsBase} from "../../base/SavingsBase.sol";

/// The rules that CollateralGuard has from LoanGuard, written twice because LoanGuard's code must not change: on one loan,
/// with the same terms, both do the same for the same reason.
contract CollateralGuardAgreeTest is SavingsBase {
  struct Case {
    uint256 debt;
    uint256 otherDebt;
    uint256 weighted;
    uint256 sourceWad;
    uint256 held;
    uint256 allowed;
    uint256 passed;
    bool hasSource;
    bool isInexact;
    bool isKeeper;
    uint8 ending;
  }

  /// LG-3, CG-7, CG-4, LG-11: twice, with time between: caps, days, cooldowns, triggers, keepers, expiries, endings.
  function testFuzz_bothDoTheSame(Case[3] memory cases, uint256 cap, uint256 capPerDay, uint256 minRepay) public {
    ILoanGuard.Terms memory terms = _terms();
    // So little that health does not rise in its last digit is refused out of collateral alone.
    terms.capPerRescue = uint128(bound(cap, 1e15, 2_000e18));
    terms.capPerDay = uint128(bound(capPerDay, 1e15, 2_000e18));
    uint256 most = terms.capPerRescue < terms.capPerDay ? terms.capPerRescue : terms.capPerDay;
    terms.minRepay = uint128(bound(minRepay, 1e12, most / 2));
    if (cases[0].hasSource) terms.priceSource = address(source);
    if (cases[0].isKeeper) terms.keeper = stranger;
    terms.expiresAt = START + 3 days;
    uint256 walletId = _register(terms);
    vm.prank(borrower);
    uint256 savingsId = saver.register(_sameTerms(terms));
    for (uint256 i; i < 3; ++i) {
      _tryBoth(walletId, savingsId, cases[i]);
    }
  }

  function _tryBoth(uint256 walletId, uint256 savingsId, Case memory it) private {
    vm.warp(block.timestamp + bound(it.passed, 0, 1.5 days));
    _prepare(walletId, savingsId, it);
    address caller = it.isKeeper ? stranger : makeAddr("another");
    ICollateralGuard.Route memory none;

    _setLoanOf(it);
    vm.prank(caller);
    (bool walletDone, bytes memory walletSays) = address(guard).call(abi.encodeCall(guard.rescue, (walletId)));
    _setLoanOf(it);
    vm.prank(caller);
    (bool saverDone, bytes memory saverSays) = address(saver).call(abi.encodeCall(saver.rescue, (savingsId, none)));

    assertEq(walletDone, saverDone, "one rescues and the other does not");
    if (!walletDone) {
      assertEq(bytes4(walletSays), bytes4(saverSays), "another reason");
      return;
    }
    _assertSame(abi.decode(walletSays, (uint256)), abi.decode(saverSays, (uint256)));
    _assertSameState(guard.guard(walletId).state, saver.guard(savingsId).state);
    _assertSameRecord(walletId, savingsId);
    // The next case finds the whole of a day's cap in both.
    vm.warp(block.timestamp + 1 days);
  }

  /// One of value for the protocol's roundings, one of units, and what an inexact market may credit too little.
  function _assertSame(uint256 wallet, uint256 savings) private pure {
    assertApproxEqAbs(savings, wallet, 4 + wallet / 1e8, "another amount");
  }

  function _assertSameState(ILoanGuard.State memory wallet, ICollateralGuard.State memory savings) private pure {
    assertEq(savings.isBySource, wallet.isBySource);
    assertEq(savings.lastRescueAt, wallet.lastRescueAt);
    assertEq(savings.coolingSince, wallet.lastRescueAt);
    assertEq(savings.rescues, wallet.rescues);
    assertEq(savings.day, wallet.day);
    _assertSame(wallet.takenInDay, savings.takenInDay);
  }

  function _assertSameRecord(uint256 walletId, uint256 savingsId) private view {
    ILoanGuard.Rescue[] memory wallet = guard.rescues(walletId, 0, 9);
    ICollateralGuard.Rescue[] memory savings = saver.rescues(savingsId, 0, 9);
    assertEq(savings.length, wallet.length);
    uint256 last = wallet.length - 1;
    assertEq(savings[last].repayment.healthBeforeWad, wallet[last].healthBeforeWad);
    assertEq(savings[last].repayment.time, wallet[last].time);
    _assertSame(wallet[last].repaid, savings[last].repayment.repaid);
  }

  function _prepare(uint256 walletId, uint256 savingsId, Case memory it) private {
    source.setPrice(address(token), bound(it.sourceWad, 0.7e18, 1.3e18));
    lending.setInexact(it.isInexact);
    uint256 held = bound(it.held, 0, 3_000e18);
    uint256 allowed = bound(it.allowed, 0, 3_000e18);
    deal(address(token), borrower, held);
    deal(address(receipt), borrower, _depositFor(held));
    vm.startPrank(borrower);
    token.approve(address(guard), allowed);
    receipt.approve(address(saver), _depositFor(allowed));
    if (it.ending % 8 == 0) {
      guard.cancel(walletId);
      saver.cancel(savingsId);
    }
    if (it.ending % 8 == 1) revocations.revokeAll();
    vm.stopPrank();
  }

  /// The least deposit that pays for so much at the terms' cost of a basis point: not one unit less or more.
  function _depositFor(uint256 amount) private pure returns (uint256) {
    return Math.ceilDiv(amount * 10_001, 10_000);
  }

  function _setLoanOf(Case memory it) private {
    uint256 debt = bound(it.debt, 0, 3_000e18);
    uint256 other = bound(it.otherDebt, 0, 500e18);
    // A health of less than its last digit is refused by another name.
    uint256 weighted = it.weighted % 16 == 0 ? 0 : bound(it.weighted, (debt + other) / 100, (debt + other) * 14 / 10);
    _setLoan(borrower, debt, other, weighted);
  }

  function _sameTerms(ILoanGuard.Terms memory terms) private view returns (ICollateralGuard.Terms memory same) {
    same = _savings();
    (same.keeper, same.priceSource, same.expiresAt) = (terms.keeper, terms.priceSource, terms.expiresAt);
    (same.capPerRescue, same.capPerDay, same.minRepay) = (terms.capPerRescue, terms.capPerDay, terms.minRepay);
  }
}
