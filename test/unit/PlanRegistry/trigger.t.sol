// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IPlanRegistry} from "../../../contracts/interfaces/IPlanRegistry.sol";
import {PlanBase} from "../../base/PlanBase.sol";

/// PR-37: a plan with a trigger runs only while the source's price is at or above it. A coin costs 60,000 USD.
contract PlanRegistryTriggerTest is PlanBase {
  /// A coin at 50,000 USD, as coin units per 1e18 USD units, rounded down: 1e18 · 1e18 / 50,000e28.
  uint128 private constant STOP_WAD = 2_000;

  /// Sells one coin, once within 30 days, when the price has fallen to 50,000 USD.
  function _stopLoss() private view returns (IPlanRegistry.Terms memory terms) {
    terms = _terms();
    (terms.tokenIn, terms.tokenOut, terms.amountPerRun) = (address(coin), address(usd), 1e8);
    (terms.periodSeconds, terms.windowSeconds, terms.maxRuns) = (30 days, 30 days, 1);
    (terms.expiresAt, terms.triggerPriceWad) = (START + 30 days, STOP_WAD);
  }

  function _createFunded(IPlanRegistry.Terms memory terms) private returns (uint256 planId) {
    planId = _create(terms);
    coin.mint(owner, 1e8);
    vm.prank(owner);
    coin.approve(address(registry), 1e8);
    usd.mint(address(executor), 100_000e18);
  }

  function test_AStopLossSellsAfterTheFall() public {
    uint256 planId = _createFunded(_stopLoss());
    executor.setAmountOut(49_750e18);
    _assertRefused(executor, planId, _notReached(1_666, STOP_WAD));
    vm.warp(START + 29 days);
    source.setPrice(address(coin), 50_001e28);
    _assertRefused(executor, planId, _notReached(1_999, STOP_WAD));

    source.setPrice(address(coin), 50_000e28);
    _run(planId);
    assertEq(usd.balanceOf(recipient), 49_750e18);
    assertEq(_history(planId)[0].floor, 49_750e18);
  }

  /// The floor follows the price that has set the trigger off, and the slot is not lost before that.
  function test_ACrashSellsAtTheSourcesPriceAndNoLower() public {
    uint256 planId = _createFunded(_stopLoss());
    source.setPrice(address(coin), 30_000e28);
    executor.setAmountOut(29_850e18 - 1);
    _assertRefused(
      executor, planId, abi.encodeWithSelector(IPlanRegistry.FloorNotMet.selector, 29_850e18 - 1, 29_850e18)
    );
    executor.setAmountOut(29_850e18);
    _run(planId);
  }

  function test_ABuyWaitsForTheRise() public {
    IPlanRegistry.Terms memory terms = _terms();
    terms.triggerPriceWad = 60_000e28 + 1;
    uint256 planId = _create(terms);
    _assertRefused(executor, planId, _notReached(60_000e28, 60_000e28 + 1));
    terms.triggerPriceWad = 60_000e28;
    vm.prank(owner);
    registry.edit(planId, 1, 0, terms);
    _run(planId);
  }

  function testFuzz_RunsAtOrAboveTheTriggerOnly(uint128 triggerWad, uint128 priceOutWad) public {
    IPlanRegistry.Terms memory terms = _terms();
    (terms.triggerPriceWad, terms.amountPerRun) = (triggerWad, 1);
    uint256 planId = _create(terms);
    priceOutWad = uint128(bound(priceOutWad, 1, type(uint128).max));
    source.setPrice(address(coin), priceOutWad);
    // Enough for any floor of one unit.
    coin.mint(address(executor), 1e18);
    executor.setAmountOut(1e18);
    if (priceOutWad < triggerWad) vm.expectRevert(_notReached(priceOutWad, triggerWad));
    executor.run(planId, _go(), "");
  }

  function test_RevertWhen_ThereIsNoSourceToTriggerIt() public {
    IPlanRegistry.Terms memory terms = _terms();
    (terms.priceSource, terms.maxSlippageBps, terms.limitPriceWad) = (address(0), 0, 60_000e28);
    terms.triggerPriceWad = 1;
    _assertRefusedAtCreation(terms);
  }

  /// Such a plan could never run: at any price that triggers it, the limit refuses.
  function test_RevertWhen_TheLimitIsBelowTheTrigger() public {
    IPlanRegistry.Terms memory terms = _terms();
    (terms.limitPriceWad, terms.triggerPriceWad) = (59_000e28 - 1, 59_000e28);
    _assertRefusedAtCreation(terms);
    terms.limitPriceWad = 59_000e28;
    _create(terms);
  }

  /// The executor may say why it waits, as for every open slot.
  function test_MayBeDeferredBeforeItIsReached() public {
    uint256 planId = _createFunded(_stopLoss());
    executor.defer(planId, 1, _go());
    assertEq(_state(planId).deferrals, 1);
  }

  function _notReached(uint256 priceWad, uint256 triggerWad) private pure returns (bytes memory) {
    return abi.encodeWithSelector(IPlanRegistry.TriggerNotReached.selector, priceWad, triggerWad);
  }

  function _assertRefusedAtCreation(IPlanRegistry.Terms memory terms) private {
    _assertNotCreated(
      terms,
      abi.encodeWithSelector(IPlanRegistry.TriggerPriceRefused.selector, terms.triggerPriceWad, terms.limitPriceWad)
    );
  }
}
