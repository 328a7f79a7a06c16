// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

import {ICollateralGuard} from "../../../contracts/interfaces/ICollateralGuard.sol";
import {ILendingMarket} from "../../../contracts/interfaces/ILendingMarket.sol";
import {IVToken, IVTokenDeposit} from "../../../contracts/interfaces/IVenus.sol";
import {MarketAddress} from "../../../contracts/libraries/MarketAddress.sol";
import {PancakePools} from "../../../contracts/libraries/PancakePools.sol";
import {Bsc} from "../../../script/Bsc.sol";
import {CollateralForkBase, IVenusAll} from "../../base/CollateralForkBase.sol";

/// @notice Sales over one, two and three pools: BTCB for USDT or USDC.
contract CollateralRoutesForkTest is CollateralForkBase {
  address private debtVToken = Bsc.V_USDT;

  function setUp() public override {
    super.setUp();
    _supplyInstead(Bsc.V_BTC, 0.5e18);
  }

  /// SE-10, CG-7
  function test_twoPools() public {
    guardId = _register(_over(2));
    _borrow(1.08e18);
    uint256 cost = _rescueOver(none);
    emit log_named_uint("two pools: all-in cost, 1/100 bps", cost);
    assertGt(cost, 3_000, "fees of 25 and 5");
  }

  /// SE-10, CG-7
  function test_threePools() public {
    debtVToken = Bsc.V_USDC;
    guardId = _register(_over(3));
    _borrow(1.08e18);
    uint256 cost = _rescueOver(none);
    emit log_named_uint("three pools: all-in cost, 1/100 bps", cost);
    assertGt(cost, 3_100, "fees of 25, 5 and 1");
  }

  /// CG-7: Where the terms name no route, the keeper does.
  function test_theKeepersRoute() public {
    debtVToken = Bsc.V_USDC;
    ICollateralGuard.Terms memory terms = _over(3);
    ICollateralGuard.Route memory route = terms.route;
    (terms.keeper, terms.route) = (address(this), none);
    guardId = _register(terms);
    _borrow(1.08e18);
    uint256 snapshot = vm.snapshotState();
    _rescueOver(route);
    vm.revertToState(snapshot);
    route.thirdFee = 500;
    address missing = PancakePools.poolOf(Bsc.PANCAKE_POOL_DEPLOYER, Bsc.USDT, Bsc.USDC, 500);
    vm.expectRevert(abi.encodeWithSelector(ICollateralGuard.PoolMissing.selector, missing));
    guard.rescue(guardId, route);
    vm.expectPartialRevert(ICollateralGuard.PoolMissing.selector);
    guard.rescue(guardId, none);
  }

  /// CG-10: A stranger has moved the first pool or the last: the rescue is smaller, or refused by name, and never dearer.
  function test_disturbedPools_makeItSmaller() public {
    guardId = _register(_over(2));
    _borrow(1.08e18);
    uint256 undisturbed = _tryOver(0, 0);
    assertGt(undisturbed, 0);
    // Fees are 30 of the 100, and 60 more are gone.
    uint256 first = _tryOver(60, 0);
    uint256 last = _tryOver(0, 60);
    assertLt(first, undisturbed);
    assertLt(last, undisturbed);
    emit log_named_uint("repaid undisturbed", undisturbed / 1e18);
    emit log_named_uint("with the first pool disturbed", first / 1e18);
    emit log_named_uint("with the last pool disturbed", last / 1e18);
    assertEq(_tryOver(80, 0), 0);
    assertEq(_tryOver(0, 80), 0);
  }

  /// @return repaid Zero if it was refused.
  function _tryOver(uint256 firstBps, uint256 lastBps) private returns (uint256 repaid) {
    uint256 snapshot = vm.snapshotState();
    if (firstBps != 0) _push(Bsc.BTCB, Bsc.WBNB, 2500, firstBps);
    if (lastBps != 0) _push(Bsc.WBNB, Bsc.USDT, 500, lastBps);
    uint256 worth = _worth();
    try guard.rescue(guardId, none) returns (uint256 repaid_) {
      repaid = repaid_;
      _assertWithinTheCost(worth, repaid);
    } catch (bytes memory why) {
      bytes4 name = bytes4(why);
      assertTrue(name == ICollateralGuard.PoolTooDear.selector || name == ICollateralGuard.SaleTooDear.selector);
    }
    vm.revertToState(snapshot);
  }

  /// CG-10: A sale becomes smaller at the last pool alone. Over a first one too shallow for the whole need it is refused. A smaller
  /// cap gets through, and a keeper that may choose takes other pools.
  function test_shallowFirstPool_isRefused() public {
    _openPool(Bsc.V_BTC, Bsc.V_BNB, 100, 0, 9e18);
    ICollateralGuard.Terms memory terms = _over(2);
    terms.route.firstFee = 100;
    guardId = _register(terms);
    terms.capPerRescue = 2_000e18;
    uint256 small = _register(terms);
    terms.capPerRescue = 50_000e18;
    ICollateralGuard.Route memory shallow = terms.route;
    (terms.keeper, terms.route) = (address(this), none);
    uint256 chosen = _register(terms);
    _borrow(1.08e18);

    vm.expectPartialRevert(ICollateralGuard.SaleTooDear.selector);
    guard.rescue(guardId, none);
    uint256 snapshot = vm.snapshotState();
    assertEq(guard.rescue(small, none), 2_000e18);
    vm.revertToState(snapshot);
    vm.expectPartialRevert(ICollateralGuard.SaleTooDear.selector);
    guard.rescue(chosen, shallow);
    guardId = chosen;
    _rescueOver(_over(2).route);
  }

  /// CG-7: A pool before the last that has not as much as the next one asks.
  function test_poolThatRunsDry_isRefusedByName() public {
    ICollateralGuard.Terms memory terms = _over(2);
    guardId = _register(terms);
    _borrow(1.08e18);
    address pool = PancakePools.poolOf(Bsc.PANCAKE_POOL_DEPLOYER, Bsc.BTCB, Bsc.WBNB, 2500);
    // Liquidity that ends at the present price.
    vm.mockCall(
      pool, abi.encodeWithSignature("swap(address,bool,int256,uint160,bytes)"), abi.encode(int256(0), int256(0))
    );
    vm.expectPartialRevert(ICollateralGuard.PoolRanDry.selector);
    guard.rescue(guardId, none);
  }

  /// CG-4
  function test_routes_areRefusedByName() public {
    ICollateralGuard.Terms memory terms = _over(2);
    terms.route.thirdFee = 500;
    _assertRefused(terms);
    terms = _over(3);
    terms.route.thirdFee = 0;
    _assertRefused(terms);
    terms = _over(3);
    terms.route.secondFee = 0;
    _assertRefused(terms);
    terms = _over(2);
    terms.route.firstToken = address(0);
    _assertRefused(terms);
    terms = _over(1);
    terms.route.thirdFee = 1;
    _assertRefused(terms);
    terms = _over(1);
    terms.route.secondToken = Bsc.WBNB;
    _assertRefused(terms);
    terms = _over(1);
    terms.route.firstFee = 0;
    _assertRefused(terms);
    terms.collateralMarket = terms.debtMarket;
    vm.prank(owner);
    guard.register(terms);
    terms.route.firstFee = 500;
    _assertRefused(terms);
    terms = _over(2);
    terms.route.secondFee = 10_000;
    vm.prank(owner);
    vm.expectPartialRevert(ICollateralGuard.PoolMissing.selector);
    guard.register(terms);
  }

  function _assertRefused(ICollateralGuard.Terms memory terms) private {
    vm.prank(owner);
    vm.expectRevert(ICollateralGuard.RouteRefused.selector);
    guard.register(terms);
  }

  function _over(uint256 pools) private view returns (ICollateralGuard.Terms memory terms) {
    terms = _terms(Bsc.V_BTC);
    terms.debtMarket = MarketAddress.toMarket(debtVToken);
    if (pools == 1) return terms;
    terms.route.firstFee = 2500;
    terms.route.firstToken = Bsc.WBNB;
    terms.route.secondFee = 500;
    if (pools == 2) return terms;
    terms.route.secondToken = Bsc.USDT;
    terms.route.thirdFee = 100;
  }

  function _borrow(uint256 healthWad) private {
    (, uint256 liquidity,) = COMPTROLLER.getAccountLiquidity(owner);
    uint256 amount = liquidity * WAD / healthWad * WAD / ORACLE.getUnderlyingPrice(debtVToken);
    vm.startPrank(owner);
    assertEq(IVenusAll(debtVToken).borrow(amount), 0);
    IERC20(IVToken(debtVToken).underlying()).transfer(stranger, amount);
    vm.stopPrank();
  }

  /// As `_rescueAndCheck`, for debt in any token.
  function _rescueOver(ICollateralGuard.Route memory route) private returns (uint256 costBps100) {
    ILendingMarket.Position memory before = _position();
    uint256 deposit = IVTokenDeposit(Bsc.V_BTC).balanceOf(owner);
    uint256 held = IERC20(Bsc.BTCB).balanceOf(owner);

    uint256 repaid = guard.rescue(guardId, route);

    ILendingMarket.Position memory left = _position();
    assertEq(before.marketDebt - left.marketDebt, repaid);
    uint256 health = left.weightedCollateralValue * WAD / left.debtValue;
    assertGe(health, TARGET);
    assertLe(health, uint256(TARGET) * 103 / 100);
    uint256 receipts = deposit - IVTokenDeposit(Bsc.V_BTC).balanceOf(owner);
    uint256 back = IERC20(Bsc.BTCB).balanceOf(owner) - held;
    uint256 taken = _usd(receipts * IVTokenDeposit(Bsc.V_BTC).exchangeRateStored() / WAD - back, Bsc.V_BTC);
    costBps100 = (taken - _usd(repaid, debtVToken)) * 1_000_000 / _usd(repaid, debtVToken);
    assertLe(costBps100, uint256(COST_BPS) * 100);
    _assertNothingStays(Bsc.V_BTC, Bsc.BTCB);
    assertEq(IERC20(Bsc.USDC).balanceOf(adapter) + IERC20(Bsc.USDC).balanceOf(address(guard)), 0);
  }

  function _position() private returns (ILendingMarket.Position memory) {
    return bowline.venusMarket.accrueAndRead(owner, MarketAddress.toMarket(debtVToken));
  }
}
