// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Test} from "forge-std/Test.sol";

import {IAggregatorV3} from "../../../contracts/interfaces/IAggregatorV3.sol";
import {IPriceSource} from "../../../contracts/interfaces/IPriceSource.sol";
import {ChainlinkPriceSource} from "../../../contracts/prices/ChainlinkPriceSource.sol";
import {Product} from "../../base/Product.sol";
import {MockERC20} from "../../mocks/MockERC20.sol";
import {MockFeed} from "../../mocks/MockFeed.sol";

contract ChainlinkPriceSourceTest is Test {
  uint256 private constant NOW = 1_893_456_000;
  uint32 private constant MAX_AGE_SECONDS = 600;

  MockERC20 private usdc;
  MockERC20 private wbnb;
  MockFeed private usdcFeed;
  MockFeed private wbnbFeed;
  ChainlinkPriceSource private source;

  function setUp() public {
    vm.warp(NOW);
    (usdc, wbnb) = (new MockERC20("USDC", 6), new MockERC20("WBNB", 18));
    (usdcFeed, wbnbFeed) = (new MockFeed(8), new MockFeed(18));
    usdcFeed.set(0.9998e8, NOW);
    wbnbFeed.set(612.5e18, NOW);
    ChainlinkPriceSource.FeedConfig[] memory configs = new ChainlinkPriceSource.FeedConfig[](2);
    configs[0] = ChainlinkPriceSource.FeedConfig(address(usdc), usdcFeed, MAX_AGE_SECONDS);
    configs[1] = ChainlinkPriceSource.FeedConfig(address(wbnb), wbnbFeed, MAX_AGE_SECONDS * 2);
    source = Product.chainlinkPriceSource(configs);
  }

  /// PS-1: 1e18 base units of USDC are 1e12 USDC; of WBNB they are one.
  function test_prices_areUsdOf1e18BaseUnits() public view {
    (uint256 priceInWad, uint256 priceOutWad) = source.prices(address(usdc), address(wbnb));
    assertEq(priceInWad, 0.9998e18 * 1e12);
    assertEq(priceOutWad, 612.5e18);
    (priceInWad, priceOutWad) = source.prices(address(wbnb), address(usdc));
    assertEq(priceInWad, 612.5e18);
    assertEq(priceOutWad, 0.9998e18 * 1e12);
  }

  /// PS-1: 3 USD per token are 3 · 10^(36 − token decimals), whatever the feed's decimals.
  function test_prices_doNotDependOnTheDecimalsOfTheFeed() public {
    uint8[3] memory tokenDecimals = [6, 8, 18];
    uint8[3] memory feedDecimals = [8, 18, 0];
    for (uint256 i; i < 3; ++i) {
      for (uint256 j; j < 3; ++j) {
        (MockERC20 token, MockFeed feed) = (new MockERC20("ANY", tokenDecimals[i]), new MockFeed(feedDecimals[j]));
        feed.set(int256(3 * 10 ** feedDecimals[j]), NOW);
        (uint256 priceInWad,) = _built(address(token), feed, 1).prices(address(token), address(token));
        assertEq(priceInWad, 3 * 10 ** (36 - uint256(tokenDecimals[i])));
      }
    }
  }

  /// PS-1: with no decimals on either side, and with the most that fit.
  function test_prices_atBothEndsOfTheScale() public {
    (MockERC20 token, MockFeed feed) = (new MockERC20("ANY", 0), new MockFeed(0));
    feed.set(7, NOW);
    (uint256 priceInWad,) = _built(address(token), feed, 1).prices(address(token), address(token));
    assertEq(priceInWad, 7e36);

    (token, feed) = (new MockERC20("ANY", 28), new MockFeed(8));
    feed.set(7, NOW);
    (priceInWad,) = _built(address(token), feed, 1).prices(address(token), address(token));
    assertEq(priceInWad, 7);
  }

  /// PS-1: a later change of a token's decimals has no effect.
  function test_prices_readDecimalsOnceAtConstruction() public {
    vm.mockCall(address(usdc), abi.encodeCall(usdc.decimals, ()), abi.encode(uint8(18)));
    vm.mockCall(address(usdcFeed), abi.encodeCall(usdcFeed.decimals, ()), abi.encode(uint8(18)));
    (uint256 priceInWad,) = source.prices(address(usdc), address(wbnb));
    assertEq(priceInWad, 0.9998e18 * 1e12);
  }

  /// PS-2
  function testFuzz_prices_refusesAnAnswerThatIsNotPositive(int256 answer) public {
    answer = bound(answer, type(int256).min, 0);
    usdcFeed.set(answer, NOW);
    _expectRefused(ChainlinkPriceSource.AnswerNotPositive.selector, abi.encode(usdcFeed, answer));
  }

  /// PS-2
  function test_prices_refusesZeroAndAcceptsOne() public {
    usdcFeed.set(0, NOW);
    _expectRefused(ChainlinkPriceSource.AnswerNotPositive.selector, abi.encode(usdcFeed, int256(0)));
    usdcFeed.set(1, NOW);
    (uint256 priceInWad,) = source.prices(address(usdc), address(wbnb));
    assertEq(priceInWad, 1e22);
  }

  /// PS-2: an answer at its age limit counts; a second later it does not.
  function test_prices_refusesAStaleAnswer() public {
    usdcFeed.set(1e8, NOW - MAX_AGE_SECONDS);
    source.prices(address(usdc), address(wbnb));
    skip(1);
    _expectRefused(
      ChainlinkPriceSource.AnswerStale.selector, abi.encode(usdcFeed, NOW - MAX_AGE_SECONDS, MAX_AGE_SECONDS, NOW + 1)
    );
  }

  /// PS-2: each feed has its own limit, which applies to both tokens.
  function test_prices_holdsEachFeedToItsOwnLimit() public {
    usdcFeed.set(1e8, NOW + MAX_AGE_SECONDS * 2);
    skip(MAX_AGE_SECONDS * 2);
    source.prices(address(usdc), address(wbnb));
    skip(1);
    _expectRefused(
      ChainlinkPriceSource.AnswerStale.selector, abi.encode(wbnbFeed, NOW, MAX_AGE_SECONDS * 2, block.timestamp)
    );
  }

  /// PS-2: a round that was never completed has no time.
  function test_prices_refusesAnAnswerWithoutATime() public {
    usdcFeed.set(1e8, 0);
    _expectRefused(ChainlinkPriceSource.AnswerStale.selector, abi.encode(usdcFeed, 0, MAX_AGE_SECONDS, NOW));
  }

  /// PS-2
  function test_prices_refusesAnAnswerFromTheFuture() public {
    usdcFeed.set(1e8, NOW + 1);
    _expectRefused(ChainlinkPriceSource.AnswerFromFuture.selector, abi.encode(usdcFeed, NOW + 1, NOW));
  }

  /// PS-3
  function test_prices_refusesATokenWithoutAFeed() public {
    address unknown = makeAddr("unknown");
    vm.expectRevert(abi.encodeWithSelector(IPriceSource.TokenNotPriced.selector, unknown));
    source.prices(unknown, address(wbnb));
    vm.expectRevert(abi.encodeWithSelector(IPriceSource.TokenNotPriced.selector, unknown));
    source.prices(address(usdc), unknown);
  }

  /// PS-3
  function test_constructor_fixesTheFeedOfEachToken() public view {
    (IAggregatorV3 feed, uint32 maxAgeSeconds, uint8 exponent) = source.feedOf(address(usdc));
    assertEq(address(feed), address(usdcFeed));
    assertEq(maxAgeSeconds, MAX_AGE_SECONDS);
    assertEq(exponent, 22);
  }

  /// PS-3
  function test_constructor_refusesASecondFeedForAToken() public {
    ChainlinkPriceSource.FeedConfig[] memory configs = new ChainlinkPriceSource.FeedConfig[](2);
    configs[0] = ChainlinkPriceSource.FeedConfig(address(usdc), usdcFeed, 1);
    configs[1] = ChainlinkPriceSource.FeedConfig(address(usdc), wbnbFeed, 1);
    vm.expectRevert(abi.encodeWithSelector(ChainlinkPriceSource.FeedRefused.selector, usdc, wbnbFeed));
    Product.chainlinkPriceSource(configs);
  }

  /// PS-1
  function test_constructor_refusesMoreDecimalsThanTheScaleHolds() public {
    MockERC20 token = new MockERC20("ANY", 29);
    vm.expectRevert(abi.encodeWithSelector(ChainlinkPriceSource.FeedRefused.selector, token, usdcFeed));
    _built(address(token), usdcFeed, 1);
  }

  /// PS-2: a limit of zero would refuse every answer but one of the same second.
  function test_constructor_refusesAnAgeLimitOfZero() public {
    vm.expectRevert(abi.encodeWithSelector(ChainlinkPriceSource.FeedRefused.selector, usdc, usdcFeed));
    _built(address(usdc), usdcFeed, 0);
  }

  function _built(address token, MockFeed feed, uint32 maxAgeSeconds) private returns (ChainlinkPriceSource) {
    ChainlinkPriceSource.FeedConfig[] memory configs = new ChainlinkPriceSource.FeedConfig[](1);
    configs[0] = ChainlinkPriceSource.FeedConfig(token, feed, maxAgeSeconds);
    return Product.chainlinkPriceSource(configs);
  }

  function _expectRefused(bytes4 selector, bytes memory arguments) private {
    vm.expectRevert(bytes.concat(selector, arguments));
    source.prices(address(usdc), address(wbnb));
  }
}
