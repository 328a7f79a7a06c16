// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

import {IAggregatorV3} from "../../../contracts/interfaces/IAggregatorV3.sol";
import {ICollateralGuard} from "../../../contracts/interfaces/ICollateralGuard.sol";
import {ILendingMarket} from "../../../contracts/interfaces/ILendingMarket.sol";
import {ILoanGuard} from "../../../contracts/interfaces/ILoanGuard.sol";
import {IVToken} from "../../../contracts/interfaces/IVenus.sol";
import {BatchCall} from "../../../contracts/libraries/BatchCall.sol";
import {MarketAddress} from "../../../contracts/libraries/MarketAddress.sol";
import {Bsc} from "../../../script/Bsc.sol";
import {CollateralForkBase, IVenusAll} from "../../base/CollateralForkBase.sol";
import {CostlyAggregator, CostlyFeed} from "../GasBudgets.t.sol";
import {IVenusUser} from "../RescueVenus.t.sol";

/// @notice Lists of rescues, and their gas as transactions of their own on cold storage.
/// forge-config: default.isolate = true
contract CollateralManyForkTest is CollateralForkBase {
  uint256 private constant MAX_TX_GAS = 1 << 24;

  /// LG-20: One that fails stops no other, and its reason is told.
  function test_rescuesIndependently() public {
    _borrowTo(1.08e18);
    (uint256[] memory ids, ICollateralGuard.Route[] memory routes) = _list(4);
    (ids[0], ids[1], ids[2], ids[3]) = (99, guardId, guardId, _register(_terms(Bsc.V_ETH)));
    vm.recordLogs();
    ILoanGuard.Result[] memory results = guard.rescueMany(ids, routes, 0);
    assertEq(results[0].failure, abi.encodeWithSelector(ILoanGuard.GuardUnknown.selector, 99));
    assertTrue(results[1].isRescued);
    assertEq(results[1].repaid, guard.rescues(guardId, 0, 1)[0].repayment.repaid);
    for (uint256 i = 2; i < 4; ++i) {
      assertFalse(results[i].isRescued);
      assertEq(bytes4(results[i].failure), ILoanGuard.HealthNotBelowTrigger.selector);
    }
    assertGe(_health(), TARGET);
    _assertNothingStays(Bsc.V_ETH, Bsc.ETH);
  }

  /// LG-20: The keeper of a list is its caller, and its routes are used.
  function test_isForTheSameCaller() public {
    ICollateralGuard.Terms memory terms = _terms(Bsc.V_ETH);
    (terms.keeper, terms.route) = (stranger, none);
    guardId = _register(terms);
    _borrowTo(1.08e18);
    (uint256[] memory ids, ICollateralGuard.Route[] memory routes) = _list(1);
    (ids[0], routes[0].firstFee) = (guardId, 500);
    bytes memory failure = guard.rescueMany(ids, routes, 0)[0].failure;
    assertEq(failure, abi.encodeWithSelector(ILoanGuard.NotKeeper.selector, address(this), stranger));
    vm.prank(stranger);
    assertTrue(guard.rescueMany(ids, routes, 0)[0].isRescued);
  }

  /// LG-20
  function test_lists_areRefusedByName() public {
    (uint256[] memory ids, ICollateralGuard.Route[] memory routes) = _list(1);
    vm.expectRevert(ILoanGuard.GuardsMissing.selector);
    guard.rescueMany(new uint256[](0), new ICollateralGuard.Route[](0), 0);
    vm.expectRevert(ICollateralGuard.RouteRefused.selector);
    guard.rescueMany(ids, new ICollateralGuard.Route[](2), 0);
    ids[0] = guardId;
    // A caller may raise the budget and never lower it, and a list that cannot have it is refused whole.
    uint256 gasLimit = guard.gasLimitOf(1, 0);
    assertEq(guard.gasLimitOf(1, 1), gasLimit);
    assertGt(guard.gasLimitOf(1, 5_000_000), gasLimit);
    uint256 tooLittle = guard.GAS_PER_RESCUE();
    vm.expectPartialRevert(BatchCall.GasTooLow.selector);
    guard.rescueMany{gas: tooLittle}(ids, routes, 0);
    vm.expectPartialRevert(BatchCall.GasTooLow.selector);
    guard.rescueMany{gas: gasLimit}(ids, routes, 1 << 250);
    assertLe(21_000 + 4 * 40 * 256 + guard.gasLimitOf(4, 0), MAX_TX_GAS);
  }

  /// What a rescue costs, beside LoanGuard's of the same loan.
  function test_gas() public {
    _borrowTo(1.08e18);
    uint256 snapshot = vm.snapshotState();
    guard.rescue(guardId, none);
    emit log_named_uint("from collateral, with a source", vm.lastCallGas().gasTotalUsed);
    vm.revertToState(snapshot);
    ICollateralGuard.Terms memory terms = _terms(Bsc.V_ETH);
    terms.priceSource = address(0);
    uint256 id = _register(terms);
    emit log_named_uint("registration", vm.lastCallGas().gasTotalUsed);
    guard.rescue(id, none);
    emit log_named_uint("from collateral, without a source", vm.lastCallGas().gasTotalUsed);
    vm.revertToState(snapshot);
    (uint256[] memory ids, ICollateralGuard.Route[] memory routes) = _list(1);
    ids[0] = guardId;
    guard.rescueMany(ids, routes, 0);
    emit log_named_uint("a list of one", vm.lastCallGas().gasTotalUsed);
  }

  /// LG-20: Over three pools, five collaterals and five debts, VAI's too, in a guard that Chainlink's feeds trigger, as costly as
  /// theirs: at most 10/13 of the budget, so that 30 % are to spare.
  function test_theBudgetIsEnough() public {
    guardId = _dearest();
    uint256 snapshot = vm.snapshotState();
    (uint256[] memory ids, ICollateralGuard.Route[] memory routes) = _list(1);
    ids[0] = guardId;
    assertTrue(guard.rescueMany(ids, routes, 0)[0].isRescued);
    emit log_named_uint("a list of one, over three pools, by the source", vm.lastCallGas().gasTotalUsed);
    assertTrue(guard.guard(guardId).state.isBySource);
    vm.revertToState(snapshot);

    uint256 budget = guard.GAS_PER_RESCUE() * 10 / 13;
    vm.prank(address(guard));
    guard.rescueFor{gas: budget}(guardId, none, owner);
    emit log_named_uint("of it, the rescue", vm.lastCallGas().gasTotalUsed);
  }

  function _dearest() private returns (uint256) {
    address[5] memory tokens = [Bsc.BTCB, Bsc.ETH, Bsc.USDC, Bsc.USDT, Bsc.WBNB];
    address[5] memory vTokens = [Bsc.V_BTC, Bsc.V_ETH, Bsc.V_USDC, Bsc.V_USDT, Bsc.V_BNB];
    for (uint256 i; i < 5; ++i) {
      _supply(vTokens[i], i == 0 ? 1e18 : 100e36 / ORACLE.getUnderlyingPrice(vTokens[i]));
    }
    vm.startPrank(owner);
    for (uint256 i; i < 5; ++i) {
      uint256 usd = i == 2 ? 15_000 : 100;
      assertEq(IVenusUser(vTokens[i]).borrow(usd * 1e36 / ORACLE.getUnderlyingPrice(vTokens[i])), 0);
    }
    assertEq(IVenusUser(Bsc.VAI_CONTROLLER).mintVAI(100e18), 0);
    vm.stopPrank();
    ICollateralGuard.Terms memory terms = _terms(Bsc.V_BTC);
    terms.debtMarket = MarketAddress.toMarket(Bsc.V_USDC);
    terms.route = ICollateralGuard.Route(2500, Bsc.WBNB, 500, Bsc.USDT, 100);
    ILendingMarket.Position memory position = bowline.venusMarket.accrueAndRead(owner, terms.debtMarket);
    uint256 health = position.weightedCollateralValue * WAD / position.debtValue;
    (terms.triggerHealthWad, terms.targetHealthWad) = (uint64(health * 98 / 100), uint64(health * 105 / 100));
    (terms.cooldownSeconds, terms.maxCostBps) = (1 hours, 500);
    uint256 id = _register(terms);
    vm.roll(block.number + 1_000);
    for (uint256 i; i < 5; ++i) {
      (IAggregatorV3 feed,,,,,) = bowline.chainlinkPriceSource.feedOf(tokens[i]);
      (, int256 answer,,,) = feed.latestRoundData();
      vm.etch(address(feed), address(new CostlyFeed()).code);
      CostlyFeed(address(feed)).point(address(new CostlyAggregator(i < 2 ? answer * 95 / 100 : answer)));
    }
    return id;
  }

  function _list(uint256 count) private pure returns (uint256[] memory, ICollateralGuard.Route[] memory) {
    return (new uint256[](count), new ICollateralGuard.Route[](count));
  }
}
