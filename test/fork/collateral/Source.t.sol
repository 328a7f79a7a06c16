// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IAggregatorV3} from "../../../contracts/interfaces/IAggregatorV3.sol";
import {ICollateralGuard} from "../../../contracts/interfaces/ICollateralGuard.sol";
import {ILendingMarket} from "../../../contracts/interfaces/ILendingMarket.sol";
import {ILoanGuard} from "../../../contracts/interfaces/ILoanGuard.sol";
import {BoundedPrices} from "../../../contracts/libraries/BoundedPrices.sol";
import {Bsc} from "../../../script/Bsc.sol";
import {CollateralForkBase} from "../../base/CollateralForkBase.sol";

/// @notice The second source: its price triggers a rescue too, and none happens without it.
contract CollateralSourceForkTest is CollateralForkBase {
  ICollateralGuard.Terms private terms;

  function setUp() public override {
    super.setUp();
    terms = _terms(Bsc.V_ETH);
    (terms.triggerHealthWad, terms.targetHealthWad, terms.maxCostBps) = (1.1e18, 1.3e18, 500);
    terms.cooldownSeconds = 600;
    guardId = _register(terms);
    _borrowTo(1.12e18);
  }

  /// CG-6: Chainlink's price falls before Venus's does. Size and target are by Venus's.
  function test_worseOfTwo_triggers() public {
    vm.expectRevert(abi.encodeWithSelector(ILoanGuard.HealthNotBelowTrigger.selector, _health(), 1.1e18));
    guard.rescue(guardId, none);
    _feedFallsTo(97);
    uint256 before = _health();
    assertGt(guard.rescue(guardId, none), 0);
    assertGe(_health(), terms.targetHealthWad);
    ICollateralGuard.State memory state = guard.guard(guardId).state;
    assertTrue(state.isBySource);
    assertEq(state.coolingSince, block.timestamp);
    assertApproxEqAbs(guard.rescues(guardId, 0, 1)[0].repayment.healthBeforeWad, before, 1e9);
  }

  /// CG-6: The cooldown of a rescue that the source triggered holds back the source's next one, and not the protocol's.
  function test_cooldownOfTheSource() public {
    _feedFallsTo(97);
    guard.rescue(guardId, none);
    _borrowTo(1.12e18);
    vm.expectPartialRevert(ILoanGuard.CoolingDown.selector);
    guard.rescue(guardId, none);
    _borrowTo(1.09e18);
    guard.rescue(guardId, none);
    assertFalse(guard.guard(guardId).state.isBySource);
    _borrowTo(1.09e18);
    vm.expectPartialRevert(ILoanGuard.CoolingDown.selector);
    guard.rescue(guardId, none);
  }

  /// Health by the protocol at the target needs nothing, whatever the source says.
  function test_healthAtTheTarget_isRefused() public {
    terms.targetHealthWad = 1.122e18;
    terms.triggerHealthWad = 1.1e18;
    guardId = _register(terms);
    _borrowTo(1.12e18);
    _mockPrice(Bsc.V_ETH, 101);
    _feedFallsTo(90);
    vm.expectPartialRevert(ILoanGuard.HealthAtTarget.selector);
    guard.rescue(guardId, none);
  }

  /// CG-13: A stale source stops rescues by either trigger, by name.
  function test_staleSource_isRefused() public {
    _mockPrice(Bsc.V_ETH, 97);
    _mockPrice(Bsc.V_USDT, 100);
    vm.warp(block.timestamp + 1 days);
    vm.expectPartialRevert(BoundedPrices.PriceSourceFailed.selector);
    guard.rescue(guardId, none);
  }

  /// CG-13: Without an answer of the adapter's there is no trigger either.
  function test_unreadableSource_isRefused() public {
    bytes memory question = abi.encodeWithSelector(ILendingMarket.weightedCollateralBy.selector);
    vm.mockCallRevert(adapter, question, abi.encodeWithSelector(BoundedPrices.PriceGasTooLow.selector, 1, 2));
    vm.expectRevert(
      abi.encodeWithSelector(
        ILoanGuard.SourceUnreadable.selector, terms.priceSource, BoundedPrices.PriceGasTooLow.selector
      )
    );
    guard.rescue(guardId, none);
    vm.mockCall(adapter, question, abi.encode(1, 2));
    vm.expectRevert(abi.encodeWithSelector(ILoanGuard.SourceUnreadable.selector, terms.priceSource, bytes4(0)));
    guard.rescue(guardId, none);
    vm.mockCall(adapter, question, abi.encode(1 << 128));
    vm.expectRevert(abi.encodeWithSelector(ILoanGuard.SourceUnreadable.selector, terms.priceSource, bytes4(0)));
    guard.rescue(guardId, none);
  }

  function _feedFallsTo(int256 percent) private {
    (, int256 answer,,,) = IAggregatorV3(Bsc.ETH_FEED).latestRoundData();
    vm.mockCall(
      Bsc.ETH_FEED,
      abi.encodeCall(IAggregatorV3.latestRoundData, ()),
      abi.encode(uint80(1), answer * percent / 100, block.timestamp, block.timestamp, uint80(1))
    );
  }
}
