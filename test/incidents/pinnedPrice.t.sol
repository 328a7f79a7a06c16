// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IAggregatorLimits} from "../../contracts/interfaces/IAggregatorV3.sol";
import {BoundedPrices} from "../../contracts/libraries/BoundedPrices.sol";
import {ChainlinkPriceSource} from "../../contracts/prices/ChainlinkPriceSource.sol";
import {OracleIncidentBase} from "../base/OracleIncidentBase.sol";
import {Product} from "../base/Product.sol";
import {SmallPriceSource} from "./twins/SmallPriceSource.sol";

/// The mistake: takes any fresh answer above zero for the price.
contract PinnedPriceTwin is SmallPriceSource {
  constructor(ChainlinkPriceSource.FeedConfig[] memory configs) SmallPriceSource(configs) {}

  function _requirePlausible(int256 answer, ChainlinkPriceSource.FeedConfig memory) internal pure override {
    require(answer > 0, "not positive");
  }
}

/// The coin has fallen to 3 USD. The aggregator of its feed answers no less than 3,000 USD, and does so every minute.
contract PinnedPriceTest is OracleIncidentBase {
  int192 private constant MIN_ANSWER = 3_000e8;
  /// What the thief delivers: the floor at 3,000 USD.
  uint256 private constant PINNED_FLOOR = 3_316_667;
  /// Current price of one base unit of the coin, in USD base units.
  uint256 private constant PRICE_NOW = 3e10;

  function setUp() public override {
    super.setUp();
    vm.mockCall(address(coinFeed), abi.encodeCall(IAggregatorLimits.minAnswer, ()), abi.encode(MIN_ANSWER));
    coinFeed.set(MIN_ANSWER, START);
    enough = PINNED_FLOOR;
  }

  /// IT-1: the thief delivers a value of 9.95 cents for 100 USD.
  function test_TheTwinsOwnerPaysTheMinimumForAWorthlessCoin() public {
    _priceBy(address(new PinnedPriceTwin(_configs())));
    this.attack();
    assertEq(usd.balanceOf(owner), FUNDS - AMOUNT);
    assertEq(coin.balanceOf(recipient), PINNED_FLOOR);
    assertEq(usd.balanceOf(address(executor)) - PINNED_FLOOR * PRICE_NOW, 99.90049999e18);
  }

  /// IT-1, PS-5
  function test_RevertWhen_TriedOnOurs() public {
    _priceByOurs();
    bytes memory reason =
      abi.encodeWithSelector(ChainlinkPriceSource.AnswerOutOfBand.selector, coinFeed, 3_000e8, 3_000e8, 1_200_000e8);
    _assertAttackFails(abi.encodeWithSelector(BoundedPrices.PriceSourceFailed.selector, source, reason));
  }

  /// IT-1, PS-5: a band that the pinned answer would be in cannot be deployed.
  function test_RevertWhen_TheBandIsWiderThanTheAggregatorsLimits() public {
    ChainlinkPriceSource.FeedConfig[] memory configs = _configs();
    configs[1].bandMin = 2_999;
    vm.expectRevert(
      abi.encodeWithSelector(ChainlinkPriceSource.BandBeyondAggregator.selector, coinFeed, MIN_ANSWER, type(int256).max)
    );
    Product.chainlinkPriceSource(configs);
  }
}
