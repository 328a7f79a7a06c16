// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IAggregatorV3} from "../../contracts/interfaces/IAggregatorV3.sol";
import {IPlanRegistry} from "../../contracts/interfaces/IPlanRegistry.sol";
import {ChainlinkPriceSource} from "../../contracts/prices/ChainlinkPriceSource.sol";
import {OracleIncidentBase} from "../base/OracleIncidentBase.sol";
import {MockERC20} from "../mocks/MockERC20.sol";
import {SmallPriceSource} from "./twins/SmallPriceSource.sol";

/// The mistake: assumes that every token has 18 decimals.
contract WrongDecimalsTwin is SmallPriceSource {
  constructor(ChainlinkPriceSource.FeedConfig[] memory configs) SmallPriceSource(configs) {}

  function _exponent(address, IAggregatorV3 feed) internal view override returns (uint256) {
    return 18 - feed.decimals();
  }
}

/// A dollar with six decimals buys a coin with eight: with equal decimals assumed, the coins appear a hundred times too
/// expensive.
contract WrongDecimalsTest is OracleIncidentBase {
  function setUp() public override {
    super.setUp();
    usd = new MockERC20("USD6", 6);
    usd.mint(owner, FUNDS);
    amount = 100e6;
    enough = 1_659;
  }

  /// IT-1: a hundredth of the fair amount.
  function test_TheTwinsOwnerGetsAHundredth() public {
    _priceBy(address(new WrongDecimalsTwin(_configs())));
    this.attack();
    assertEq(usd.balanceOf(owner), FUNDS - 100e6);
    assertEq(usd.balanceOf(address(executor)), 100e6);
    assertEq(coin.balanceOf(recipient), 1_659);
  }

  /// IT-1, PS-1
  function test_RevertWhen_TriedOnOurs() public {
    _priceByOurs();
    _assertAttackFails(abi.encodeWithSelector(IPlanRegistry.FloorNotMet.selector, 1_659, FLOOR));
  }
}
