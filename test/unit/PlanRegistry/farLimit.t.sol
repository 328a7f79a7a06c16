// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IPlanRegistry} from "../../../contracts/interfaces/IPlanRegistry.sol";
import {PlanBase} from "../../base/PlanBase.sol";
import {Product} from "../../base/Product.sol";
import {MockERC20} from "../../mocks/MockERC20.sol";
import {MockPriceSource} from "../../mocks/MockPriceSource.sol";
import {RawPriceSource} from "../../mocks/RawPriceSource.sol";

/// PR-36: a limit price that alone protects an owner is within 10 % of the market, or the owner has accepted that it is
/// not. The market is 60,000 USD for a coin.
contract PlanRegistryFarLimitTest is PlanBase {
  /// ⌊60,000 / 0.9⌋ USD, and its inverse.
  uint128 private constant MAX_BUY_WAD = 666666666666666666666666666666666;
  uint128 private constant MAX_SALE_WAD = 1851;

  /// The phishing case: 100 USD for one base unit of the coin.
  function test_RevertWhen_APageOffersAnyPrice() public {
    _assertTooFar(_buyAt(type(uint128).max), MAX_BUY_WAD);
  }

  function test_TakesABuyUpToTenPercentAboveTheMarket() public {
    _assertTooFar(_buyAt(MAX_BUY_WAD + 1), MAX_BUY_WAD);
    _create(_buyAt(MAX_BUY_WAD));
  }

  /// A sale's price is inverse: it is worse, the more coin a dollar costs.
  function test_TakesASaleDownToTenPercentBelowTheMarket() public {
    _assertTooFar(_saleAt(MAX_SALE_WAD + 1), MAX_SALE_WAD);
    _create(_saleAt(MAX_SALE_WAD));
  }

  /// Limit orders: bids below the market and offers above it.
  function testFuzz_TakesEveryLimitBetterThanTheMarket(uint128 buyWad, uint128 saleWad) public {
    _create(_buyAt(uint128(bound(buyWad, 1, PRICE_OUT_WAD))));
    _create(_saleAt(uint128(bound(saleWad, 1, 1e36 / PRICE_OUT_WAD))));
  }

  function test_TakesAnyLimitThatTheOwnerAccepts() public {
    IPlanRegistry.Terms memory terms = _buyAt(type(uint128).max);
    terms.farLimit = true;
    assertTrue(registry.plan(_create(terms)).terms.farLimit);
  }

  /// A limit beside a built-in source may be anything: the source's floor stays.
  function test_TakesAnyLimitBesideABuiltInSource() public {
    IPlanRegistry.Terms memory terms = _terms();
    terms.limitPriceWad = type(uint128).max;
    executor.setAmountOut(FLOOR - 1);
    _assertRefused(
      executor, _create(terms), abi.encodeWithSelector(IPlanRegistry.FloorNotMet.selector, FLOOR - 1, FLOOR)
    );
  }

  /// A source that a page names is no bound, and opens no door.
  function test_RevertWhen_AForeignSourceStandsBesideIt() public {
    IPlanRegistry.Terms memory terms = _buyAt(type(uint128).max);
    terms.priceSource = address(new MockPriceSource());
    _assertTooFar(terms, MAX_BUY_WAD);
  }

  function test_RevertWhen_AnEditMovesTheLimitAway() public {
    uint256 planId = _create(_terms());
    IPlanRegistry.Terms memory terms = _buyAt(type(uint128).max);
    vm.prank(owner);
    vm.expectRevert(abi.encodeWithSelector(IPlanRegistry.LimitTooFar.selector, type(uint128).max, MAX_BUY_WAD));
    registry.edit(planId, 1, 0, terms);
    assertEq(_state(planId).version, 1);
  }

  /// Of several sources, the first that prices both tokens.
  function test_TheFirstSourceThatAnswersIsTheMarket() public {
    (MockPriceSource first, RawPriceSource second) = (new MockPriceSource(), new RawPriceSource());
    second.set(RawPriceSource.Manner.Return, abi.encode(1e18, 2e28), 64);
    first.setPrice(address(usd), 1e18);
    first.setPrice(address(coin), 1e28);
    address[] memory sources = new address[](2);
    (sources[0], sources[1]) = (address(first), address(second));
    registry = Product.planRegistry(revocations, loanGuard, sources);

    _assertTooFar(_buyAt(2e28), 11111111111111111111111111111);
    first.setPrice(address(coin), 0);
    _create(_buyAt(2e28));
    _assertTooFar(_buyAt(3e28), 22222222222222222222222222222);
  }

  /// Whoever submits may choose a moment at which no source answers, so that is no way round.
  function test_RevertWhen_NoSourceAnswers() public {
    source.setPrice(address(coin), 0);
    IPlanRegistry.Terms memory terms = _buyAt(60_000e28);
    _assertNotCreated(terms, abi.encodeWithSelector(IPlanRegistry.LimitUnchecked.selector, usd, coin));
    source.setPrice(address(coin), uint256(type(uint128).max) + 1);
    _assertNotCreated(terms, abi.encodeWithSelector(IPlanRegistry.LimitUnchecked.selector, usd, coin));
    terms.farLimit = true;
    _create(terms);
  }

  /// The submitter chooses the gas, too: with too little for the source, nothing is created.
  function test_RevertWhen_TheSourceGetsTooLittleGas() public {
    IPlanRegistry.Terms memory terms = _buyAt(type(uint128).max);
    vm.prank(owner);
    uint256 gas = gasleft();
    (bool created,) = address(registry).call(abi.encodeCall(registry.create, (terms)));
    gas -= gasleft();
    assertFalse(created);
    for (uint256 less; less < gas; less += 500) {
      vm.prank(owner);
      (created,) = address(registry).call{gas: gas - less}(abi.encodeCall(registry.create, (terms)));
      assertFalse(created);
    }
  }

  /// For a token of the page's own, which nothing prices, the owner must accept it too.
  function test_RevertWhen_NothingPricesTheToken() public {
    IPlanRegistry.Terms memory terms = _buyAt(1);
    terms.tokenOut = address(new MockERC20("OWN", 18));
    _assertNotCreated(terms, abi.encodeWithSelector(IPlanRegistry.LimitUnchecked.selector, usd, terms.tokenOut));
  }

  function _buyAt(uint128 limitPriceWad) private view returns (IPlanRegistry.Terms memory terms) {
    terms = _terms();
    (terms.priceSource, terms.maxSlippageBps, terms.limitPriceWad) = (address(0), 0, limitPriceWad);
  }

  function _saleAt(uint128 limitPriceWad) private view returns (IPlanRegistry.Terms memory terms) {
    terms = _buyAt(limitPriceWad);
    (terms.tokenIn, terms.tokenOut) = (address(coin), address(usd));
  }

  function _assertTooFar(IPlanRegistry.Terms memory terms, uint256 maxPriceWad) private {
    _assertNotCreated(
      terms, abi.encodeWithSelector(IPlanRegistry.LimitTooFar.selector, terms.limitPriceWad, maxPriceWad)
    );
  }

  function _assertNotCreated(IPlanRegistry.Terms memory terms, bytes memory reason) private {
    uint256 count = registry.planCount();
    vm.expectRevert(reason);
    vm.prank(terms.owner);
    registry.create(terms);
    assertEq(registry.planCount(), count);
  }
}
