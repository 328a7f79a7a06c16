// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IPlanRegistry} from "../../contracts/interfaces/IPlanRegistry.sol";
import {IncidentBase} from "../base/IncidentBase.sol";
import {MockPriceSource} from "../mocks/MockPriceSource.sol";
import {SmallRegistry} from "./twins/SmallRegistry.sol";

/// The mistake: any contract named in the terms may state the fair price.
contract PhishedPriceSourceTwin is SmallRegistry {
  constructor(address source) SmallRegistry(source) {}

  function _requireSource(IPlanRegistry.Terms calldata) internal view override {}
}

/// A page makes its visitor sign an ordinary-looking plan with a price source that the page controls.
contract PhishedPriceSourceTest is IncidentBase {
  MockPriceSource private pagesSource;

  function setUp() public override {
    super.setUp();
    pagesSource = new MockPriceSource();
    pagesSource.setPrice(address(usd), 1);
    pagesSource.setPrice(address(coin), type(uint128).max);
  }

  function attack() external override {
    IPlanRegistry.Terms memory terms = _terms();
    terms.priceSource = address(pagesSource);
    executor.setAmountOut(1);
    _run(_create(terms));
  }

  /// IT-1
  function test_TheTwinsOwnerPaysAHundredForOneUnit() public {
    _moveTo(address(new PhishedPriceSourceTwin(address(source))));
    _assertAttackPaysForOneUnit();
  }

  /// IT-1, PR-4
  function test_RevertWhen_TriedOnOurs() public {
    _assertAttackFails(abi.encodeWithSelector(IPlanRegistry.PriceSourceRefused.selector, pagesSource));
  }
}
