// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {ILendingMarket} from "../../../contracts/interfaces/ILendingMarket.sol";
import {ILoanGuard} from "../../../contracts/interfaces/ILoanGuard.sol";
import {BoundedPrices} from "../../../contracts/libraries/BoundedPrices.sol";
import {GuardBase} from "../../base/GuardBase.sol";
import {RawPriceSource} from "../../mocks/RawPriceSource.sol";

/// A guard that names a price source. The loan: D = 1,000 USD, W = 1,150 USD, health 1.15; the trigger is 1.05, the
/// target 1.25. At a source's price of 0.9 USD the collateral weighs 1,035 USD: health 1.035. By the protocol's prices
/// the debt at the target is 920 USD, so a rescue takes 80 tokens.
contract LoanGuardRescueSourceTest is GuardBase {
  uint128 private constant NEEDED_BY_SOURCE = 80e18;
  uint256 private guardId;

  function setUp() public override {
    super.setUp();
    guardId = _register(_watching());
    _setLoan(borrower, 1_000e18, 0, 1_150e18);
  }

  function _watching() private view returns (ILoanGuard.Terms memory terms) {
    terms = _terms();
    terms.priceSource = address(source);
  }

  /// LG-26, LG-27: the source's health triggers, and the protocol's prices size the rescue and measure it.
  function test_source_triggersBeforeTheProtocol() public {
    source.setPrice(address(token), 0.9e18);
    vm.expectEmit(address(guard));
    emit ILoanGuard.LoanRescued(
      guardId, borrower, NEEDED_BY_SOURCE, 1.15e18, 1.25e18, ILoanGuard.Outcome.Full, 1.035e18
    );
    vm.prank(stranger);
    assertEq(guard.rescue(guardId), NEEDED_BY_SOURCE);

    assertEq(token.balanceOf(borrower), 10_000e18 - NEEDED_BY_SOURCE);
    assertEq(_debt(borrower), 920e18);
    ILoanGuard.Rescue memory expected =
      ILoanGuard.Rescue(NEEDED_BY_SOURCE, START, ILoanGuard.Outcome.Full, 1.15e18, 1.25e18);
    assertEq(abi.encode(_lastRescue(guardId)), abi.encode(expected));
  }

  /// LG-26: the same in a list, within its gas.
  function test_source_triggersInAList() public {
    source.setPrice(address(token), 0.9e18);
    uint256[] memory ids = new uint256[](1);
    ids[0] = guardId;
    assertEq(guard.rescueMany(ids, 0)[0].repaid, NEEDED_BY_SOURCE);
  }

  /// LG-26: exactly at the trigger is not below it.
  function test_source_mustBeBelowTheTrigger() public {
    _setLoan(borrower, 1_000e18, 0, 1_200e18);
    source.setPrice(address(token), 0.875e18);
    _expectNotBelow(1.05e18);
    source.setPrice(address(token), 0.875e18 - 1);
    guard.rescue(guardId);
  }

  /// LG-26: of two healths the worse counts, so a source above the protocol changes nothing, either way.
  function test_source_aboveTheProtocolChangesNothing() public {
    source.setPrice(address(token), 5e18);
    _expectNotBelow(1.15e18);
    _endanger();
    vm.expectEmit(address(guard));
    emit ILoanGuard.LoanRescued(guardId, borrower, NEEDED, 1.02e18, 1.25e18, ILoanGuard.Outcome.Full, 0);
    guard.rescue(guardId);
  }

  /// LG-26: a guard without a source asks none.
  function test_source_notNamedIsNotAsked() public {
    source.setPrice(address(token), 0.5e18);
    uint256 plain = _register(_terms());
    vm.expectCall(address(source), "", 0);
    vm.expectCall(address(lending), abi.encodePacked(ILendingMarket.weightedCollateralBy.selector), 0);
    vm.expectRevert(abi.encodeWithSelector(ILoanGuard.HealthNotBelowTrigger.selector, 1.15e18, 1.05e18));
    guard.rescue(plain);
  }

  /// LG-26: the protocol's own health is enough, and then the source is not asked.
  function test_source_isNotAskedBelowTheProtocolsTrigger() public {
    _endanger();
    vm.expectCall(address(lending), abi.encodePacked(ILendingMarket.weightedCollateralBy.selector), 0);
    assertEq(guard.rescue(guardId), NEEDED);
  }

  /// LG-27: nothing is needed by the protocol's sums, whatever the source says.
  function test_source_neverTakesMoreThanTheTargetNeeds() public {
    source.setPrice(address(token), 0.5e18);
    _setLoan(borrower, 1_000e18, 0, 1_250e18);
    vm.expectRevert(abi.encodeWithSelector(ILoanGuard.HealthAtTarget.selector, 1.25e18, 1.25e18));
    guard.rescue(guardId);
    _assertUntouched(guardId);

    // Just below it, what is needed is below the minimum.
    _setLoan(borrower, 1_000e18, 0, 1_250e18 - 1e18);
    vm.expectRevert(abi.encodeWithSelector(ILoanGuard.RepayBelowMinimum.selector, 0.8e18, 1e18));
    guard.rescue(guardId);
  }

  /// LG-27: a source however far too low takes what the target needs, and no second time.
  function testFuzz_attack_aSourceFarTooLowTakesWhatTheTargetNeeds(uint256 price) public {
    ILoanGuard.Terms memory terms = _watching();
    terms.cooldownSeconds = 0;
    guardId = _register(terms);
    source.setPrice(address(token), bound(price, 1, 0.8e18));
    assertEq(guard.rescue(guardId), NEEDED_BY_SOURCE);
    vm.expectRevert(abi.encodeWithSelector(ILoanGuard.HealthAtTarget.selector, 1.25e18, 1.25e18));
    guard.rescue(guardId);
  }

  /// LG-27: the caps hold as for any rescue.
  function test_attack_aSourceMovesNoCap() public {
    ILoanGuard.Terms memory terms = _watching();
    (terms.capPerRescue, terms.capPerDay, terms.cooldownSeconds) = (30e18, 50e18, 0);
    guardId = _register(terms);
    source.setPrice(address(token), 1);
    assertEq(guard.rescue(guardId), 30e18);
    assertEq(guard.rescue(guardId), 20e18);
    vm.expectRevert(abi.encodeWithSelector(ILoanGuard.DayCapUsedUp.selector, 0, 1e18));
    guard.rescue(guardId);
  }

  /// LG-3, LG-28: with the page's own terms. The source triggers a rescue at the protocol's old prices, and then those
  /// fall: the loan is rescued again at once, and from then on the cooldown holds.
  function test_source_cooldownDoesNotStopTheProtocol() public {
    _watch(1.1e18, 1.25e18, 1 hours);
    _setLoan(borrower, 1_000e18, 0, 1_120e18);
    source.setPrice(address(token), 0.8e18);
    assertEq(guard.rescue(guardId), 104e18);
    assertTrue(guard.guard(guardId).state.isBySource);

    skip(3);
    _setLoan(borrower, 896e18, 0, 1_120e18 * 8 / 10);
    assertEq(guard.rescue(guardId), 179.2e18, "at a health of 1.0 the loan waits for nothing");
    assertFalse(guard.guard(guardId).state.isBySource);
    assertEq(guard.rescues(guardId, 1, 2)[0].healthBeforeWad, 1e18);

    uint256 until = block.timestamp + 1 hours;
    _setLoan(borrower, 800e18, 0, 800e18);
    _expectCoolingDown(until);
    vm.warp(until - 1);
    _expectCoolingDown(until);
    skip(1);
    guard.rescue(guardId);
  }

  /// LG-3: against further rescues that the source triggers, the cooldown of such a rescue holds, to the second. The
  /// source is not even asked.
  function test_source_cooldownHoldsAgainstTheSource() public {
    _watch(1.1e18, 1.25e18, 1 hours);
    source.setPrice(address(token), 0.8e18);
    guard.rescue(guardId);
    _setLoan(borrower, 1_000e18, 0, 1_100e18);
    vm.expectCall(address(lending), abi.encodePacked(ILendingMarket.weightedCollateralBy.selector), 1);
    vm.warp(START + 1 hours - 1);
    _expectCoolingDown(START + 1 hours);
    skip(1);
    guard.rescue(guardId);
  }

  /// LG-3: at the trigger itself the protocol does not ask for a rescue, so this one is the source's.
  function test_source_triggersAtTheProtocolsTrigger() public {
    source.setPrice(address(token), 0.9e18);
    _setLoan(borrower, 1_000e18, 0, 1_050e18);
    guard.rescue(guardId);
    assertTrue(guard.guard(guardId).state.isBySource);
  }

  /// LG-3: a rescue that the protocol's health asked for holds back both kinds.
  function test_source_cooldownOfTheProtocolHoldsAgainstBoth() public {
    source.setPrice(address(token), 0.8e18);
    _endanger();
    guard.rescue(guardId);
    for (uint256 i; i < 2; ++i) {
      _setLoan(borrower, 1_000e18, 0, i == 0 ? 1_150e18 : 1_020e18);
      _expectCoolingDown(START + 1 hours);
    }
  }

  /// LG-28: where the target is as near as terms allow, a liquidator has the source take next to nothing. The loan is
  /// rescued all the same once the protocol's price falls.
  function test_attack_aStrangerCannotLockTheGuardByTheSource() public {
    _watch(1.1e18, 1.122e18, 1 days);
    _setLoan(borrower, 1_000e18, 0, 1_120e18);
    source.setPrice(address(token), 0.98e18);
    vm.prank(stranger);
    uint256 first = guard.rescue(guardId);
    assertLt(first, 2e18);
    _setLoan(borrower, 1_000e18 - first, 0, 1_000e18);
    assertGt(guard.rescue(guardId), 100e18);
  }

  /// LG-3: whatever the prices do, no two rescues that the protocol asked for lie within a cooldown, nor two of the source,
  /// nor one of the source after one of the protocol; and no rescue that the protocol asks for waits for the source's.
  function testFuzz_source_cooldowns(uint256 seed) public {
    _watch(1.1e18, 1.25e18, 1 hours);
    source.setPrice(address(token), 0.8e18);
    (uint256 byProtocol, uint256 bySource) = (0, 0);
    for (uint256 i; i < 12; ++i) {
      seed = uint256(keccak256(abi.encode(seed)));
      skip(seed % 40 minutes);
      // Below the trigger, or above it and below it by the source.
      bool isEndangered = (seed >> 128) % 2 == 0;
      _setLoan(borrower, 100e18, 0, isEndangered ? 105e18 : 120e18);
      bool isFree = block.timestamp >= byProtocol + 1 hours;
      if (!isEndangered) isFree = isFree && block.timestamp >= bySource + 1 hours;
      (bool isRescued,) = address(guard).call(abi.encodeCall(guard.rescue, (guardId)));
      assertEq(isRescued, isFree, "due");
      if (isRescued && isEndangered) byProtocol = block.timestamp;
      if (isRescued && !isEndangered) bySource = block.timestamp;
    }
  }

  /// LG-28: a source without a price triggers nothing and stops nothing.
  function test_source_thatFailsChangesNothing() public {
    RawPriceSource raw = new RawPriceSource();
    vm.etch(address(source), address(raw).code);
    raw = RawPriceSource(address(source));
    bytes[6] memory heads = [
      bytes(""),
      abi.encode(0, 0),
      abi.encode(uint256(type(uint128).max) + 1, 1),
      abi.encode(type(uint256).max, 1),
      abi.encode(1),
      abi.encode(1, 1, 1)
    ];
    uint256[6] memory sizes = [uint256(0), 64, 64, 64, 32, 96];
    for (uint256 i; i < heads.length; ++i) {
      raw.set(RawPriceSource.Manner.Return, heads[i], sizes[i]);
      _assertIgnored();
    }
    raw.set(RawPriceSource.Manner.Revert, "", 100_000);
    _assertIgnored();
    raw.set(RawPriceSource.Manner.Revert, abi.encode(1, 1), 64);
    _assertIgnored();
    raw.set(RawPriceSource.Manner.BurnAllGas, "", 0);
    _assertIgnored();
    raw.set(RawPriceSource.Manner.WriteState, abi.encode(1, 1), 64);
    _assertIgnored();
    assertEq(raw.written(), 0);
    // The same answer without its misbehaviour would trigger.
    raw.set(RawPriceSource.Manner.Return, abi.encode(1, 1), 64);
    guard.rescue(guardId);
  }

  /// LG-28: an adapter that cannot tell triggers nothing and stops nothing either. The error names the source, and the
  /// adapter's reason if it gave one.
  function test_source_thatTheAdapterCannotUseChangesNothing() public {
    source.setPrice(address(token), 0.5e18);
    bytes memory question = abi.encodeCall(ILendingMarket.weightedCollateralBy, (address(source), borrower, market));
    vm.mockCallRevert(address(lending), question, abi.encodeWithSelector(ILendingMarket.PriceUnavailable.selector, 1));
    _assertUnreadable(ILendingMarket.PriceUnavailable.selector);
    vm.mockCallRevert(address(lending), question, "");
    _assertUnreadable(0);
    bytes[4] memory answers =
      [bytes(""), abi.encodePacked(uint128(0)), abi.encode(0, 0), abi.encode(uint256(type(uint128).max) + 1)];
    for (uint256 i; i < answers.length; ++i) {
      vm.mockCall(address(lending), question, answers[i]);
      _assertUnreadable(0);
    }
    vm.mockCall(address(lending), question, abi.encode(0));
    guard.rescue(guardId);
  }

  /// LG-28: the library says so rather than answer zero.
  function test_priceOrZero_refusesLittleGas() public {
    source.setPrice(address(token), 0.5e18);
    assertEq(this.priceOrZero(), 0.5e18);
    (bool done, bytes memory why) = address(this).call{gas: 200_000}(abi.encodeCall(this.priceOrZero, ()));
    assertFalse(done);
    assertEq(bytes4(why), BoundedPrices.PriceGasTooLow.selector);
  }

  function priceOrZero() external view returns (uint256) {
    return BoundedPrices.priceOrZero(address(source), address(token));
  }

  /// LG-4: no debt and no collateral are refused as without a source.
  function test_source_makesNoLoanOfNone() public {
    source.setPrice(address(token), 0.5e18);
    _setLoan(borrower, 0, 0, 1_000e18);
    vm.expectRevert(abi.encodeWithSelector(ILoanGuard.NoDebt.selector, borrower));
    guard.rescue(guardId);
    _setLoan(borrower, 1_000e18, 0, 0);
    vm.expectRevert(abi.encodeWithSelector(ILoanGuard.NoCollateral.selector, borrower));
    guard.rescue(guardId);
  }

  function _watch(uint64 triggerHealthWad, uint64 targetHealthWad, uint32 cooldownSeconds) private {
    ILoanGuard.Terms memory terms = _watching();
    (terms.triggerHealthWad, terms.targetHealthWad) = (triggerHealthWad, targetHealthWad);
    terms.cooldownSeconds = cooldownSeconds;
    guardId = _register(terms);
  }

  function _expectCoolingDown(uint256 until) private {
    vm.expectRevert(abi.encodeWithSelector(ILoanGuard.CoolingDown.selector, until, block.timestamp));
    guard.rescue(guardId);
  }

  /// Refused at the protocol's health of 1.15, and rescued all the same at 1.02.
  function _assertIgnored() private {
    _expectNotBelow(1.15e18);
    _assertRescuedByTheProtocol();
  }

  function _assertUnreadable(bytes4 reason) private {
    vm.expectRevert(abi.encodeWithSelector(ILoanGuard.SourceUnreadable.selector, source, reason));
    guard.rescue(guardId);
    _assertRescuedByTheProtocol();
  }

  function _assertRescuedByTheProtocol() private {
    uint256 snapshot = vm.snapshotState();
    _endanger();
    assertEq(guard.rescue(guardId), NEEDED);
    assertTrue(vm.revertToState(snapshot));
  }

  function _expectNotBelow(uint256 healthWad) private {
    vm.expectRevert(abi.encodeWithSelector(ILoanGuard.HealthNotBelowTrigger.selector, healthWad, 1.05e18));
    guard.rescue(guardId);
  }
}
