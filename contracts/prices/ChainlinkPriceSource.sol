// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20Metadata} from "@openzeppelin/contracts/token/ERC20/extensions/IERC20Metadata.sol";
import {SafeCast} from "@openzeppelin/contracts/utils/math/SafeCast.sol";

import {IAggregatorLimits, IAggregatorV3} from "../interfaces/IAggregatorV3.sol";
import {IPriceSource} from "../interfaces/IPriceSource.sol";

/// @title ChainlinkPriceSource
/// @notice USD prices from Chainlink feeds. The feed of each token, its maximum age and its band are fixed at
/// construction.
/// @dev Band: beyond its own limits an aggregator does not follow the market, but reports the limit with a fresh
/// timestamp. An answer at either end of the band is therefore refused too, and a band wider than the aggregator's
/// limits is refused at construction. The limits are not read again: if the aggregator is replaced, only this band
/// protects.
contract ChainlinkPriceSource is IPriceSource {
  using SafeCast for int256;
  using SafeCast for uint256;

  struct FeedConfig {
    address token;
    IAggregatorV3 feed;
    /// Maximum age of an answer; an older one is refused.
    uint32 maxAgeSeconds;
    /// Decimals of the two ends, at most the feed's: with 2 they are in US cents.
    uint8 bandDecimals;
    /// An answer at or below it is refused.
    uint24 bandMin;
    /// An answer at or above it is refused.
    uint24 bandMax;
  }

  /// One storage slot: each run reads two.
  struct Feed {
    IAggregatorV3 aggregator;
    uint32 maxAgeSeconds;
    /// 36 − token decimals − feed decimals: scales an answer to IPriceSource's unit.
    uint8 exponent;
    /// Feed decimals − band decimals: scales an end of the band to an answer.
    uint8 bandExponent;
    uint24 bandMin;
    uint24 bandMax;
  }

  error FeedRefused(address token, address feed);
  /// The aggregator's own limits; at least one lies inside the band.
  error BandBeyondAggregator(address feed, int256 minAnswer, int256 maxAnswer);
  error AnswerNotPositive(address feed, int256 answer);
  error AnswerOutOfBand(address feed, uint256 answer, uint256 bandMin, uint256 bandMax);
  error AnswerStale(address feed, uint256 updatedAt, uint256 maxAgeSeconds, uint256 time);
  error AnswerFromFuture(address feed, uint256 updatedAt, uint256 time);

  mapping(address token => Feed) public feedOf;

  constructor(FeedConfig[] memory configs) {
    for (uint256 i; i < configs.length; ++i) {
      FeedConfig memory config = configs[i];
      uint256 feedDecimals = config.feed.decimals();
      uint256 decimals = IERC20Metadata(config.token).decimals() + feedDecimals;
      bool taken = address(feedOf[config.token].aggregator) != address(0);
      bool banded = config.bandDecimals <= feedDecimals && 0 < config.bandMin && config.bandMin < config.bandMax;
      if (decimals > 36 || config.maxAgeSeconds == 0 || taken || !banded) {
        revert FeedRefused(config.token, address(config.feed));
      }
      Feed memory feed = Feed({
        aggregator: config.feed,
        maxAgeSeconds: config.maxAgeSeconds,
        exponent: (36 - decimals).toUint8(),
        bandExponent: (feedDecimals - config.bandDecimals).toUint8(),
        bandMin: config.bandMin,
        bandMax: config.bandMax
      });
      _requireWithinLimits(feed);
      feedOf[config.token] = feed;
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
    uint256 value = answer.toUint256();
    (uint256 bandMin, uint256 bandMax) = _band(feed);
    if (value <= bandMin || value >= bandMax) {
      revert AnswerOutOfBand(address(feed.aggregator), value, bandMin, bandMax);
    }
    if (updatedAt > block.timestamp) revert AnswerFromFuture(address(feed.aggregator), updatedAt, block.timestamp);
    if (block.timestamp - updatedAt > feed.maxAgeSeconds) {
      revert AnswerStale(address(feed.aggregator), updatedAt, feed.maxAgeSeconds, block.timestamp);
    }
    return value * 10 ** feed.exponent;
  }

  /// In the unit of the feed's answers.
  function _band(Feed memory feed) private pure returns (uint256 bandMin, uint256 bandMax) {
    uint256 unit = 10 ** feed.bandExponent;
    return (feed.bandMin * unit, feed.bandMax * unit);
  }

  /// An aggregator without a limit function has no limit.
  function _requireWithinLimits(Feed memory feed) private view {
    address proxy = address(feed.aggregator);
    address aggregator =
      abi.decode(_ask(proxy, abi.encodeCall(IAggregatorLimits.aggregator, ()), abi.encode(proxy)), (address));
    int256 minAnswer = abi.decode(
      _ask(aggregator, abi.encodeCall(IAggregatorLimits.minAnswer, ()), abi.encode(type(int256).min)), (int256)
    );
    int256 maxAnswer = abi.decode(
      _ask(aggregator, abi.encodeCall(IAggregatorLimits.maxAnswer, ()), abi.encode(type(int256).max)), (int256)
    );
    (uint256 bandMin, uint256 bandMax) = _band(feed);
    if (minAnswer > bandMin.toInt256() || maxAnswer < bandMax.toInt256()) {
      revert BandBeyondAggregator(proxy, minAnswer, maxAnswer);
    }
  }

  /// The word that `target` returns, or `otherwise` if it has no such function.
  function _ask(address target, bytes memory question, bytes memory otherwise) private view returns (bytes memory) {
    (bool answered, bytes memory answer) = target.staticcall(question);
    return answered && answer.length == 32 ? answer : otherwise;
  }
}
