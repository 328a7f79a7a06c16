// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IPlanRegistry} from "../../contracts/interfaces/IPlanRegistry.sol";
import {ChainlinkPriceSource} from "../../contracts/prices/ChainlinkPriceSource.sol";
import {MockFeed} from "../mocks/MockFeed.sol";
import {MockPriceSource} from "../mocks/MockPriceSource.sol";
import {IncidentBase} from "./IncidentBase.sol";
import {Product} from "./Product.sol";

/// Attacks with two Chainlink feeds, one of which is wrong. The attacker delivers the minimum at the wrong price.
abstract contract OracleIncidentBase is IncidentBase {
  MockFeed internal usdFeed;
  MockFeed internal coinFeed;
  uint104 internal amount = AMOUNT;
  uint256 internal enough;

  function setUp() public virtual override {
    super.setUp();
    (usdFeed, coinFeed) = (new MockFeed(8), new MockFeed(8));
    usdFeed.set(1e8, START);
    coinFeed.set(60_000e8, START);
  }

  function attack() external override {
    executor.setAmountOut(enough);
    IPlanRegistry.Terms memory terms = _terms();
    terms.amountPerRun = amount;
    _run(_create(terms));
  }

  /// This project's registry, deployed with this source.
  function _priceBy(address source_) internal {
    source = MockPriceSource(source_);
    address[] memory sources = new address[](1);
    sources[0] = source_;
    _moveTo(address(Product.planRegistry(revocations, loanGuard, sources)));
  }

  function _priceByOurs() internal {
    _priceBy(address(Product.chainlinkPriceSource(_configs())));
  }

  function _configs() internal view returns (ChainlinkPriceSource.FeedConfig[] memory configs) {
    configs = new ChainlinkPriceSource.FeedConfig[](2);
    configs[0] = ChainlinkPriceSource.FeedConfig(address(usd), usdFeed, 1 days, 2, 95, 105);
    configs[1] = ChainlinkPriceSource.FeedConfig(address(coin), coinFeed, 1 hours, 0, 3_000, 1_200_000);
  }
}
