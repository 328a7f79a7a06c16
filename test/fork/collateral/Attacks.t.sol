// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";

import {ICollateralGuard} from "../../../contracts/interfaces/ICollateralGuard.sol";
import {ICollateralMarket} from "../../../contracts/interfaces/ICollateralMarket.sol";
import {ILoanGuard} from "../../../contracts/interfaces/ILoanGuard.sol";
import {IPancakeV3Pool} from "../../../contracts/interfaces/IPancakeV3Pool.sol";
import {IVTokenDeposit} from "../../../contracts/interfaces/IVenus.sol";
import {PancakePools} from "../../../contracts/libraries/PancakePools.sol";
import {Bsc} from "../../../script/Bsc.sol";
import {CollateralForkBase, IVenusAll} from "../../base/CollateralForkBase.sol";
import {OddAdapter} from "./OddAdapter.sol";

/// @notice What strangers, callers, keepers and callbacks try, on Venus's and PancakeSwap's real code.
contract CollateralAttacksForkTest is CollateralForkBase {
  uint256 private hooks;

  /// CG-9, CG-10: The best and the worst stake of a stranger around the rescue, for loans against 10, 50 and 250 ETH.
  function test_attack_sandwich() public {
    uint256[3] memory more = [uint256(1e10), 40e18, 200e18];
    ICollateralGuard.Terms memory terms = _terms(Bsc.V_ETH);
    (terms.capPerRescue, terms.capPerDay) = (1e25, 1e25);
    guardId = _register(terms);
    for (uint256 i; i < 3; ++i) {
      _supply(Bsc.V_ETH, more[i]);
      _borrowTo(1.08e18);
      _sandwich();
    }
  }

  function _sandwich() private {
    uint256 worth = _worth();
    int256 best = type(int256).min;
    uint256 worst;
    uint256 stakes;
    for (uint256 stake = 0.01e18; stake < 400e18; stake = stake * 5 / 4) {
      uint256 snapshot = vm.snapshotState();
      deal(Bsc.ETH, address(this), stake);
      deal(Bsc.USDT, address(this), 0);
      _trade(Bsc.ETH, Bsc.USDT, stake);
      uint256 repaid;
      try guard.rescue(guardId, none) returns (uint256 repaid_) {
        repaid = repaid_;
        worst = Math.max(worst, _assertWithinTheCost(worth, repaid));
      } catch (bytes memory why) {
        assertEq(bytes4(why), ICollateralGuard.PoolTooDear.selector);
      }
      _trade(Bsc.USDT, Bsc.ETH, USDT.balanceOf(address(this)));
      int256 profit = int256(IERC20(Bsc.ETH).balanceOf(address(this))) - int256(stake);
      uint256 most = _usd(repaid, Bsc.V_USDT) * COST_BPS / 10_000 * WAD / ORACLE.getUnderlyingPrice(Bsc.V_ETH);
      assertLe(profit, int256(most));
      best = profit > best ? profit : best;
      ++stakes;
      assertTrue(vm.revertToStateAndDelete(snapshot));
    }
    assertEq(stakes, 48);
    emit log_named_uint("sandwich: the dearest rescue, 1/100 bps", worst);
    emit log_named_int("best profit, ETH / 1e15", best / 1e15);
    assertLe(worst, uint256(COST_BPS) * 100);
  }

  function _trade(address tokenIn, address tokenOut, uint256 amountIn) private {
    address pool = PancakePools.poolOf(Bsc.PANCAKE_POOL_DEPLOYER, tokenIn, tokenOut, 500);
    bool zeroForOne = tokenIn < tokenOut;
    uint160 limit = zeroForOne ? MIN_SQRT_PRICE : MAX_SQRT_PRICE;
    IPancakeV3Pool(pool).swap(address(this), zeroForOne, int256(amountIn), limit, abi.encode(tokenIn));
  }

  /// CG-4, CG-9: A stolen keeper opens a pool of its own, at another fee, whose only liquidity is its own, near the bound: it takes
  /// the whole cost at most. A guard that anyone may call names its route, and cannot be brought there.
  function test_attack_ownPoolAtAnotherFee() public {
    ICollateralGuard.Terms memory terms = _terms(Bsc.V_ETH);
    terms.keeper = stranger;
    terms.route = none;
    uint256 byKeeper = _register(terms);
    _borrowTo(1.08e18);
    ICollateralGuard.Route memory own = none;
    own.firstFee = 100;
    uint256 worst;
    for (uint256 bps = 80; bps < 104; bps += 2) {
      uint256 snapshot = vm.snapshotState();
      _openPool(Bsc.V_ETH, Bsc.V_USDT, 100, bps, 100_000e18);
      uint256 worth = _worth();
      vm.prank(stranger);
      try guard.rescue(byKeeper, own) returns (uint256 repaid) {
        worst = Math.max(worst, _assertWithinTheCost(worth, repaid));
        vm.revertToState(snapshot);
        _openPool(Bsc.V_ETH, Bsc.V_USDT, 100, bps, 100_000e18);
      } catch {}
      // The route of the terms counts, whatever the caller names.
      guard.rescue(guardId, own);
      assertLt(_assertWithinTheCost(worth, guard.rescues(guardId, 0, 1)[0].repayment.repaid), 1_000);
      assertTrue(vm.revertToStateAndDelete(snapshot));
    }
    emit log_named_uint("a stolen keeper's own pool: the dearest rescue, 1/100 bps", worst);
    assertGt(worst, 9_000);
    (terms.keeper, terms.route) = (address(0), none);
    vm.prank(owner);
    vm.expectRevert(ICollateralGuard.RouteRefused.selector);
    guard.register(terms);
  }

  /// SE-10: Nobody but the pool of the moment is heard, and it once: not a stranger, and not the pool afterwards.
  function test_attack_foreignCallback() public {
    vm.expectRevert(abi.encodeWithSelector(ICollateralGuard.NotPool.selector, address(this)));
    guard.pancakeV3SwapCallback(1, -1, "");
    _borrowTo(1.08e18);
    guard.rescue(guardId, none);
    address pool = PancakePools.poolOf(Bsc.PANCAKE_POOL_DEPLOYER, Bsc.ETH, Bsc.USDT, 500);
    vm.prank(pool);
    vm.expectRevert(abi.encodeWithSelector(ICollateralGuard.NotPool.selector, pool));
    guard.pancakeV3SwapCallback(1, -1, "");
    vm.expectRevert(abi.encodeWithSelector(ILoanGuard.NotSelf.selector, address(this)));
    guard.rescueFor(guardId, none, owner);
  }

  /// LG-11, LG-18: In the middle of a rescue: debt repaid, receipts taken, pool unpaid.
  function test_attack_reentrancy() public {
    _borrowTo(1.08e18);
    OddAdapter odd = new OddAdapter(ICollateralMarket(adapter), Bsc.ETH, this.hook);
    _useAdapter(address(odd));
    guard.rescue(guardId, none);
    assertEq(hooks, 1);
    assertGe(_health(), TARGET);
    assertEq(uint256(guard.guard(guardId).state.status), uint256(ILoanGuard.Status.Cancelled), "stays cancelled");
    assertEq(guard.guard(guardId).state.rescues, 1);
  }

  function hook() external {
    ++hooks;
    bytes4 locked = ReentrancyGuardTransient.ReentrancyGuardReentrantCall.selector;
    _assertRefused(abi.encodeCall(guard.rescue, (guardId, none)), locked);
    _assertRefused(abi.encodeCall(guard.register, (_terms(Bsc.V_ETH))), locked);
    ICollateralGuard.Consent memory consent;
    _assertRefused(abi.encodeCall(guard.registerFunded, (consent, "")), locked);
    _assertRefused(abi.encodeCall(guard.rescueMany, (new uint256[](1), new ICollateralGuard.Route[](1), 0)), locked);
    _assertRefused(abi.encodeCall(guard.pancakeV3SwapCallback, (1, -1, "")), ICollateralGuard.NotPool.selector);
    _assertRefused(abi.encodeCall(guard.rescueFor, (guardId, none, owner)), ILoanGuard.NotSelf.selector);
    address pool = PancakePools.poolOf(Bsc.PANCAKE_POOL_DEPLOYER, Bsc.ETH, Bsc.USDT, 500);
    (bool done,) =
      pool.call(abi.encodeCall(IPancakeV3Pool.swap, (address(this), true, 1e18, MIN_SQRT_PRICE, abi.encode(Bsc.ETH))));
    assertFalse(done, "the pool is locked");
    vm.startPrank(owner);
    guard.cancel(guardId);
    bowline.revocations.revokeAll();
    vm.stopPrank();
  }

  function _assertRefused(bytes memory call, bytes4 reason) private {
    (bool done, bytes memory why) = address(guard).call(call);
    assertTrue(!done && bytes4(why) == reason);
  }

  /// CG-11: The measures at the end, which no honest adapter needs.
  function test_attack_lyingAdapters() public {
    _borrowTo(1.08e18);
    OddAdapter odd = new OddAdapter(ICollateralMarket(adapter), Bsc.ETH, this.nothing);
    _useAdapter(address(odd));
    odd.lie(true, false);
    vm.expectPartialRevert(ICollateralGuard.HealthNotRestored.selector);
    guard.rescue(guardId, none);
    odd.lie(false, true);
    ICollateralGuard.Terms memory terms = guard.guard(guardId).terms;
    // More would leave the account without borrowing power, and Venus would refuse first.
    terms.capPerRescue = 1_000e18;
    guardId = _register(terms);
    vm.expectPartialRevert(ILoanGuard.DebtFellWrong.selector);
    guard.rescue(guardId, none);
    odd.lie(false, false);
    assertEq(guard.rescue(guardId, none), 1_000e18);
    odd.turnTo(Bsc.BTCB);
    vm.expectRevert(abi.encodeWithSelector(ICollateralGuard.CollateralTokenChanged.selector, Bsc.ETH, Bsc.BTCB));
    guard.rescue(guardId, none);
  }

  /// LG-3: Without a source, what an adapter says of one triggers nothing: this one says that the collateral is worth nothing.
  function test_attack_adapterSpeaksForNoSource() public {
    _borrowTo(1.12e18);
    _useAdapter(address(new OddAdapter(ICollateralMarket(adapter), Bsc.ETH, this.nothing)));
    vm.expectPartialRevert(ILoanGuard.HealthNotBelowTrigger.selector);
    guard.rescue(guardId, none);
  }

  function nothing() external {}

  function _useAdapter(address odd) private {
    (guard,) = _deploy(odd, address(bowline.chainlinkPriceSource));
    ICollateralGuard.Terms memory terms = _terms(Bsc.V_ETH);
    (terms.adapter, terms.priceSource) = (odd, address(0));
    guardId = _register(terms);
  }

  /// CG-12: Gifts to markets, adapter and guard neither pay for a rescue nor block or enlarge it.
  function test_attack_gifts() public {
    _borrowTo(1.08e18);
    uint256 snapshot = vm.snapshotState();
    uint256 repaid = guard.rescue(guardId, none);
    uint256 worth = _worth();
    vm.revertToState(snapshot);
    deal(Bsc.ETH, address(this), 1_000e18);
    IERC20(Bsc.ETH).transfer(Bsc.V_ETH, 500e18);
    IERC20(Bsc.ETH).transfer(adapter, 3e18);
    deal(Bsc.USDT, adapter, 5e18);
    deal(Bsc.USDT, address(guard), 6e18);
    IERC20(Bsc.ETH).approve(Bsc.V_ETH, 2e18);
    assertEq(IVenusAll(Bsc.V_ETH).mint(2e18), 0);
    uint256 gift = IVTokenDeposit(Bsc.V_ETH).balanceOf(address(this)) / 2;
    IERC20(Bsc.V_ETH).transfer(address(guard), gift);
    IERC20(Bsc.V_ETH).transfer(adapter, gift);
    vm.deal(adapter, 1 ether);
    assertEq(guard.rescue(guardId, none), repaid);
    assertEq(_worth(), worth);
    assertEq(IERC20(Bsc.ETH).balanceOf(adapter), 3e18);
    assertEq(USDT.balanceOf(adapter), 5e18);
    assertEq(USDT.balanceOf(address(guard)), 6e18);
    assertEq(IVTokenDeposit(Bsc.V_ETH).balanceOf(address(guard)), gift);
    assertEq(IVTokenDeposit(Bsc.V_ETH).balanceOf(adapter), gift);
    assertEq(adapter.balance, 1 ether);
  }

  /// CG-12: Coins that were forced upon the adapter stay there when vBNB pays out.
  function test_attack_coinsForcedUponTheAdapter() public {
    _supplyInstead(Bsc.V_BNB, 50e18);
    _borrowTo(1.08e18);
    vm.deal(adapter, 1 ether);
    guard.rescue(guardId, none);
    assertEq(adapter.balance, 1 ether);
    vm.deal(address(this), 1 ether);
    (bool taken,) = adapter.call{value: 1}("");
    assertFalse(taken);
  }

  /// LG-3
  function test_attack_keeperOnly() public {
    ICollateralGuard.Terms memory terms = _terms(Bsc.V_ETH);
    terms.keeper = stranger;
    guardId = _register(terms);
    _borrowTo(1.08e18);
    vm.expectRevert(abi.encodeWithSelector(ILoanGuard.NotKeeper.selector, address(this), stranger));
    guard.rescue(guardId, none);
    vm.startPrank(stranger);
    guard.rescue(guardId, none);
    vm.expectPartialRevert(ILoanGuard.HealthNotBelowTrigger.selector);
    guard.rescue(guardId, none);
    vm.stopPrank();
  }

  /// CG-10: Venus's price of the collateral lags above the market: no sale at the owner's price until it follows.
  function test_attack_lateProtocolPrice() public {
    _borrowTo(1.08e18);
    _push(120);
    vm.expectPartialRevert(ICollateralGuard.PoolTooDear.selector);
    guard.rescue(guardId, none);
  }

  /// CG-9, CG-10: Venus's price is far below the market, wrongly, and a stranger brings the pool near to it. Without a second source
  /// the sale would follow; with one, it is by the better of both prices.
  function test_attack_wrongLowPrice_isBoundedByTheSource() public {
    _borrowTo(1.15e18);
    _mockPrice(Bsc.V_ETH, 90);
    _push(800);
    vm.expectPartialRevert(ICollateralGuard.PoolTooDear.selector);
    guard.rescue(guardId, none);
    ICollateralGuard.Terms memory terms = _terms(Bsc.V_ETH);
    terms.priceSource = address(0);
    guardId = _register(terms);
    guard.rescue(guardId, none);
  }

  /// LG-11
  function test_stopped_byEachButton() public {
    _borrowTo(1.08e18);
    uint256 snapshot = vm.snapshotState();
    vm.prank(stranger);
    vm.expectRevert(abi.encodeWithSelector(ILoanGuard.NotPartner.selector, stranger, owner, owner));
    guard.cancel(guardId);
    vm.startPrank(owner);
    guard.cancel(guardId);
    guard.cancel(guardId);
    vm.stopPrank();
    vm.expectRevert(abi.encodeWithSelector(ILoanGuard.GuardNotActive.selector, ILoanGuard.Status.Cancelled));
    guard.rescue(guardId, none);
    vm.revertToState(snapshot);
    vm.prank(owner);
    bowline.revocations.revokeAll();
    assertTrue(guard.guard(guardId).isRevoked);
    vm.expectRevert(abi.encodeWithSelector(ILoanGuard.GuardRevoked.selector, guardId));
    guard.rescue(guardId, none);
    vm.revertToState(snapshot);
    vm.warp(guard.guard(guardId).terms.expiresAt);
    vm.expectPartialRevert(ILoanGuard.GuardExpired.selector);
    guard.rescue(guardId, none);
    vm.expectRevert(abi.encodeWithSelector(ILoanGuard.GuardUnknown.selector, 99));
    guard.rescue(99, none);
  }

  function test_twoGuards_doNotRescueTwice() public {
    uint256 second = _register(_terms(Bsc.V_ETH));
    _borrowTo(1.08e18);
    guard.rescue(guardId, none);
    vm.expectPartialRevert(ILoanGuard.HealthNotBelowTrigger.selector);
    guard.rescue(second, none);
  }
}
