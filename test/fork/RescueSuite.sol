// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

import {LoanGuard} from "../../contracts/LoanGuard.sol";
import {IAggregatorV3} from "../../contracts/interfaces/IAggregatorV3.sol";
import {ILendingMarket} from "../../contracts/interfaces/ILendingMarket.sol";
import {ILoanGuard} from "../../contracts/interfaces/ILoanGuard.sol";
import {Bsc} from "../../script/Bsc.sol";
import {ForkBase} from "../base/ForkBase.sol";
import {GuardTerms} from "../base/GuardTerms.sol";
import {Product} from "../base/Product.sol";

/// @notice What LoanGuard promises in every lending market, on the protocol's own code: a loan of USDT against one BTCB.
/// @dev A protocol's tests say how a loan is made, read and endangered there, and add what that protocol alone has.
abstract contract RescueSuite is ForkBase {
  IERC20 internal constant USDT = IERC20(Bsc.USDT);
  uint64 internal constant TRIGGER = 1.05e18;
  uint64 internal constant TARGET = 1.25e18;
  uint256 internal constant SAVINGS = 100_000e18;

  LoanGuard internal guard;
  uint256 internal guardId;

  /// LG-5, LG-6, LG-8, LG-9, LG-10
  function test_rescue_restoresTargetHealth() public {
    _borrow(75);
    _fallTo(owner, 1.03e18);
    _rescueAndCheck();
  }

  /// LG-6: also below 1.0, where liquidators are already active.
  function test_rescue_ofALiquidatableLoan() public {
    _borrow(75);
    _fallTo(owner, 0.97e18);
    _rescueAndCheck();
  }

  /// LG-5, LG-8: with interest that nothing but the rescue itself has accrued since.
  function test_rescue_withInterest() public {
    _borrow(70);
    _fallTo(owner, 1.03e18);
    uint256 stored = _adapter().storedDebt(owner, _market());
    _age();
    uint256 snapshot = vm.snapshotState();
    uint256 debt = _debt(owner);
    assertGt(debt, stored, "interest is there");
    vm.revertToState(snapshot);

    uint256 repaid = guard.rescue(guardId);

    assertApproxEqRel(_health(owner), TARGET, 1e6, "health at its target");
    assertApproxEqAbs(debt - _adapter().storedDebt(owner, _market()), repaid, 1, "of the whole debt");
  }

  /// LG-4: a healthy loan, before and after a rescue.
  function test_healthyLoan_isRefused() public {
    _borrow(75);
    assertGt(_health(owner), TRIGGER);
    vm.expectPartialRevert(ILoanGuard.HealthNotBelowTrigger.selector);
    guard.rescue(guardId);
    assertEq(guard.rescues(guardId, 0, 1).length, 0);
    _fallTo(owner, 1.03e18);
    _rescueAndCheck();
    vm.expectPartialRevert(ILoanGuard.HealthNotBelowTrigger.selector);
    guard.rescue(guardId);
  }

  /// LG-4
  function test_noDebt_isRefused() public {
    vm.expectRevert(abi.encodeWithSelector(ILoanGuard.NoDebt.selector, owner));
    guard.rescue(guardId);
  }

  /// LG-6, LG-8: the borrower's balance is below the target's need.
  function test_rescue_cutByBalance_isPartial() public {
    _borrow(75);
    _fallTo(owner, 1.03e18);
    deal(Bsc.USDT, owner, 1_000e18);
    uint256 healthBefore = _health(owner);

    assertEq(guard.rescue(guardId), 1_000e18);

    assertEq(USDT.balanceOf(owner), 0);
    ILoanGuard.Rescue memory done = guard.rescues(guardId, 0, 1)[0];
    assertEq(uint256(done.outcome), uint256(ILoanGuard.Outcome.Partial));
    assertApproxEqAbs(done.healthBeforeWad, healthBefore, 1e9);
    assertApproxEqAbs(done.healthAfterWad, _health(owner), 1e9);
    assertGt(_health(owner), healthBefore);
    assertLt(_health(owner), TARGET);
    _assertNothingStays();
  }

  /// LG-13: with another account's tokens, by its signature.
  function test_rescue_outOfAFundersTokens() public {
    (address funder, uint256 key) = makeAddrAndKey("funder");
    deal(Bsc.USDT, funder, SAVINGS);
    vm.prank(funder);
    USDT.approve(address(guard), SAVINGS);
    ILoanGuard.Consent memory consent;
    consent.terms = _terms();
    consent.terms.funder = funder;
    consent.deadline = block.timestamp;
    (uint8 v, bytes32 r, bytes32 s) = vm.sign(key, guard.digestOf(consent));
    vm.prank(owner);
    guardId = guard.registerFunded(consent, abi.encodePacked(r, s, v));
    _borrow(75);
    _fallTo(owner, 1.03e18);
    uint256 repaid = guard.rescue(guardId);
    assertApproxEqRel(_health(owner), TARGET, 1e6);
    assertEq(USDT.balanceOf(funder), SAVINGS - repaid);
    assertEq(USDT.balanceOf(owner), SAVINGS);
  }

  /// LG-9: gifts to adapter and LoanGuard neither pay for a rescue nor block or enlarge it.
  function test_attack_giftsChangeNothing() public {
    _borrow(75);
    _fallTo(owner, 1.03e18);
    uint256 snapshot = vm.snapshotState();
    uint256 repaid = guard.rescue(guardId);
    vm.revertToState(snapshot);
    deal(Bsc.USDT, address(_adapter()), 5e18);
    deal(Bsc.USDT, address(guard), 6e18);
    assertEq(guard.rescue(guardId), repaid);
    assertEq(USDT.balanceOf(owner), SAVINGS - repaid);
    assertEq(USDT.balanceOf(address(_adapter())), 5e18);
    assertEq(USDT.balanceOf(address(guard)), 6e18);
    assertEq(USDT.allowance(address(_adapter()), _spender()), 0);
    assertApproxEqRel(_health(owner), TARGET, 1e6);
  }

  /// LG-20: the rescue of a list.
  function test_rescueMany_ofOne() public {
    _borrow(75);
    _fallTo(owner, 1.03e18);
    uint256[] memory ids = new uint256[](1);
    ids[0] = guardId;
    assertTrue(guard.rescueMany(ids, 0)[0].isRescued);
    assertApproxEqRel(_health(owner), TARGET, 1e6);
  }

  /// LG-26, LG-27: the standard feed falls before the protocol's price does. Size and target are the protocol's.
  function test_rescue_byTheSource() public {
    _borrow(70);
    ILoanGuard.Terms memory terms = _terms();
    terms.priceSource = address(bowline.chainlinkPriceSource);
    (terms.triggerHealthWad, terms.targetHealthWad) = (uint64(_health(owner) * 99 / 100), uint64(_health(owner) * 2));
    uint256 watching = _register(terms);
    vm.expectPartialRevert(ILoanGuard.HealthNotBelowTrigger.selector);
    guard.rescue(watching);

    _standardFeedFallsTo(90);
    assertGt(guard.rescue(watching), 0);
    assertTrue(guard.guard(watching).state.isBySource);
    assertApproxEqRel(_health(owner), terms.targetHealthWad, 1e12, "at the target by the protocol's own prices");
  }

  function _adapter() internal view virtual returns (ILendingMarket);
  /// In which the owner may borrow USDT against BTCB.
  function _market() internal view virtual returns (bytes32);
  /// Whom the adapter pays.
  function _spender() internal view virtual returns (address);
  /// The owner borrows USDT for `percent` of the collateral that counts.
  function _lend(uint256 percent) internal virtual;
  /// Lets interest accrue that no one has counted yet.
  function _age() internal virtual;
  /// Lowers the protocol's price of BTC until the loan's health is `healthWad`.
  function _fallTo(address account, uint256 healthWad) internal virtual;
  /// As the protocol computes it, independently of the adapter.
  function _health(address account) internal view virtual returns (uint256);

  /// Of this adapter alone.
  function _deployGuard() internal {
    address[] memory adapters = new address[](1);
    adapters[0] = address(_adapter());
    address[] memory sources = new address[](1);
    sources[0] = address(bowline.chainlinkPriceSource);
    guard = Product.loanGuard(bowline.revocations, adapters, sources);
  }

  function _register(ILoanGuard.Terms memory terms) internal returns (uint256 id) {
    address token = _adapter().repayToken(terms.market);
    vm.startPrank(terms.borrower);
    IERC20(token).approve(address(guard), type(uint256).max);
    id = guard.register(terms);
    vm.stopPrank();
  }

  function _borrow(uint256 percent) internal {
    _lend(percent);
    deal(Bsc.USDT, owner, SAVINGS);
  }

  /// With the interest up to now.
  function _debt(address account) internal returns (uint256) {
    return _adapter().accrueAndRead(account, _market()).marketDebt;
  }

  function _standardFeedFallsTo(int256 percent) internal {
    (, int256 answer,,,) = IAggregatorV3(Bsc.BTC_FEED).latestRoundData();
    vm.mockCall(
      Bsc.BTC_FEED,
      abi.encodeCall(IAggregatorV3.latestRoundData, ()),
      abi.encode(uint80(1), answer * percent / 100, block.timestamp, block.timestamp, uint80(1))
    );
  }

  function _rescueAndCheck() internal {
    uint256 debtBefore = _debt(owner);
    uint256 healthBefore = _health(owner);
    uint256 balanceBefore = USDT.balanceOf(owner);
    bool isInexact = _adapter().accrueAndRead(owner, _market()).isInexact;
    assertLt(healthBefore, TRIGGER);

    uint256 repaid = guard.rescue(guardId);

    assertApproxEqRel(_health(owner), TARGET, 1e6, "health at its target");
    if (!isInexact) assertGe(_health(owner), TARGET);
    assertEq(balanceBefore - USDT.balanceOf(owner), repaid, "owner paid");
    assertApproxEqAbs(debtBefore - _debt(owner), repaid, isInexact ? 1 : 0, "debt fell");
    _assertNothingStays();
    uint256 count = guard.guard(guardId).state.rescues;
    ILoanGuard.Rescue memory done = guard.rescues(guardId, count - 1, count)[0];
    assertEq(done.repaid, repaid);
    assertEq(done.time, block.timestamp);
    assertEq(uint256(done.outcome), uint256(ILoanGuard.Outcome.Full));
    assertApproxEqAbs(done.healthBeforeWad, healthBefore, 1e9);
    assertApproxEqAbs(done.healthAfterWad, _health(owner), 1e9);
  }

  function _assertNothingStays() internal view {
    assertEq(USDT.balanceOf(address(guard)), 0);
    assertEq(USDT.balanceOf(address(_adapter())), 0);
    assertEq(USDT.allowance(address(_adapter()), _spender()), 0);
  }

  function _terms() internal view returns (ILoanGuard.Terms memory terms) {
    terms = GuardTerms.plain(owner, address(_adapter()), _market(), 50_000e18);
    (terms.triggerHealthWad, terms.targetHealthWad) = (TRIGGER, TARGET);
    (terms.capPerDay, terms.minRepay) = (100_000e18, 1e15);
  }
}
