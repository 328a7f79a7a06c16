// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IERC20Metadata} from "@openzeppelin/contracts/token/ERC20/extensions/IERC20Metadata.sol";

import {IAggregatorV3} from "../../../contracts/interfaces/IAggregatorV3.sol";
import {IPriceSource} from "../../../contracts/interfaces/IPriceSource.sol";
import {ChainlinkPriceSource} from "../../../contracts/prices/ChainlinkPriceSource.sol";

/// A minimal source of Chainlink prices. Each twin makes exactly one mistake.
abstract contract SmallPriceSource is IPriceSource {
  mapping(address token => ChainlinkPriceSource.FeedConfig) private _feeds;

  constructor(ChainlinkPriceSource.FeedConfig[] memory configs) {
    for (uint256 i; i < configs.length; ++i) {
      _feeds[configs[i].token] = configs[i];
    }
  }

  function prices(address tokenIn, address tokenOut) external view returns (uint256, uint256) {
    return (_price(tokenIn), _price(tokenOut));
  }

  function _price(address token) private view returns (uint256) {
    ChainlinkPriceSource.FeedConfig memory config = _feeds[token];
    (, int256 answer,, uint256 updatedAt,) = config.feed.latestRoundData();
    _requireFresh(updatedAt, config.maxAgeSeconds);
    _requirePlausible(answer, config);
    // No sound price needs more than 128 bits.
    // forge-lint: disable-next-line(unsafe-typecast)
    return uint128(uint256(answer * int256(10 ** _exponent(token, config.feed))));
  }

  function _requireFresh(uint256 updatedAt, uint256 maxAgeSeconds) internal view virtual {
    require(block.timestamp - updatedAt <= maxAgeSeconds, "stale");
  }

  /// No band includes zero.
  function _requirePlausible(int256 answer, ChainlinkPriceSource.FeedConfig memory config) internal view virtual {
    uint256 unit = 10 ** (config.feed.decimals() - config.bandDecimals);
    require(answer > int256(config.bandMin * unit) && answer < int256(config.bandMax * unit), "band");
  }

  function _exponent(address token, IAggregatorV3 feed) internal view virtual returns (uint256) {
    return 36 - IERC20Metadata(token).decimals() - feed.decimals();
  }
}
