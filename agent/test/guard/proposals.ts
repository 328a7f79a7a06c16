import type { TradedAsset } from '../../src/domain/assets.ts';
import type { Proposal } from '../../src/domain/facts.ts';
import { WAD } from '../../src/domain/units.ts';
import { limitsOf } from '../../src/guard/limits.ts';

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

/** Everything in order: BTCB at 100,000 USD wherever one looks, USDT at one dollar, and a pool as deep as one likes. */
export function fairProposal(): Proposal {
  const usdWad = 100_000n * WAD;
  return {
    asset: BTCB,
    quoteAsset: USDT,
    side: 'buy',
    size: { usdWad: 1_000n * WAD },
    readAt: NOW,
    limits: limitsOf.crypto,
    exchange: { bidWad: usdWad, askWad: usdWad, answeredAt: NOW },
    chain: {
      block: { number: 1_000n, timestamp: NOW },
      chainlink: { source: 'chainlink', feed: BTCB.feed, usdWad, updatedAt: NOW },
      venus: { source: 'venus', feed: BTCB.feed, usdWad, updatedAt: NOW },
      quoteToken: { source: 'chainlink', feed: USDT.feed, usdWad: WAD, updatedAt: NOW },
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
    },
  };
}

/** The fair proposal with facts of the chain replaced; `undefined` takes a fact away. */
export function withChain(
  changes: { [Fact in keyof Proposal['chain']]?: Proposal['chain'][Fact] | undefined },
): Proposal {
  const fair = fairProposal();
  const facts = Object.entries({ ...fair.chain, ...changes }).filter(([, fact]) => fact !== undefined);
  return { ...fair, chain: Object.fromEntries(facts) as unknown as Proposal['chain'] };
}
