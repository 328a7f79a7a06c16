import type { TradedAsset } from '../../domain/assets.ts';
import type { Proposal } from '../../domain/facts.ts';
import { WAD } from '../../domain/units.ts';
import { limitsOfAsset } from '../../registry/asset-limits.ts';
import { limitsOf } from '../../verdict/limits.ts';

export const USDT: TradedAsset = {
  symbol: 'USDT',
  name: 'Tether USD',
  class: 'stable',
  address: '0x55d398326f99059fF775485246999027B3197955',
  decimals: 18,
  feed: '0xB97Ad0E74fa7d920791E90258A6E2085088b4320',
  feedDecimals: 8,
  pool: { address: '0x0000000000000000000000000000000000000001', quote: 'USDC', feeMillionths: 100 },
  aliases: ['tether'],
};

export const BTCB: TradedAsset = {
  symbol: 'BTCB',
  name: 'Binance-Peg Bitcoin',
  class: 'crypto',
  address: '0x7130d2A12B9BCbFAe4f2634d864A1Ee1Ce3Ead9c',
  decimals: 18,
  feed: '0x264990fbd0A4796A3E3d8E37C4d5F87a3aCa5Ebf',
  feedDecimals: 8,
  pool: { address: '0x0000000000000000000000000000000000000002', quote: 'USDT', feeMillionths: 500 },
  exchangePair: 'BTCUSDT',
  aliases: ['bitcoin', 'btc'],
};

export const NOW = 1_800_000_000n;

/** Hourly closes that go up and down by the same part: up, down, up; the last change is another. */
export function closes(change: number, count: number, last = change): bigint[] {
  let price = 100_000;
  const found = [price];
  for (let at = 1; at < count; at += 1) {
    const by = at === count - 1 ? last : change;
    price *= Math.exp(at % 2 === 0 ? -by : by);
    found.push(price);
  }
  return found.map((close) => BigInt(Math.round(close * 1e9)) * 10n ** 9n);
}

/** Everything in order: BTCB at 100,000 USD in every source, USDT at one dollar, and a pool of unlimited depth. */
export function fairProposal(): Proposal {
  const { volatilityBps, moveBps } = limitsOf.crypto;
  const usdWad = 100_000n * WAD;
  return {
    asset: BTCB,
    quoteAsset: USDT,
    side: 'buy',
    size: { usdWad: 1_000n * WAD },
    readAt: NOW,
    // Limits that are fitted to history are the class's, because a new fit changes the asset's own.
    limits: { ...limitsOfAsset(BTCB), volatilityBps, moveBps },
    exchange: { bidWad: usdWad, askWad: usdWad, answeredAt: NOW },
    history: { intervalSeconds: 3_600n, closesWad: closes(0.005, 168) },
    pyth: { source: 'pyth', usdWad, updatedAt: NOW, confidenceWad: 50n * WAD },
    quotePyth: 'off',
    chain: {
      block: { number: 1_000n, timestamp: NOW, parentHash: `0x${'ab'.repeat(32)}` },
      chainlink: { source: 'chainlink', feed: BTCB.feed, usdWad, updatedAt: NOW },
      venus: { source: 'venus', feed: BTCB.feed, usdWad, updatedAt: NOW },
      redStone: 'off',
      binanceOracle: 'off',
      quoteRedStone: 'off',
      quoteBinanceOracle: 'off',
      quoteToken: { source: 'chainlink', feed: USDT.feed, usdWad: WAD, updatedAt: NOW },
      route: [{ pool: '0x46Cf1cF8c69595804ba91dFdd8d6b960c9B0a7C4', feeMillionths: 500, tokenOut: BTCB.address }],
      spotWad: usdWad,
      twapWad: usdWad,
      twapSeconds: 600n,
      quote: {
        side: 'buy',
        tokenIn: USDT.address,
        tokenOut: BTCB.address,
        amountIn: 1_000n * WAD,
        // 1,000 USDT less 0.05 %, at 100,000 each.
        amountOut: 9_995_000_000_000_000n,
      },
      chainlinkBeforeWad: usdWad,
      chainlinkPast: [
        { usdWad, updatedAt: NOW - 3_600n },
        { usdWad, updatedAt: NOW - 7_200n },
      ],
      finalBlock: 998n,
      // The pool takes its 0.05 % on the way there and on the way back.
      play: { received: 9_995_000_000_000_000n, returned: 999_000_250_000_000_000_000n },
    },
  };
}

/** The fair pool, pushed `bps` above its price. */
export function pushedPool(bps: bigint): Required<Pick<Proposal['chain'], 'spotWad' | 'quote'>> {
  const { quote, spotWad } = fairProposal().chain;
  if (quote === undefined || spotWad === undefined) throw new Error('the fair pool has a price and a quote');
  const [up, one] = [10_000n + bps, 10_000n];
  return { spotWad: (spotWad * up) / one, quote: { ...quote, amountOut: (quote.amountOut * one) / up } };
}

/** The fair proposal with facts of the chain replaced; `undefined` removes a fact. */
export function withChain(
  changes: { [Fact in keyof Proposal['chain']]?: Proposal['chain'][Fact] | undefined },
): Proposal {
  const fair = fairProposal();
  const facts = Object.entries({ ...fair.chain, ...changes }).filter(([, fact]) => fact !== undefined);
  return { ...fair, chain: Object.fromEntries(facts) as unknown as Proposal['chain'] };
}
