import type { TradedAsset } from '../../agent/src/domain/assets.ts';
import type { Proposal, Side } from '../../agent/src/domain/facts.ts';
import { limitsOf } from '../../agent/src/guard/limits.ts';
import type { Random } from './random.ts';

// A market drawn by chance, and the facts that adapters would read of it. Floats on purpose: nothing here is paid with.

/** What is true of a moment, whatever the sources say of it. */
export interface Market {
  /** USD of one whole asset, and of one whole quote token. */
  readonly price: number;
  readonly quotePrice: number;
  /** Quote tokens per asset in the pool, now and as the mean of ten minutes. */
  spot: number;
  twap: number;
  /** USD that move the pool's price by about 100 %. */
  depthUsd: number;
  sizeUsd: number;
  side: Side;
  /** What the sources say. */
  chainlink: number;
  venus: number;
  quoteFeed: number;
  bid: number;
  ask: number;
  hasExchange: boolean;
  /** Whether Venus reads another feed than ours. */
  venusHasItsOwn: boolean;
  /** Seconds: of the feeds' answers and of the block when it was read, and how far the exchange's clock is off. */
  feedAge: number;
  quoteFeedAge: number;
  blockAge: number;
  exchangeLag: number;
}

const NOW = 1_800_000_000;
const feeMillionths = 500;

const asset: TradedAsset = {
  symbol: 'BTCB',
  name: 'Bitcoin',
  class: 'crypto',
  address: '0x7130d2A12B9BCbFAe4f2634d864A1Ee1Ce3Ead9c',
  decimals: 18,
  feed: '0x264990fbd0A4796A3E3d8E37C4d5F87a3aCa5Ebf',
  feedDecimals: 8,
  pool: { address: '0x0000000000000000000000000000000000000002', quote: 'USDT', feeMillionths },
  exchangePair: 'BTCUSDT',
  aliases: [],
};
const quoteAsset: TradedAsset = {
  symbol: 'USDT',
  name: 'Tether USD',
  class: 'stable',
  address: '0x55d398326f99059fF775485246999027B3197955',
  decimals: 18,
  feed: '0xB97Ad0E74fa7d920791E90258A6E2085088b4320',
  feedDecimals: 8,
  pool: { address: '0x0000000000000000000000000000000000000001', quote: 'USDC', feeMillionths: 100 },
  aliases: [],
};
const otherFeed = '0x0000000000000000000000000000000000000003';

const TEN_MINUTES_OF_A_YEAR = 10 / (365 * 24 * 60);

/** An ordinary moment: prices that wander, arbitrage that keeps the pool within its fee, feeds that answer when they must. */
export function honestMarket(draw: Random): Market {
  const price = 10 ** draw.between(0, 5);
  const quotePrice = 1 + draw.normal() * 0.0003;
  // 30 % a year in quiet times, 200 % in wild ones.
  const volatility = 0.3 * (2 / 0.3) ** draw.next();
  const wandered = draw.normal() * volatility * Math.sqrt(TEN_MINUTES_OF_A_YEAR);
  const spot = (price / quotePrice) * (1 + draw.between(-0.0008, 0.0008));
  // Chainlink answers anew once the price has moved by some tenths of a percent.
  const behind = draw.between(-0.003, 0.003);
  const halfSpread = draw.between(0.00005, 0.0004);
  const middle = (price / quotePrice) * (1 + draw.between(-0.0004, 0.0004));
  const chainlink = price * (1 + behind);
  const venusHasItsOwn = draw.chance(0.3);
  const sizeUsd = 10 ** draw.between(1, 4);
  return {
    price,
    quotePrice,
    spot,
    twap: spot * (1 - wandered / Math.sqrt(3)),
    depthUsd: sizeUsd * 10 ** draw.between(2.5, 5),
    sizeUsd,
    side: draw.chance(0.5) ? 'buy' : 'sell',
    chainlink,
    venus: venusHasItsOwn ? price * (1 + draw.between(-0.003, 0.003)) : chainlink,
    quoteFeed: 1 + draw.normal() * 0.0003,
    bid: middle * (1 - halfSpread),
    ask: middle * (1 + halfSpread),
    hasExchange: draw.chance(0.7),
    venusHasItsOwn,
    feedAge: draw.between(0, 290),
    quoteFeedAge: draw.between(0, 80_000),
    blockAge: draw.between(0, 5),
    exchangeLag: draw.between(-2, 2),
  };
}

const wad = (value: number): bigint => BigInt(Math.round(value * 1e9)) * 10n ** 9n;

/** What the guard is shown of it: a size in dollars, the pool's own quote for it, and what the sources say. */
export function proposalOf(market: Market): Proposal {
  const { side, spot } = market;
  const readAt = BigInt(NOW);
  const blockTime = BigInt(NOW - Math.round(market.blockAge));
  const before = (age: number) => blockTime - BigInt(Math.round(age));
  const { paid, received } = swapOf(market);
  const [tokenIn, tokenOut] = side === 'buy' ? [quoteAsset, asset] : [asset, quoteAsset];
  return {
    asset,
    quoteAsset,
    side,
    size: { usdWad: wad(market.sizeUsd) },
    readAt,
    limits: limitsOf.crypto,
    exchange: market.hasExchange
      ? {
          bidWad: wad(market.bid),
          askWad: wad(market.ask),
          answeredAt: readAt + BigInt(Math.round(market.exchangeLag)),
        }
      : 'off',
    chain: {
      block: { number: 1_000n, timestamp: blockTime },
      chainlink: {
        source: 'chainlink',
        feed: asset.feed,
        usdWad: wad(market.chainlink),
        updatedAt: before(market.feedAge),
      },
      venus: { source: 'venus', feed: market.venusHasItsOwn ? otherFeed : asset.feed, usdWad: wad(market.venus) },
      quoteToken: {
        source: 'chainlink',
        feed: quoteAsset.feed,
        usdWad: wad(market.quoteFeed),
        updatedAt: before(market.quoteFeedAge),
      },
      spotWad: wad(spot),
      twapWad: wad(market.twap),
      twapSeconds: 600n,
      quote: {
        side,
        tokenIn: tokenIn.address,
        tokenOut: tokenOut.address,
        amountIn: wad(paid),
        amountOut: wad(received),
      },
    },
  };
}

/** Whole tokens: what is paid by the feeds' word, and what a pool of this depth gives for it. */
function swapOf({ side, sizeUsd, quoteFeed, chainlink, spot, depthUsd }: Market) {
  const paid = sizeUsd / (side === 'buy' ? quoteFeed : chainlink || 1);
  const atSpot = (side === 'buy' ? paid / spot : paid * spot) * (1 - feeMillionths / 1e6);
  return { paid, received: atSpot / (1 + sizeUsd / depthUsd) };
}

/** How much less is received than is paid, by what is true, the pool's fee apart. 0.02 is 2 %. */
export function lossOf(market: Market): number {
  const { paid, received } = swapOf(market);
  const [paidUsd, receivedUsd] =
    market.side === 'buy'
      ? [paid * market.quotePrice, received * market.price]
      : [paid * market.price, received * market.quotePrice];
  return 1 - receivedUsd / (1 - feeMillionths / 1e6) / paidUsd;
}
