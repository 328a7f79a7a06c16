// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20Metadata} from "@openzeppelin/contracts/token/ERC20/extensions/IERC20Metadata.sol";
import {SafeCast} from "@openzeppelin/contracts/utils/math/SafeCast.sol";

import {IAggregatorV3} from "../interfaces/IAggregatorV3.sol";
import {IPriceSource} from "../interfaces/IPriceSource.sol";

/// @title ChainlinkPriceSource
/// @notice USD prices read directly from Chainlink feeds. The feed of each token is fixed at construction.
contract ChainlinkPriceSource is IPriceSource {
  using SafeCast for int256;

  struct FeedConfig {
    address token;
    IAggregatorV3 feed;
    /// An older answer is refused.
    uint32 maxAgeSeconds;
  }

  struct Feed {
    IAggregatorV3 aggregator;
    uint32 maxAgeSeconds;
    /// 36 − token decimals − feed decimals: scales an answer to IPriceSource's unit.
    uint8 exponent;
  }

  error FeedRefused(address token, address feed);
  error AnswerNotPositive(address feed, int256 answer);
  error AnswerStale(address feed, uint256 updatedAt, uint256 maxAgeSeconds, uint256 time);
  error AnswerFromFuture(address feed, uint256 updatedAt, uint256 time);

  mapping(address token => Feed) public feedOf;

  constructor(FeedConfig[] memory configs) {
    for (uint256 i; i < configs.length; ++i) {
      FeedConfig memory config = configs[i];
      uint256 decimals = uint256(IERC20Metadata(config.token).decimals()) + config.feed.decimals();
      bool taken = address(feedOf[config.token].aggregator) != address(0);
      if (decimals > 36 || config.maxAgeSeconds == 0 || taken) revert FeedRefused(config.token, address(config.feed));
      feedOf[config.token] = Feed(config.feed, config.maxAgeSeconds, SafeCast.toUint8(36 - decimals));
    }
  }

  /// @inheritdoc IPriceSource
  function prices(address tokenIn, address tokenOut) external view returns (uint256 priceInWad, uint256 priceOutWad) {
    return (_price(tokenIn), _price(tokenOut));
  }

  function _price(address token) private view returns (uint256) {
    Feed memory feed = feedOf[token];
    if (address(feed.aggregator) == address(0)) revert TokenNotPriced(token);
    (, int256 answer,, uint256 updatedAt,) = feed.aggregator.latestRoundData();
    if (answer <= 0) revert AnswerNotPositive(address(feed.aggregator), answer);
    if (updatedAt > block.timestamp) revert AnswerFromFuture(address(feed.aggregator), updatedAt, block.timestamp);
    if (block.timestamp - updatedAt > feed.maxAgeSeconds) {
      revert AnswerStale(address(feed.aggregator), updatedAt, feed.maxAgeSeconds, block.timestamp);
    }
    return answer.toUint256() * 10 ** feed.exponent;
  }
}
