// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IAggregatorV3} from "../../../contracts/interfaces/IAggregatorV3.sol";
import {ICollateralGuard} from "../../../contracts/interfaces/ICollateralGuard.sol";
import {ILendingMarket} from "../../../contracts/interfaces/ILendingMarket.sol";
import {ILoanGuard} from "../../../contracts/interfaces/ILoanGuard.sol";
import {IPriceSource} from "../../../contracts/interfaces/IPriceSource.sol";
import {BoundedPrices} from "../../../contracts/libraries/BoundedPrices.sol";
import {Bsc} from "../../../script/Bsc.sol";
import {CollateralForkBase} from "../../base/CollateralForkBase.sol";
import {CostlyPriceSource} from "../../mocks/CostlyPriceSource.sol";

/// Needs as much gas as the reading of many collaterals, and then says that the loan is in danger.
contract DearReading {
  fallback(bytes calldata) external returns (bytes memory) {
    uint256 start = gasleft();
    while (start - gasleft() < 2_500_000) {}
    return abi.encode(1e18);
  }
}

/// As Venus's ResilientOracle: where the first opinion fails, for want of gas too, the second is its answer.
contract TwoOpinions is IPriceSource {
  CostlyPriceSource public immutable first = new CostlyPriceSource();
  uint256 private immutable soldWad;
  uint256 private immutable repaidWad;

  constructor(uint256 soldWad_, uint256 repaidWad_) {
    (soldWad, repaidWad) = (soldWad_, repaidWad_);
    first.setPrice(Bsc.ETH, soldWad * 110 / 100);
    first.setPrice(Bsc.USDT, repaidWad);
  }

  function prices(address tokenIn, address tokenOut) external view returns (uint256, uint256) {
    try first.prices(tokenIn, tokenOut) returns (uint256 priceIn, uint256 priceOut) {
      return (priceIn, priceOut);
    } catch {
      return (soldWad, repaidWad);
    }
  }
}

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

  /// LG-3: Chainlink's price falls before Venus's does. Size and target are by Venus's.
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

  /// LG-3: The cooldown of a rescue that the source triggered holds back the source's next one, and not the protocol's.
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

  /// CG-13: A reading that needs more gas than usual has it, if the caller sends it. With less there is no rescue, by name.
  function test_dearReading_succeeds() public {
    bytes memory question = abi.encodeWithSelector(ILendingMarket.weightedCollateralBy.selector);
    vm.mockFunction(adapter, address(new DearReading()), question);
    vm.expectRevert(abi.encodeWithSelector(ILoanGuard.SourceUnreadable.selector, terms.priceSource, bytes4(0)));
    guard.rescue{gas: 2_500_000}(guardId, none);
    assertGt(guard.rescue(guardId, none), 0);
    assertTrue(guard.guard(guardId).state.isBySource);
  }

  /// CG-13: With less gas the guard sells at the price of plenty, or not at all: the caller does not choose between a source's
  /// opinions, by one of which the pool is too dear.
  function test_attack_gasDoesNotChooseThePrice() public {
    TwoOpinions source = new TwoOpinions(ORACLE.getUnderlyingPrice(Bsc.V_ETH), ORACLE.getUnderlyingPrice(Bsc.V_USDT));
    (guard,) = _deploy(adapter, address(source));
    terms.priceSource = address(source);
    guardId = _register(terms);
    _borrowTo(1.08e18);
    uint256 rescues;
    for (uint256 cost = 100_000; cost < 5_000_000; cost = cost * 3 / 2) {
      source.first().setCost(cost);
      uint256 byPlenty = _repaidWith(100_000_000);
      for (uint256 sent = 1_000_000; sent < 12_000_000; sent = sent * 5 / 4) {
        uint256 repaid = _repaidWith(sent);
        if (repaid != 0) ++rescues;
        assertTrue(repaid == 0 || repaid == byPlenty, "the caller's gas has chosen the price");
      }
    }
    assertGt(rescues, 10);
  }

  /// @return repaid Zero if there was no rescue.
  function _repaidWith(uint256 gas) private returns (uint256 repaid) {
    uint256 snapshot = vm.snapshotState();
    try guard.rescue{gas: gas}(guardId, none) returns (uint256 repaid_) {
      repaid = repaid_;
    } catch {}
    assertTrue(vm.revertToStateAndDelete(snapshot));
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
