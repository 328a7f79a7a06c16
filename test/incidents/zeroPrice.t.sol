// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {BoundedPrices} from "../../contracts/libraries/BoundedPrices.sol";
import {ChainlinkPriceSource} from "../../contracts/prices/ChainlinkPriceSource.sol";
import {OracleIncidentBase} from "../base/OracleIncidentBase.sol";
import {SmallPriceSource} from "./twins/SmallPriceSource.sol";
import {SmallRegistry} from "./twins/SmallRegistry.sol";

/// The mistake: accepts a price of zero, since it looks at the sign alone.
contract ZeroPriceTwin is SmallPriceSource {
  constructor(ChainlinkPriceSource.FeedConfig[] memory configs) SmallPriceSource(configs) {}

  function _requirePlausible(int256 answer, ChainlinkPriceSource.FeedConfig memory) internal pure override {
    require(answer >= 0, "negative");
  }
}

/// A registry that trusts it.
contract BelievingTwin is SmallRegistry {
  constructor(address source) SmallRegistry(source) {}
}

/// The feed of the paid token fails and answers 0: at a value of zero, everything is sold for nothing.
contract ZeroPriceTest is OracleIncidentBase {
  function setUp() public override {
    super.setUp();
    usdFeed.set(0, START);
  }

  /// IT-1
  function test_TheTwinsOwnerGetsNothing() public {
    _priceBy(address(new ZeroPriceTwin(_configs())));
    _moveTo(address(new BelievingTwin(address(source))));
    this.attack();
    assertEq(usd.balanceOf(owner), FUNDS - AMOUNT);
    assertEq(usd.balanceOf(address(executor)), AMOUNT);
    assertEq(coin.balanceOf(recipient), 0);
  }

  /// IT-1, PS-2
  function test_RevertWhen_TriedOnOurs() public {
    _priceByOurs();
    bytes memory reason = abi.encodeWithSelector(ChainlinkPriceSource.AnswerNotPositive.selector, usdFeed, 0);
    _assertAttackFails(abi.encodeWithSelector(BoundedPrices.PriceSourceFailed.selector, source, reason));
  }

  /// IT-1, PR-16: also from a source with the mistake.
  function test_RevertWhen_TriedOnOursWithTheTwinsSource() public {
    _priceBy(address(new ZeroPriceTwin(_configs())));
    _assertAttackFails(abi.encodeWithSelector(BoundedPrices.PriceOutOfRange.selector, source, 0, PRICE_OUT_WAD));
  }
}
