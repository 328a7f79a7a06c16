// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

import {ICollateralGuard} from "../../../contracts/interfaces/ICollateralGuard.sol";
import {ILoanGuard} from "../../../contracts/interfaces/ILoanGuard.sol";
import {IVToken, IVTokenDeposit} from "../../../contracts/interfaces/IVenus.sol";
import {Bsc} from "../../../script/Bsc.sol";
import {CollateralForkBase} from "../../base/CollateralForkBase.sol";
import {IVenusPools, IVenusUser} from "../RescueVenus.t.sol";

/// @notice Loans rescued out of their own collateral, on Venus's and PancakeSwap's real code.
contract CollateralRescueForkTest is CollateralForkBase {
  /// CG-7, CG-9, CG-11, CG-12
  function test_restoresTheTarget() public {
    _borrowTo(1.08e18);
    (uint256 repaid, uint256 cost) = _rescueAndCheck(Bsc.V_ETH);
    emit log_named_uint("repaid, USDT", repaid / 1e18);
    emit log_named_uint("all-in cost, 1/100 bps", cost);
    assertLt(cost, 1_000);
    ILoanGuard.Rescue memory done = guard.rescues(guardId, 0, 1)[0].repayment;
    assertEq(uint256(done.outcome), uint256(ILoanGuard.Outcome.Full));
  }

  function test_restoresALoanThatCanBeLiquidated() public {
    _borrowTo(1.01e18);
    _fall(97);
    assertLt(_health(), 1e18);
    _rescueAndCheck(Bsc.V_ETH);
  }

  /// VM-3: vBNB pays with 2,300 gas, and the pool takes WBNB.
  function test_ofBnb() public {
    _supplyInstead(Bsc.V_BNB, 50e18);
    _borrowTo(1.08e18);
    _rescueAndCheck(Bsc.V_BNB);
  }

  /// Only the collateral agreed is touched.
  function test_withAnotherCollateral() public {
    _supply(Bsc.V_BTC, 0.2e18);
    _borrowTo(1.08e18);
    uint256 btc = IVTokenDeposit(Bsc.V_BTC).balanceOf(owner);
    _rescueAndCheck(Bsc.V_ETH);
    assertEq(IVTokenDeposit(Bsc.V_BTC).balanceOf(owner), btc);
  }

  /// The thresholds of the account's e-mode pool.
  function test_inAnEModePool() public {
    vm.startPrank(Bsc.VENUS_TIMELOCK);
    uint96 pool = IVenusPools(Bsc.COMPTROLLER).createPool("bowline");
    (uint96[] memory pools, address[] memory markets) = (new uint96[](2), new address[](2));
    (pools[0], markets[0]) = (pool, Bsc.V_ETH);
    (pools[1], markets[1]) = (pool, Bsc.V_USDT);
    IVenusPools(Bsc.COMPTROLLER).addPoolMarkets(pools, markets);
    IVenusPools(Bsc.COMPTROLLER).setCollateralFactor(pool, Bsc.V_ETH, 0.9e18, 0.93e18);
    IVenusPools(Bsc.COMPTROLLER).setIsBorrowAllowed(pool, Bsc.V_USDT, true);
    vm.stopPrank();
    vm.prank(owner);
    IVenusPools(Bsc.COMPTROLLER).enterPool(pool);
    _borrowTo(1.08e18);
    _rescueAndCheck(Bsc.V_ETH);
  }

  /// CG-7
  function testFuzz_reachesTheTarget(uint256 health, uint256 target, uint256 cost, uint256 debtBlocks) public {
    health = bound(health, 1.001e18, 1.3e18);
    ICollateralGuard.Terms memory terms = _terms(Bsc.V_ETH);
    terms.triggerHealthWad = uint64(health + 1e9);
    terms.targetHealthWad = uint64(bound(target, (health + 1e9) * 102 / 100 + 1, 4e18));
    terms.maxCostBps = uint16(bound(cost, 20, 500));
    guardId = _register(terms);
    _borrowTo(health);
    vm.roll(block.number + bound(debtBlocks, 0, 100_000));
    IVToken(Bsc.V_USDT).borrowBalanceCurrent(owner);
    uint256 before = _health();
    guard.rescue(guardId, none);
    assertGe(_health(), terms.targetHealthWad);
    // The overshoot is bounded by the unused part of the cost.
    assertLe(_health(), uint256(terms.targetHealthWad) * (10_000 + 12 * uint256(terms.maxCostBps)) / 10_000);
    assertGt(_health(), before);
    _assertNothingStays(Bsc.V_ETH, Bsc.ETH);
  }

  /// CG-7, CG-11: The allowance is the most that can ever be sold.
  function test_cutByTheAllowance_isPartial() public {
    _borrowTo(1.08e18);
    uint256 some = 1e18 * WAD / IVTokenDeposit(Bsc.V_ETH).exchangeRateStored();
    vm.prank(owner);
    IERC20(Bsc.V_ETH).approve(address(guard), some);
    uint256 receipts = IVTokenDeposit(Bsc.V_ETH).balanceOf(owner);
    uint256 before = _health();
    guard.rescue(guardId, none);
    assertGt(_health(), before);
    assertLt(_health(), TARGET);
    assertLe(receipts - IVTokenDeposit(Bsc.V_ETH).balanceOf(owner), some);
    ILoanGuard.Rescue memory done = guard.rescues(guardId, 0, 1)[0].repayment;
    assertEq(uint256(done.outcome), uint256(ILoanGuard.Outcome.Partial));
  }

  /// LG-3, CG-7
  function test_cutByTheCaps_isPartial_andCoolsDown() public {
    // Both cooldowns are to lie within one UTC day.
    uint256 left = 1 days - block.timestamp % 1 days;
    if (left <= 1_200) vm.warp(block.timestamp + left);
    _keepSourceFresh();
    ICollateralGuard.Terms memory terms = _terms(Bsc.V_ETH);
    (terms.capPerRescue, terms.capPerDay, terms.cooldownSeconds) = (1_000e18, 1_500e18, 600);
    guardId = _register(terms);
    _borrowTo(1.08e18);
    assertEq(guard.rescue(guardId, none), 1_000e18);
    vm.expectRevert(abi.encodeWithSelector(ILoanGuard.CoolingDown.selector, block.timestamp + 600, block.timestamp));
    guard.rescue(guardId, none);
    _keepSourceFresh();
    vm.warp(block.timestamp + 600);
    assertEq(guard.rescue(guardId, none), 500e18);
    vm.warp(block.timestamp + 600);
    vm.expectRevert(abi.encodeWithSelector(ILoanGuard.DayCapUsedUp.selector, 0, terms.minRepay));
    guard.rescue(guardId, none);
    assertEq(guard.guard(guardId).state.takenInDay, 1_500e18);
    assertEq(guard.guard(guardId).state.rescues, 2);
    assertEq(guard.guard(guardId).state.coolingSince, block.timestamp - 600);
  }

  /// CG-10: A thin or disturbed pool makes a rescue smaller, not dearer, and starts no cooldown.
  function test_cutByThePool_isPartial_andDoesNotCoolDown() public {
    ICollateralGuard.Terms memory terms = _terms(Bsc.V_ETH);
    (terms.cooldownSeconds, terms.triggerHealthWad) = (600, 1.2e18);
    guardId = _register(terms);
    _borrowTo(1.08e18);
    // A stranger sells ETH until the pool is 0.9 % below the feeds; 0.05 % is left for the rescue.
    _push(90);
    terms.minRepay = 9_000e18;
    uint256 larger = _register(terms);
    vm.expectPartialRevert(ILoanGuard.RepayBelowMinimum.selector);
    guard.rescue(larger, none);
    uint256 worth = _worth();
    uint256 before = _health();
    uint256 repaid = guard.rescue(guardId, none);
    emit log_named_uint("repaid at a disturbed pool", repaid / 1e18);
    assertGt(_health(), before);
    assertLt(_health(), TARGET);
    _assertWithinTheCost(worth, repaid);
    assertEq(guard.guard(guardId).state.coolingSince, 0);
    assertEq(guard.guard(guardId).state.lastRescueAt, block.timestamp);
    // The pool is at the limit now.
    vm.expectPartialRevert(ICollateralGuard.PoolTooDear.selector);
    guard.rescue(guardId, none);
  }

  /// CG-10: The other order of the pool's tokens: WBNB's address is above USDT's, ETH's below.
  function test_cutByAPoolOfTheOtherOrder() public {
    assertTrue(Bsc.ETH < Bsc.USDT && Bsc.WBNB > Bsc.USDT);
    _supplyInstead(Bsc.V_BNB, 500e18);
    ICollateralGuard.Terms memory terms = _terms(Bsc.V_BNB);
    (terms.capPerRescue, terms.capPerDay) = (1e25, 1e25);
    guardId = _register(terms);
    _borrowTo(1.08e18);
    uint256 snapshot = vm.snapshotState();
    _push(Bsc.WBNB, Bsc.USDT, 500, 110);
    vm.expectPartialRevert(ICollateralGuard.PoolTooDear.selector);
    guard.rescue(guardId, none);
    vm.revertToState(snapshot);
    _push(Bsc.WBNB, Bsc.USDT, 500, 92);
    uint256 worth = _worth();
    uint256 before = _health();
    uint256 repaid = guard.rescue(guardId, none);
    assertGt(_health(), before);
    assertLt(_health(), TARGET);
    _assertWithinTheCost(worth, repaid);
  }

  /// CG-14: Stop loss: no debt is left, and the rest of the collateral stays the borrower's.
  function test_unwind() public {
    ICollateralGuard.Terms memory terms = _terms(Bsc.V_ETH);
    terms.targetHealthWad = UNWIND;
    guardId = _register(terms);
    _borrowTo(1.08e18);
    vm.roll(block.number + 1_000);
    uint256 worth = _worth();
    uint256 repaid = guard.rescue(guardId, none);
    assertEq(IVToken(Bsc.V_USDT).borrowBalanceStored(owner), 0);
    _assertWithinTheCost(worth, repaid);
    _assertNothingStays(Bsc.V_ETH, Bsc.ETH);
    ILoanGuard.Rescue memory done = guard.rescues(guardId, 0, 1)[0].repayment;
    assertEq(uint256(done.outcome), uint256(ILoanGuard.Outcome.Full));
    assertEq(done.healthAfterWad, type(uint128).max);
  }

  /// CG-14: "Close now": a trigger above today's health, and the borrower alone may call. A wallet sends both as one batch.
  function test_closeNow() public {
    _borrowTo(2e18);
    ICollateralGuard.Terms memory terms = _terms(Bsc.V_ETH);
    (terms.keeper, terms.triggerHealthWad, terms.targetHealthWad) = (owner, UNWIND, UNWIND);
    terms.route = none;
    ICollateralGuard.Route memory route = none;
    route.firstFee = 500;
    uint256 worth = _worth();
    vm.startPrank(owner);
    guardId = guard.register(terms);
    uint256 repaid = guard.rescue(guardId, route);
    vm.stopPrank();
    assertEq(IVToken(Bsc.V_USDT).borrowBalanceStored(owner), 0);
    _assertWithinTheCost(worth, repaid);
  }

  /// Debt in another market stays, and so does the health that it asks for.
  function test_unwind_withAnotherDebt() public {
    ICollateralGuard.Terms memory terms = _terms(Bsc.V_ETH);
    terms.targetHealthWad = UNWIND;
    guardId = _register(terms);
    _borrowTo(1.3e18);
    vm.prank(owner);
    assertEq(IVenusUser(Bsc.V_USDC).borrow(3_000e18), 0);
    _fall(88);
    guard.rescue(guardId, none);
    assertEq(IVToken(Bsc.V_USDT).borrowBalanceStored(owner), 0);
    assertGt(IVToken(Bsc.V_USDC).borrowBalanceStored(owner), 0);
    assertEq(uint256(guard.rescues(guardId, 0, 1)[0].repayment.outcome), uint256(ILoanGuard.Outcome.Full));
  }

  /// CG-11: A collateral that has fallen to where selling it lowers health.
  function test_harmfulSale_isRefused() public {
    _borrowTo(1.02e18);
    _mockPrice(Bsc.V_ETH, 78);
    vm.expectPartialRevert(ICollateralGuard.SaleWouldHarm.selector);
    guard.rescue(guardId, none);
  }

  /// CG-9: So little that roundings alone cost more than the terms allow.
  function test_dust_isRefused() public {
    ICollateralGuard.Terms memory terms = _terms(Bsc.V_ETH);
    (terms.minRepay, terms.capPerRescue) = (1, 1);
    guardId = _register(terms);
    _borrowTo(1.08e18);
    vm.expectPartialRevert(ICollateralGuard.SaleTooDear.selector);
    guard.rescue(guardId, none);
  }

  /// LG-3
  function test_noDebtAndNoCollateral_areRefused() public {
    vm.expectRevert(abi.encodeWithSelector(ILoanGuard.NoDebt.selector, owner));
    guard.rescue(guardId, none);
  }

  /// CG-7
  function test_bounds_areRefusedByName() public {
    _borrowTo(1.08e18);
    uint256 snapshot = vm.snapshotState();
    vm.prank(owner);
    IERC20(Bsc.V_ETH).approve(address(guard), 0);
    vm.expectRevert(abi.encodeWithSelector(ILoanGuard.AllowanceTooLow.selector, 0, 1e18));
    guard.rescue(guardId, none);
    vm.revertToState(snapshot);
    vm.mockCall(Bsc.V_ETH, abi.encodeCall(IVTokenDeposit.getCash, ()), abi.encode(0));
    vm.expectRevert(abi.encodeWithSelector(ICollateralGuard.CashTooLow.selector, 0, 1e18));
    guard.rescue(guardId, none);
    vm.clearMockedCalls();
    vm.mockCall(Bsc.V_ETH, abi.encodeCall(IVTokenDeposit.balanceOf, (owner)), abi.encode(0));
    vm.expectRevert(abi.encodeWithSelector(ILoanGuard.BalanceTooLow.selector, 0, 1e18));
    guard.rescue(guardId, none);
  }

  /// What the market cannot pay out is not sold.
  function test_cutByTheMarketsCash_isPartial() public {
    _borrowTo(1.08e18);
    vm.mockCall(Bsc.V_ETH, abi.encodeCall(IVTokenDeposit.getCash, ()), abi.encode(1e18));
    guard.rescue(guardId, none);
    ICollateralGuard.Rescue memory done = guard.rescues(guardId, 0, 1)[0];
    assertEq(uint256(done.repayment.outcome), uint256(ILoanGuard.Outcome.Partial));
    assertLe(done.sold, 1e18);
  }
}
