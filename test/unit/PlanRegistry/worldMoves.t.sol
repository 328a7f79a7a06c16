// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IPlanRegistry} from "../../../contracts/interfaces/IPlanRegistry.sol";
import {BoundedPrices} from "../../../contracts/libraries/BoundedPrices.sol";
import {PlanBase} from "../../base/PlanBase.sol";
import {Product} from "../../base/Product.sol";
import {MockPriceSource} from "../../mocks/MockPriceSource.sol";
import {TestExecutor} from "../../mocks/TestExecutor.sol";

/// PR-16: a feed moves, or a source goes for good. The plans that name it stop, others run on, and an owner goes on by one
/// edit.
contract PlanRegistryWorldMovesTest is PlanBase {
  MockPriceSource private other;
  uint256 private byFirst;
  uint256 private byOther;
  uint256 private byLimit;

  function setUp() public override {
    super.setUp();
    other = new MockPriceSource();
    other.setPrice(address(usd), PRICE_IN_WAD);
    other.setPrice(address(coin), PRICE_OUT_WAD);
    address[] memory sources = new address[](2);
    (sources[0], sources[1]) = (address(source), address(other));
    registry = Product.planRegistry(revocations, loanGuard, sources);
    vm.prank(owner);
    usd.approve(address(registry), type(uint256).max);
    executor = new TestExecutor(registry);
    coin.mint(address(executor), 1_000e8);
    executor.setAmountOut(FLOOR);

    byFirst = _create(_terms());
    byOther = _create(_by(address(other), 0));
    byLimit = _create(_by(address(0), 61_000e28));
    source.setPrice(address(coin), 0);
  }

  function test_OnlyPlansOfThatSourceStop() public {
    bytes memory reason = abi.encodeWithSignature("TokenNotPriced(address)", address(coin));
    _assertRefused(executor, byFirst, abi.encodeWithSelector(BoundedPrices.PriceSourceFailed.selector, source, reason));
    _run(byOther);
    _run(byLimit);
  }

  function test_GoesOnByAnotherBuiltInSource() public {
    _edit(_by(address(other), 0));
    _run(byFirst);
  }

  /// The source that has gone blocks no limit: the next one judges it.
  function test_GoesOnByALimitPrice() public {
    IPlanRegistry.Terms memory far = _by(address(0), 70_000e28);
    vm.prank(owner);
    vm.expectPartialRevert(IPlanRegistry.LimitTooFar.selector);
    registry.edit(byFirst, 1, 0, far);
    _edit(_by(address(0), 61_000e28));
    _run(byFirst);
  }

  /// Even when no source is left.
  function test_GoesOnByAnAcceptedLimitWithoutAnySource() public {
    other.setPrice(address(coin), 0);
    IPlanRegistry.Terms memory terms = _by(address(0), 61_000e28);
    terms.farLimit = true;
    _edit(terms);
    _run(byFirst);
  }

  function _by(address priceSource, uint128 limitPriceWad) private view returns (IPlanRegistry.Terms memory terms) {
    terms = _terms();
    (terms.priceSource, terms.limitPriceWad) = (priceSource, limitPriceWad);
    if (priceSource == address(0)) terms.maxSlippageBps = 0;
  }

  function _edit(IPlanRegistry.Terms memory terms) private {
    vm.prank(owner);
    registry.edit(byFirst, 1, 0, terms);
  }
}
