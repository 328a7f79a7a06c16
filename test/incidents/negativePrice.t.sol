// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {BoundedPrices} from "../../contracts/libraries/BoundedPrices.sol";
import {ChainlinkPriceSource} from "../../contracts/prices/ChainlinkPriceSource.sol";
import {OracleIncidentBase} from "../base/OracleIncidentBase.sol";
import {SmallPriceSource} from "./twins/SmallPriceSource.sol";

/// The mistake: any price but zero is accepted and then loses its sign.
contract NegativePriceTwin is SmallPriceSource {
  constructor(ChainlinkPriceSource.FeedConfig[] memory configs) SmallPriceSource(configs) {}

  function _requirePlausible(int256 answer, ChainlinkPriceSource.FeedConfig memory) internal pure override {
    require(answer != 0, "zero");
  }
}

/// The coin's feed answers −1: without its sign, a huge price. One unit is worth more than 100 USD.
contract NegativePriceTest is OracleIncidentBase {
  function setUp() public override {
    super.setUp();
    coinFeed.set(-1, START);
    enough = 1;
  }

  /// IT-1
  function test_TheTwinsOwnerPaysAHundredForOneUnit() public {
    _priceBy(address(new NegativePriceTwin(_configs())));
    _assertAttackPaysForOneUnit();
  }

  /// IT-1, PS-2
  function test_RevertWhen_TriedOnOurs() public {
    _priceByOurs();
    bytes memory reason = abi.encodeWithSelector(ChainlinkPriceSource.AnswerNotPositive.selector, coinFeed, -1);
    _assertAttackFails(abi.encodeWithSelector(BoundedPrices.PriceSourceFailed.selector, source, reason));
  }
}
