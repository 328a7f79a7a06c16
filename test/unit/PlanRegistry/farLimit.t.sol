// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IPlanRegistry} from "../../../contracts/interfaces/IPlanRegistry.sol";
import {BoundedPrices} from "../../../contracts/libraries/BoundedPrices.sol";
import {PlanBase} from "../../base/PlanBase.sol";
import {Product} from "../../base/Product.sol";
import {CostlyPriceSource} from "../../mocks/CostlyPriceSource.sol";
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

  /// Nor does the gas choose between the market's two sources: less of it gives the same answer as plenty, or names the
  /// gas. By the first source the limit is too far, by the second it is not.
  function testFuzz_attack_gasDoesNotChooseTheSource(uint256 firstCost, uint256 secondCost, uint256 gas) public {
    (CostlyPriceSource first, CostlyPriceSource second) = (new CostlyPriceSource(), new CostlyPriceSource());
    address[] memory sources = new address[](2);
    (sources[0], sources[1]) = (address(first), address(second));
    for (uint256 i; i < 2; ++i) {
      CostlyPriceSource(sources[i]).setPrice(address(usd), 1e18);
      CostlyPriceSource(sources[i]).setPrice(address(coin), (i + 1) * 1e28);
    }
    registry = Product.planRegistry(revocations, loanGuard, sources);
    first.setCost(bound(firstCost, 0, 1_500_000));
    second.setCost(bound(secondCost, 0, 600_000));

    (bool isCreated, bytes4 why) = _outcome(_buyAt(2e28), 30_000_000);
    (bool isCreatedByLess, bytes4 whyByLess) = _outcome(_buyAt(2e28), bound(gas, 100_000, 3_000_000));
    if (isCreatedByLess) assertTrue(isCreated, "only with less gas");
    else if (whyByLess != BoundedPrices.PriceGasTooLow.selector && whyByLess != bytes4(0)) assertEq(whyByLess, why);
  }

  function _outcome(IPlanRegistry.Terms memory terms, uint256 gas) private returns (bool isCreated, bytes4 why) {
    uint256 start = vm.snapshotState();
    bytes memory answer;
    vm.prank(terms.owner);
    (isCreated, answer) = address(registry).call{gas: gas}(abi.encodeCall(registry.create, (terms)));
    if (!isCreated) why = bytes4(answer);
    assertTrue(vm.revertToState(start));
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
}
