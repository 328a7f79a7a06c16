// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {ILendingMarket} from "../../../contracts/interfaces/ILendingMarket.sol";
import {ILoanGuard} from "../../../contracts/interfaces/ILoanGuard.sol";
import {GuardBase} from "../../base/GuardBase.sol";
import {MockPriceSource} from "../../mocks/MockPriceSource.sol";
import {MockLendingMarket} from "../../mocks/lending/MockLendingMarket.sol";

contract LoanGuardRegisterTest is GuardBase {
  /// LG-2
  function test_register_numbersGuardsFromOneAndStoresThemActive() public {
    ILoanGuard.Terms memory terms = _terms();
    terms.keeper = stranger;
    vm.expectEmit(address(guard));
    emit ILoanGuard.GuardRegistered(1, borrower, borrower, terms, address(token), 0, 0);
    assertEq(_register(terms), 1);
    assertEq(_register(_terms()), 2);
    assertEq(guard.guardCount(), 2);

    ILoanGuard.Guard memory entry = guard.guard(1);
    assertEq(abi.encode(entry.terms), abi.encode(terms));
    assertEq(entry.repayToken, address(token));
    assertEq(abi.encode(entry.state), abi.encode(ILoanGuard.State(ILoanGuard.Status.Active, 0, 0, 0, 0, false)));
  }

  /// LG-2
  function testFuzz_register_refusesAnyoneButTheBorrower(address caller) public {
    vm.assume(caller != borrower);
    vm.expectRevert(abi.encodeWithSelector(ILoanGuard.NotBorrower.selector, caller, borrower));
    vm.prank(caller);
    guard.register(_terms());
    assertEq(guard.guardCount(), 0);
  }

  /// LG-2: an attacker's adapter would receive the borrower's tokens.
  function test_register_refusesAnAdapterThatTheGuardWasNotBuiltWith() public {
    ILoanGuard.Terms memory terms = _terms();
    terms.adapter = address(new MockLendingMarket(token, market, till, WAD));
    _expectRefused(terms, abi.encodeWithSelector(ILoanGuard.AdapterRefused.selector, terms.adapter));
  }

  /// LG-2: an attacker's market would be approved to take the repayment.
  function test_register_refusesAMarketThatTheProtocolDoesNotList() public {
    ILoanGuard.Terms memory terms = _terms();
    terms.market = bytes32("made up");
    _expectRefused(terms, abi.encodeWithSelector(ILendingMarket.MarketNotListed.selector, terms.market));
  }

  /// LG-2: an attacker's source would trigger rescues at will.
  function test_register_refusesAPriceSourceThatItDoesNotKnow() public {
    ILoanGuard.Terms memory terms = _terms();
    terms.priceSource = address(new MockPriceSource());
    _expectRefused(terms, abi.encodeWithSelector(ILoanGuard.PriceSourceRefused.selector, terms.priceSource));
    terms.priceSource = address(source);
    assertEq(guard.guard(_register(terms)).terms.priceSource, address(source));
  }

  /// LG-2
  function test_register_refusesATriggerBelowOne() public {
    ILoanGuard.Terms memory terms = _terms();
    terms.triggerHealthWad = 1e18 - 1;
    _expectRefused(terms, abi.encodeWithSelector(ILoanGuard.TriggerRefused.selector, 1e18 - 1, 1e18));
    terms.triggerHealthWad = 1e18;
    _register(terms);
  }

  /// LG-2
  function test_register_refusesATargetLessThanTwoPercentAboveTheTrigger() public {
    ILoanGuard.Terms memory terms = _terms();
    terms.targetHealthWad = 1.071e18 - 1;
    _expectRefused(terms, abi.encodeWithSelector(ILoanGuard.TargetRefused.selector, 1.071e18 - 1, 1.071e18, 10e18));
    terms.targetHealthWad = 1.071e18;
    _register(terms);
  }

  /// LG-2: a fractional two percent rounds up: 1.02 · (1e18 + 1) is just above 1.02e18 + 1.
  function test_register_roundsTheLeastTargetUp() public {
    ILoanGuard.Terms memory terms = _terms();
    terms.triggerHealthWad = 1e18 + 1;
    terms.targetHealthWad = 1.02e18 + 1;
    _expectRefused(terms, abi.encodeWithSelector(ILoanGuard.TargetRefused.selector, 1.02e18 + 1, 1.02e18 + 2, 10e18));
    terms.targetHealthWad = 1.02e18 + 2;
    _register(terms);
  }

  /// LG-2
  function test_register_refusesATargetOverTen() public {
    ILoanGuard.Terms memory terms = _terms();
    terms.targetHealthWad = 10e18 + 1;
    _expectRefused(terms, abi.encodeWithSelector(ILoanGuard.TargetRefused.selector, 10e18 + 1, 1.071e18, 10e18));
    terms.targetHealthWad = 10e18;
    _register(terms);
  }

  /// LG-2
  function test_register_refusesAMinimumOfZero() public {
    ILoanGuard.Terms memory terms = _terms();
    (terms.minRepay, terms.capPerRescue, terms.capPerDay) = (0, 5, 7);
    _expectRefused(terms, abi.encodeWithSelector(ILoanGuard.MinRepayRefused.selector, 0, 5, 7));
  }

  /// LG-2: such a guard could never act, although its borrower relies on it.
  function test_register_refusesAMinimumAboveACap() public {
    ILoanGuard.Terms memory terms = _terms();
    (terms.minRepay, terms.capPerRescue, terms.capPerDay) = (6, 5, 7);
    _expectRefused(terms, abi.encodeWithSelector(ILoanGuard.MinRepayRefused.selector, 6, 5, 7));
    (terms.minRepay, terms.capPerRescue, terms.capPerDay) = (6, 7, 5);
    _expectRefused(terms, abi.encodeWithSelector(ILoanGuard.MinRepayRefused.selector, 6, 7, 5));
    (terms.minRepay, terms.capPerRescue, terms.capPerDay) = (5, 5, 5);
    _register(terms);
  }

  /// LG-2
  function test_register_refusesAnExpiryThatIsPast() public {
    ILoanGuard.Terms memory terms = _terms();
    terms.expiresAt = START;
    _expectRefused(terms, abi.encodeWithSelector(ILoanGuard.ExpiryRefused.selector, START, START));
    terms.expiresAt = START + 1;
    _register(terms);
  }

  /// LG-2
  function testFuzz_register_acceptsExactlyTheSoundTerms(
    uint64 trigger,
    uint64 target,
    uint128 capPerRescue,
    uint128 capPerDay,
    uint128 minRepay,
    uint40 expiresAt
  ) public {
    ILoanGuard.Terms memory terms = _terms();
    terms.triggerHealthWad = trigger = uint64(bound(trigger, 0.9e18, 10e18));
    terms.targetHealthWad = target = uint64(bound(target, 1e18, 11e18));
    terms.capPerRescue = capPerRescue = uint128(bound(capPerRescue, 0, 100));
    terms.capPerDay = capPerDay = uint128(bound(capPerDay, 0, 100));
    terms.minRepay = minRepay = uint128(bound(minRepay, 0, 50));
    terms.expiresAt = expiresAt = uint40(bound(expiresAt, START - 10, START + 100));

    bool targetSound = uint256(target) * 100 >= uint256(trigger) * 102 && target <= 10e18;
    bool minimumSound = minRepay > 0 && minRepay <= capPerRescue && minRepay <= capPerDay;
    bool sound = trigger >= 1e18 && targetSound && minimumSound && expiresAt > START;

    vm.prank(borrower);
    try guard.register(terms) {
      assertTrue(sound, "unsound terms registered");
      assertEq(abi.encode(guard.guard(1).terms), abi.encode(terms));
    } catch {
      assertFalse(sound, "sound terms refused");
    }
  }

  function _expectRefused(ILoanGuard.Terms memory terms, bytes memory reason) private {
    uint256 count = guard.guardCount();
    vm.expectRevert(reason);
    vm.prank(borrower);
    guard.register(terms);
    assertEq(guard.guardCount(), count);
  }
}
