import type { TradedAsset } from '@bowline/core/domain/assets';
import type { Multiplier, Proposal, Reference, Session, Side, Simulation } from '@bowline/core/domain/facts';
import { limitsOf } from '@bowline/core/verdict/limits';
import type { Random } from './random.ts';

// A random market, and the facts that adapters would read from it. Floats on purpose: nothing is paid with them.

/** The truth of a moment, whatever the sources report. */
export interface Market {
  /** USD of one whole asset, and of one whole quote token. */
  readonly price: number;
  readonly quotePrice: number;
  /** Quote tokens per asset in the pool: spot, and ten-minute mean. */
  spot: number;
  twap: number;
  /** USD that move the pool's price by about 100 %. */
  depthUsd: number;
  sizeUsd: number;
  side: Side;
  /** What the sources report. */
  chainlink: number;
  venus: number;
  quoteFeed: number;
  bid: number;
  ask: number;
  hasExchange: boolean;
  /** Whether Venus reads a feed other than the agent's. */
  venusHasItsOwn: boolean;
  /** The feed's previous answer, Pyth's confidence, and the value of the exchange's orders. */
  before: number;
  pyth: number;
  pythConfidence: number;
  hasPyth: boolean;
  bookUsd: number;
  /** Past prices, oldest first, and the seconds between them. */
  closes: number[];
  closesEvery: number;
  /** The pool's current liquidity, as a share of its mean. */
  liquidityLeft: number;
  /** Number of blocks by which the finalized block lags. */
  finalLag: number;
  /** Shares that the token keeps of a purchase and of a sale; 1 means refused. */
  taxThere: number;
  taxBack: number;
  /** Whether it is a stablecoin, with a stablecoin's limits. */
  isStable?: boolean;
  /** Set for a token that represents shares. Its feed and Pyth price the share. */
  share?: Share;
  /** Seconds: age of the feeds' answers and of the block when read, and the exchange's clock offset. */
  feedAge: number;
  quoteFeedAge: number;
  blockAge: number;
  exchangeLag: number;
}

export interface Share {
  /** Shares that a token represents, and what its issuer reports, now and before. */
  readonly held: number;
  multiplier: number;
  multiplierBefore: number;
  /** Seconds since it last changed. */
  changedAgo: number;
  isHalted: boolean;
  /** Seconds since its exchange opened, and until it closes; negative while closed. */
  openFor: number;
  closesIn: number;
}

const NOW = 1_800_000_000;
const feeMillionths = 500;

