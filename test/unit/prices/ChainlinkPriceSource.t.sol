// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Test} from "forge-std/Test.sol";

import {IAggregatorLimits, IAggregatorV3} from "../../../contracts/interfaces/IAggregatorV3.sol";
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
    configs[0] = ChainlinkPriceSource.FeedConfig(address(usdc), usdcFeed, MAX_AGE_SECONDS, 2, 95, 105);
    configs[1] = ChainlinkPriceSource.FeedConfig(address(wbnb), wbnbFeed, MAX_AGE_SECONDS * 2, 0, 40, 16_000);
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
    (priceInWad,) = _built(address(token), feed, 1, 8, 1, 100).prices(address(token), address(token));
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

  /// PS-2: zero has its own error; one is the smallest answer that only a band refuses.
  function test_prices_refusesZero() public {
    usdcFeed.set(0, NOW);
    _expectRefused(ChainlinkPriceSource.AnswerNotPositive.selector, abi.encode(usdcFeed, int256(0)));
    usdcFeed.set(1, NOW);
    _expectRefused(ChainlinkPriceSource.AnswerOutOfBand.selector, abi.encode(usdcFeed, 1, 0.95e8, 1.05e8));
  }

  /// PS-5: the ends of the band are outside it, since an aggregator at its own limit answers exactly that.
  function test_prices_refusesAnAnswerAtAnEndOfTheBandAndAcceptsTheNext() public {
    int256[2] memory ends = [int256(0.95e8), 1.05e8];
    int256[2] memory inside = [int256(1), -1];
    for (uint256 i; i < 2; ++i) {
      usdcFeed.set(ends[i], NOW);
      _expectRefused(ChainlinkPriceSource.AnswerOutOfBand.selector, abi.encode(usdcFeed, ends[i], 0.95e8, 1.05e8));
      usdcFeed.set(ends[i] - inside[i], NOW);
      _expectRefused(
        ChainlinkPriceSource.AnswerOutOfBand.selector, abi.encode(usdcFeed, ends[i] - inside[i], 0.95e8, 1.05e8)
      );
      usdcFeed.set(ends[i] + inside[i], NOW);
      (uint256 priceInWad,) = source.prices(address(usdc), address(wbnb));
      assertEq(priceInWad, uint256(ends[i] + inside[i]) * 1e22);
    }
  }

  /// PS-5: each feed has its own band, in the decimals of its own answers, for both tokens.
  function test_prices_holdsEachFeedToItsOwnBand() public {
    wbnbFeed.set(40e18, NOW);
    _expectRefused(ChainlinkPriceSource.AnswerOutOfBand.selector, abi.encode(wbnbFeed, 40e18, 40e18, 16_000e18));
    wbnbFeed.set(16_000e18, NOW);
    _expectRefused(ChainlinkPriceSource.AnswerOutOfBand.selector, abi.encode(wbnbFeed, 16_000e18, 40e18, 16_000e18));
    wbnbFeed.set(40e18 + 1, NOW);
    (, uint256 priceOutWad) = source.prices(address(usdc), address(wbnb));
    assertEq(priceOutWad, 40e18 + 1);
    wbnbFeed.set(16_000e18 - 1, NOW);
    (, priceOutWad) = source.prices(address(usdc), address(wbnb));
    assertEq(priceOutWad, 16_000e18 - 1);
  }

  /// PS-5: an answer is refused exactly outside the open band.
  function testFuzz_prices_answersExactlyInsideTheBand(uint256 answer, uint24 bandMin, uint24 bandMax) public {
    bandMin = uint24(bound(bandMin, 1, type(uint24).max - 1));
    bandMax = uint24(bound(bandMax, bandMin + 1, type(uint24).max));
    answer = bound(answer, 1, uint256(type(uint24).max) * 1e6 + 1);
    usdcFeed.set(int256(answer), NOW);
    source = _built(address(usdc), usdcFeed, 1, 2, bandMin, bandMax);
    (uint256 min, uint256 max) = (uint256(bandMin) * 1e6, uint256(bandMax) * 1e6);
    if (answer <= min || answer >= max) {
      vm.expectRevert(abi.encodeWithSelector(ChainlinkPriceSource.AnswerOutOfBand.selector, usdcFeed, answer, min, max));
    }
    source.prices(address(usdc), address(usdc));
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

  /// PS-2
  function test_prices_refusesATokenWithoutAFeed() public {
    address unknown = makeAddr("unknown");
    vm.expectRevert(abi.encodeWithSelector(IPriceSource.TokenNotPriced.selector, unknown));
    source.prices(unknown, address(wbnb));
    vm.expectRevert(abi.encodeWithSelector(IPriceSource.TokenNotPriced.selector, unknown));
    source.prices(address(usdc), unknown);
  }

  /// PS-2
  function test_constructor_fixesTheFeedOfEachToken() public view {
    (IAggregatorV3 feed, uint32 maxAgeSeconds, uint8 exponent, uint8 bandExponent, uint24 bandMin, uint24 bandMax) =
      source.feedOf(address(usdc));
    assertEq(address(feed), address(usdcFeed));
    assertEq(maxAgeSeconds, MAX_AGE_SECONDS);
    assertEq(exponent, 22);
    assertEq(bandExponent, 6);
    assertEq(bandMin, 95);
    assertEq(bandMax, 105);
  }

  /// PS-2
  function test_constructor_refusesASecondFeedForAToken() public {
    ChainlinkPriceSource.FeedConfig[] memory configs = new ChainlinkPriceSource.FeedConfig[](2);
    configs[0] = ChainlinkPriceSource.FeedConfig(address(usdc), usdcFeed, 1, 2, 95, 105);
    configs[1] = ChainlinkPriceSource.FeedConfig(address(usdc), wbnbFeed, 1, 0, 40, 16_000);
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

  /// PS-5: a band has two ends in order, above zero and no finer than the feed's answers.
  function test_constructor_refusesWhatIsNoBand() public {
    _expectFeedRefused();
    _built(address(usdc), usdcFeed, 1, 2, 0, 105);
    _expectFeedRefused();
    _built(address(usdc), usdcFeed, 1, 2, 105, 105);
    _expectFeedRefused();
    _built(address(usdc), usdcFeed, 1, 2, 106, 105);
    _expectFeedRefused();
    _built(address(usdc), usdcFeed, 1, 9, 1, type(uint24).max);
    _built(address(usdc), usdcFeed, 1, 8, 1, 2);
  }

  /// PS-5: an aggregator's limit may be an end of the band, and not inside it.
  function test_constructor_refusesABandWiderThanTheAggregatorsLimits() public {
    address aggregator = makeAddr("aggregator");
    _mockAggregator(usdcFeed, aggregator);
    _mockLimits(aggregator, 0.95e8, 1.05e8);
    _built(address(usdc), usdcFeed, 1, 2, 95, 105);
    _mockLimits(aggregator, 0.95e8 + 1, 1.05e8);
    _expectBandRefused(0.95e8 + 1, 1.05e8);
    _built(address(usdc), usdcFeed, 1, 2, 95, 105);
    _mockLimits(aggregator, 0.95e8, 1.05e8 - 1);
    _expectBandRefused(0.95e8, 1.05e8 - 1);
    _built(address(usdc), usdcFeed, 1, 2, 95, 105);
  }

  /// PS-5: newer aggregators have limits that nothing reaches.
  function test_constructor_acceptsLimitsThatNothingReaches() public {
    address aggregator = makeAddr("aggregator");
    _mockAggregator(usdcFeed, aggregator);
    _mockLimits(aggregator, 1, type(int192).max);
    _built(address(usdc), usdcFeed, 1, 2, 95, 105);
  }

  /// PS-5: each limit counts alone, also where the feed is no proxy.
  function test_constructor_readsEachLimitThatThereIs() public {
    vm.mockCall(address(usdcFeed), abi.encodeCall(IAggregatorLimits.minAnswer, ()), abi.encode(int192(0.95e8 + 1)));
    _expectBandRefused(0.95e8 + 1, type(int256).max);
    _built(address(usdc), usdcFeed, 1, 2, 95, 105);
    vm.clearMockedCalls();
    vm.mockCall(address(usdcFeed), abi.encodeCall(IAggregatorLimits.maxAnswer, ()), abi.encode(int192(1.05e8 - 1)));
    _expectBandRefused(type(int256).min, 1.05e8 - 1);
    _built(address(usdc), usdcFeed, 1, 2, 95, 105);
  }

  /// PS-5: an aggregator without limits has none, and neither has an account without code.
  function test_constructor_acceptsAnAggregatorWithoutLimits() public {
    _mockAggregator(usdcFeed, address(new MockFeed(8)));
    _built(address(usdc), usdcFeed, 1, 2, 95, 105);
    _mockAggregator(usdcFeed, makeAddr("nobody"));
    _built(address(usdc), usdcFeed, 1, 2, 95, 105);
  }

  /// PS-5: a limit is one word.
  function test_constructor_ignoresAnAnswerThatIsNotOneWord() public {
    vm.mockCall(
      address(usdcFeed), abi.encodeCall(IAggregatorLimits.minAnswer, ()), abi.encode(int256(2e8), int256(2e8))
    );
    _built(address(usdc), usdcFeed, 1, 2, 95, 105);
  }

  /// PS-5: after a replacement the band holds as before, and the new aggregator's limits are not read.
  function test_prices_readNoLimits() public {
    _mockAggregator(usdcFeed, makeAddr("replacement"));
    _mockLimits(makeAddr("replacement"), 0.99e8, 1.01e8);
    usdcFeed.set(0.95e8, NOW);
    _expectRefused(ChainlinkPriceSource.AnswerOutOfBand.selector, abi.encode(usdcFeed, 0.95e8, 0.95e8, 1.05e8));
    usdcFeed.set(0.95e8 + 1, NOW);
    source.prices(address(usdc), address(wbnb));
  }

  /// With a band that every answer of these tests is in.
  function _built(address token, MockFeed feed, uint32 maxAgeSeconds) private returns (ChainlinkPriceSource) {
    return _built(token, feed, maxAgeSeconds, 0, 1, 100);
  }

  function _built(
    address token,
    MockFeed feed,
    uint32 maxAgeSeconds,
    uint8 bandDecimals,
    uint24 bandMin,
    uint24 bandMax
  ) private returns (ChainlinkPriceSource) {
    ChainlinkPriceSource.FeedConfig[] memory configs = new ChainlinkPriceSource.FeedConfig[](1);
    configs[0] = ChainlinkPriceSource.FeedConfig(token, feed, maxAgeSeconds, bandDecimals, bandMin, bandMax);
    return Product.chainlinkPriceSource(configs);
  }

  function _mockAggregator(MockFeed feed, address aggregator) private {
    vm.mockCall(address(feed), abi.encodeCall(IAggregatorLimits.aggregator, ()), abi.encode(aggregator));
  }

  function _mockLimits(address aggregator, int192 minAnswer, int192 maxAnswer) private {
    vm.mockCall(aggregator, abi.encodeCall(IAggregatorLimits.minAnswer, ()), abi.encode(minAnswer));
    vm.mockCall(aggregator, abi.encodeCall(IAggregatorLimits.maxAnswer, ()), abi.encode(maxAnswer));
  }

  function _expectFeedRefused() private {
    vm.expectRevert(abi.encodeWithSelector(ChainlinkPriceSource.FeedRefused.selector, usdc, usdcFeed));
  }

  function _expectBandRefused(int256 minAnswer, int256 maxAnswer) private {
    vm.expectRevert(
      abi.encodeWithSelector(ChainlinkPriceSource.BandBeyondAggregator.selector, usdcFeed, minAnswer, maxAnswer)
    );
  }

  function _expectRefused(bytes4 selector, bytes memory arguments) private {
    vm.expectRevert(bytes.concat(selector, arguments));
    source.prices(address(usdc), address(wbnb));
  }
}
