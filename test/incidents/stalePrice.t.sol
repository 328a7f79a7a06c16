// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {BoundedPrices} from "../../contracts/libraries/BoundedPrices.sol";
import {ChainlinkPriceSource} from "../../contracts/prices/ChainlinkPriceSource.sol";
import {OracleIncidentBase} from "../base/OracleIncidentBase.sol";
import {SmallPriceSource} from "./twins/SmallPriceSource.sol";

/// The mistake: ignores when the feed was updated.
contract StalePriceTwin is SmallPriceSource {
  constructor(ChainlinkPriceSource.FeedConfig[] memory configs) SmallPriceSource(configs) {}

  function _requireFresh(uint256, uint256) internal view override {}
}

/// The coin has fallen to 30,000 USD, but its feed has not been updated for two hours.
contract StalePriceTest is OracleIncidentBase {
  /// Current price of one base unit of the coin, in USD base units.
  uint256 private constant PRICE_NOW = 3e14;

  function setUp() public override {
    super.setUp();
    coinFeed.set(60_000e8, START - 2 hours);
    enough = FLOOR;
  }

  /// IT-1: the thief delivers a value of 49.7502 USD.
  function test_TheTwinsOwnerPaysYesterdaysPrice() public {
    _priceBy(address(new StalePriceTwin(_configs())));
    this.attack();
    assertEq(usd.balanceOf(owner), FUNDS - AMOUNT);
    assertEq(coin.balanceOf(recipient), FLOOR);
    assertEq(usd.balanceOf(address(executor)) - FLOOR * PRICE_NOW, 50.2498e18);
  }

  /// IT-1, PS-2
  function test_RevertWhen_TriedOnOurs() public {
    _priceByOurs();
    bytes memory reason = abi.encodeWithSelector(
      ChainlinkPriceSource.AnswerStale.selector, coinFeed, START - 2 hours, 1 hours, block.timestamp
    );
    _assertAttackFails(abi.encodeWithSelector(BoundedPrices.PriceSourceFailed.selector, source, reason));
  }
}