const coin: TradedAsset = {
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
const share: TradedAsset = {
  symbol: 'ACMEX',
  name: 'Acme',
  class: 'tokenised_stock',
  address: '0x0000000000000000000000000000000000000011',
  decimals: 18,
  feed: '0x0000000000000000000000000000000000000012',
  feedDecimals: 8,
  pool: { address: '0x0000000000000000000000000000000000000013', quote: 'USDT', feeMillionths },
  exchangePair: 'ACMEXUSDT',
  onVenus: false,
  multiplier: '0x0000000000000000000000000000000000000014',
  calendar: 'XNYS',
  aliases: [],
};
const stable: TradedAsset = {
  ...coin,
  symbol: 'USDC',
  name: 'USD Coin',
  class: 'stable',
  exchangePair: 'USDCUSDT',
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

export interface Moment {
  /** USD; random if not given. */
  readonly price?: number;
  /** Volatility: 0.3 is 30 % a year. Random between calm and extreme if not given. */
  readonly volatility?: number;
}

/**
 * An ordinary moment: prices that wander, arbitrage that keeps the pool within its fee, and feeds that update when due.
 */
export function honestMarket(draw: Random, moment: Moment = {}): Market {
  const { price = 10 ** draw.between(0, 5), volatility = 0.3 * (2 / 0.3) ** draw.next() } = moment;
  const quotePrice = 1 + draw.normal() * 0.0003;
  const wandered = draw.normal() * volatility * Math.sqrt(TEN_MINUTES_OF_A_YEAR);
  const spot = (price / quotePrice) * (1 + draw.between(-0.0008, 0.0008));
  // Chainlink updates once the price has moved by some tenths of a percent.
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
    before: chainlink * (1 + draw.between(-0.01, 0.01)),
    pyth: price * (1 + draw.between(-0.002, 0.002)),
    pythConfidence: price * draw.between(0.0001, 0.002),
    hasPyth: draw.chance(0.7),
    bookUsd: sizeUsd * 10 ** draw.between(1, 4),
    closes: pastOf(price / quotePrice, volatility, draw),
    closesEvery: 3_600,
    liquidityLeft: draw.between(0.7, 1.3),
    finalLag: Math.floor(draw.between(1, 10)),
    taxThere: 0,
    taxBack: 0,
    feedAge: draw.between(0, 290),
    quoteFeedAge: draw.between(0, 80_000),
    blockAge: draw.between(0, 5),
    exchangeLag: draw.between(-2, 2),
  };
}

/** The same for a stablecoin, bought with another. */
export function honestStable(draw: Random): Market {
  const price = 1 + draw.normal() * 0.0003;
  const market = honestMarket(draw, { price, volatility: draw.between(0.002, 0.02) });
  const near = (by: number) => price * (1 + draw.normal() * by);
  const chainlink = near(0.0003);
  const middle = price / market.quotePrice;
  const spot = middle * (1 + draw.between(-0.0002, 0.0002));
  return {
    ...market,
    isStable: true,
    depthUsd: market.depthUsd * 10,
    spot,
    twap: spot * (1 + draw.normal() * 0.0001),
    chainlink,
    venus: market.venusHasItsOwn ? near(0.0003) : chainlink,
    pyth: near(0.0002),
    pythConfidence: draw.between(0.00005, 0.0008),
    before: near(0.0005),
    bid: middle * (1 - draw.between(0.00002, 0.0001)),
    ask: middle * (1 + draw.between(0.00002, 0.0001)),
    // As on exchanges: in steps of a basis point, and mostly equal.
    closes: market.closes.map((close) => Math.round(close * 1e4) / 1e4),
  };
}

/** The same for a token that represents shares, in the middle of a session. */
export function honestShare(draw: Random, moment: Moment = {}): Market {
  const market = honestMarket(draw, { volatility: 0.15 * (0.8 / 0.15) ** draw.next(), ...moment });
  const held = 10 ** draw.between(-1, 2);
  return {
    ...market,
    venusHasItsOwn: false,
    share: {
      held,
      multiplier: held,
      multiplierBefore: held * (1 - draw.between(0, 0.005)),
      changedAgo: draw.between(0, 90 * 86_400),
      isHalted: false,
      openFor: draw.between(300, 23_000),
      closesIn: draw.between(120, 23_000),
    },
  };
}

const HOURS = 50;
const HOUR_OF_A_YEAR = 1 / (365 * 24);

/** Closing prices that lead to the current price. */
function pastOf(price: number, volatility: number, draw: Random): number[] {
  const closes = [price];
  const deviation = volatility * Math.sqrt(HOUR_OF_A_YEAR);
  while (closes.length < HOURS) closes.push((closes.at(-1) ?? price) * Math.exp(draw.normal() * deviation));
  return closes.toReversed();
}

const wad = (value: number): bigint => BigInt(Math.round(value * 1e9)) * 10n ** 9n;

/** The hash of no block on any chain. */
const noBlock = `0x${'00'.repeat(32)}` as const;

/** The input of the checks: a size in dollars, the pool's own quote for it, and the sources' reports. */
export function proposalOf(market: Market): Proposal {
  const { side, spot, share: ofShare } = market;
  const asset = ofShare ? share : market.isStable ? stable : coin;
  /** The price that a source reports for the share instead of the token. */
  const perShare = (usd: number) => wad(usd / (ofShare?.held ?? 1));
  const readAt = BigInt(NOW);
  const blockTime = BigInt(NOW - Math.round(market.blockAge));
  const before = (age: number) => blockTime - BigInt(Math.round(age));
  const { paid, received } = swapOf(market);
  const [tokenIn, tokenOut] = side === 'buy' ? [quoteAsset, asset] : [asset, quoteAsset];
  const venus: Reference = {
    source: 'venus',
    feed: market.venusHasItsOwn ? otherFeed : asset.feed,
    usdWad: wad(market.venus),
  };
  return {
    asset,
    quoteAsset,
    side,
    size: { usdWad: wad(market.sizeUsd) },
    readAt,
    limits: limitsOf[asset.class],
    ...ofExchange(market, readAt),
    pyth: market.hasPyth
      ? {
          source: 'pyth',
          usdWad: perShare(market.pyth),
          confidenceWad: perShare(market.pythConfidence),
          updatedAt: readAt - 2n,
        }
      : 'off',
    ...(ofShare && { session: sessionOf(ofShare, blockTime) }),
    chain: {
      block: { number: 1_000n, timestamp: blockTime, parentHash: noBlock },
      ...(market.chainlink > 0 && {
        chainlink: {
          source: 'chainlink',
          feed: asset.feed,
          usdWad: perShare(market.chainlink),
          updatedAt: before(market.feedAge),
        },
      }),
      ...(ofShare ? { multiplier: multiplierOf(ofShare, before) } : { venus }),
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
      chainlinkBeforeWad: perShare(market.before),
      liquidity: { now: BigInt(Math.round(1e9 * market.liquidityLeft)), mean: 10n ** 9n },
      finalBlock: 1_000n - BigInt(market.finalLag),
      play: simulationOf(market, paid, received),
    },
  };
}

/** The exchange's report on the token. */
function ofExchange(market: Market, readAt: bigint): Pick<Proposal, 'exchange' | 'depth' | 'history'> {
  if (!market.hasExchange) return { exchange: 'off', depth: 'off', history: 'off' };
  const sideWad = wad(market.bookUsd);
  return {
    exchange: {
      bidWad: wad(market.bid),
      askWad: wad(market.ask),
      answeredAt: readAt + BigInt(Math.round(market.exchangeLag)),
    },
    depth: { bidsWad: sideWad, asksWad: sideWad },
    history: { intervalSeconds: BigInt(market.closesEvery), closesWad: market.closes.map(wad) },
  };
}

function simulationOf({ taxThere, taxBack }: Market, paid: number, received: number): Simulation {
  if (taxThere === 1) return 'refused';
  const got = received * (1 - taxThere);
  if (taxBack === 1) return { received: wad(got) };
  const kept = (1 - feeMillionths / 1e6) ** 2;
  return { received: wad(got), returned: wad(paid * kept * (1 - taxThere) * (1 - taxBack)) };
}

const sessionOf = ({ openFor, closesIn }: Share, blockTime: bigint): Session =>
  openFor < 0
    ? { state: 'closed', opensAt: blockTime + 3_600n }
    : {
        state: 'open',
        openedAt: blockTime - BigInt(Math.round(openFor)),
        closesAt: blockTime + BigInt(Math.round(closesIn)),
      };

const multiplierOf = (ofShare: Share, before: (age: number) => bigint): Multiplier => ({
  wad: wad(ofShare.multiplier),
  beforeWad: wad(ofShare.multiplierBefore),
  changedAt: before(ofShare.changedAgo),
  isHalted: ofShare.isHalted,
});

/** Whole tokens: the amount paid at the feeds' prices, and what a pool of this depth gives for it. */
function swapOf({ side, sizeUsd, quoteFeed, chainlink, spot, depthUsd, share: ofShare }: Market) {
  const perToken = ofShare ? (chainlink / ofShare.held) * ofShare.multiplier : chainlink;
  const paid = sizeUsd / (side === 'buy' ? quoteFeed : perToken > 0 ? perToken : 1);
  const atSpot = (side === 'buy' ? paid / spot : paid * spot) * (1 - feeMillionths / 1e6);
  return { paid, received: atSpot / (1 + sizeUsd / depthUsd) };
}

/**
 * How much less is received than paid, at true prices, without the pool's fee: 0.02 is 2 %. A refused swap loses
 * nothing; a purchase that cannot be sold is worth nothing.
 */
export function lossOf(market: Market): number {
  const { side, price, quotePrice, taxThere, taxBack } = market;
  if (taxThere === 1) return 0;
  const { paid, received } = swapOf(market);
  const got = received * (1 - taxThere);
  const [paidUsd, receivedUsd] =
    side === 'buy' ? [paid * quotePrice, got * price * (1 - taxBack)] : [paid * price, got * quotePrice];
  return 1 - receivedUsd / (1 - feeMillionths / 1e6) / paidUsd;
}
