import { readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { Proposal, Reference } from '../../domain/facts.ts';
import { BPS, WAD } from '../../domain/units.ts';
import type { Outcome } from '../../domain/verdict.ts';
import { checks } from '../../verdict/checks/index.ts';
import { limitsOf } from '../../verdict/limits.ts';
import { BTCB, closes, fairProposal, NOW, USDT, withChain } from './proposals.ts';

const USD = 100_000n * WAD;
/** 100,000 USD moved by so many 1/10,000. */
const moved = (bps: bigint) => (USD * (BPS + bps)) / BPS;
const reference = (source: Reference['source'], usdWad: bigint, updatedAt = NOW): Reference => ({
  source,
  usdWad,
  updatedAt,
});
/** An exchange whose bid and ask are this, a wad apart or not, by its own clock so many seconds before ours. */
const exchangeAt = (bidWad: bigint, askWad = bidWad, secondsAgo = 0n): Proposal => ({
  ...fairProposal(),
  exchange: { bidWad, askWad, answeredAt: NOW - secondsAgo },
});

const fair = fairProposal();
const fairQuote = fair.chain.quote;
if (fairQuote === undefined) throw new Error('the fair proposal has a quote');
/** The pool pays so many 1/10,000 less than at its spot price. */
const quoteShortBy = (bps: bigint) =>
  withChain({ quote: { ...fairQuote, amountOut: (fairQuote.amountOut * (BPS - bps)) / BPS } });

const pythOf = (usdWad: bigint, confidenceUsd = 0n) =>
  ({ pyth: { source: 'pyth', usdWad, updatedAt: NOW, confidenceWad: confidenceUsd * WAD } }) as const;
const bidAsk = (bidWad: bigint, askWad: bigint) => ({ exchange: { bidWad, askWad, answeredAt: NOW } });

/** USDC, bought with USDT. */
const usdc = (usdWad: bigint | undefined): Proposal => ({
  ...withChain({ chainlink: usdWad === undefined ? undefined : reference('chainlink', usdWad) }),
  ...pythOf(usdWad ?? WAD),
  ...bidAsk(usdWad ?? WAD, usdWad ?? WAD),
  asset: { ...USDT, symbol: 'USDC' },
  limits: limitsOf.stable,
});

/** The fair proposal without one of its facts. */
function without(fact: 'exchange' | 'depth' | 'history' | 'pyth'): Proposal {
  const { [fact]: _, ...proposal } = fair;
  return proposal as Proposal;
}

/** Pyth at 100,000 USD, give or take so many 1/10,000. */
const pythSure = (confidenceWad: bigint, usdWad = USD): Proposal => ({
  ...fair,
  pyth: { source: 'pyth', usdWad, updatedAt: NOW, confidenceWad },
});
const pythAt = (usdWad: bigint, secondsAgo = 0n): Proposal => ({
  ...fair,
  pyth: { source: 'pyth', usdWad, updatedAt: NOW - secondsAgo, confidenceWad: 0n },
});

/** An exchange whose asks within 1 % are worth this; the size is 1,000 USDT. */
const asksOf = (asksWad: bigint): Proposal => ({ ...fair, depth: { bidsWad: 1n, asksWad } });

const simulatedTo = (play: Proposal['chain']['play']) => withChain({ play });
const [received, returned] = [fairQuote.amountOut, 999_000_250_000_000_000_000n];

/** By the formula of a sample's deviation, of n changes that go up and down by `change`. */
const deviation = (change: number, n: number) => change * Math.sqrt(n / (n - 1));
/** A day of hours, each of which the price moves by about so many 1/10,000; a little less, so that rounding up gives just that. */
const stormy = (bps: number): Proposal => ({
  ...fair,
  history: { intervalSeconds: 3_600n, closesWad: closes((bps - 0.5) / 10_000 / deviation(1, 24), 25) },
});
/** Two days of hours, of which the last moves so many thousandths of the others' deviation. */
const unusual = (millisigma: number): Proposal => ({
  ...fair,
  history: {
    intervalSeconds: 3_600n,
    closesWad: closes(0.005, 51, (deviation(0.005, 48) * (millisigma - 0.5)) / 1_000),
  },
});

/** Fifty hours up and down by half a percent, and so many hours ago a fall of 8 %; two: half of it each of the last two hours. */
function crashed(kind: 1 | 2 | 3): bigint[] {
  const past = closes(0.005, 50);
  const last = past.at(-1) ?? 0n;
  const fallen = (parts: bigint) => (last * (1_000n - parts)) / 1_000n;
  const falls = {
    1: [fallen(80n), fallen(80n)],
    2: [fallen(40n), fallen(80n)],
    3: [fallen(80n), fallen(80n), fallen(80n)],
  };
  return [...past, ...falls[kind]];
}

const pastOf = (closesWad: bigint[]): Proposal => ({ ...fair, history: { intervalSeconds: 3_600n, closesWad } });
/** What the feed said a round before. */
const before = (chainlinkBeforeWad: bigint | undefined) => withChain({ chainlinkBeforeWad });

const dated = (usdWad: bigint, updatedAt: bigint) => reference('chainlink', usdWad, updatedAt);
const quoteDated = (updatedAt: bigint) => withChain({ quoteToken: dated(WAD, updatedAt) });
const chainlinkDated = (updatedAt: bigint) => withChain({ chainlink: dated(USD, updatedAt) });

/** 1,000 USDT buy BTCB for so many 1/10,000 less, at 100,000 USD each. */
const quoteAtCost = (bps: bigint) => ({
  ...withChain({ quote: { ...fairQuote, amountOut: (WAD * (BPS - bps)) / (100n * BPS) } }),
  ...pythOf(USD),
});
/** A hundredth of a BTCB is sold for so many 1/10,000 less. */
const soldAtCost = (bps: bigint): Proposal => ({
  ...withChain({
    quote: {
      side: 'sell',
      tokenIn: BTCB.address,
      tokenOut: USDT.address,
      amountIn: WAD / 100n,
      amountOut: (1_000n * WAD * (BPS - bps)) / BPS,
    },
  }),
  side: 'sell',
});
/** Pyth and the exchange say so much more than Chainlink, and the pool asks it. */
const bothFlatter = (costBps: bigint, bps: bigint): Proposal => ({
  ...withChain({ quote: { ...fairQuote, amountOut: (WAD * (BPS - costBps - bps)) / (100n * BPS) } }),
  ...pythOf(moved(bps)),
  ...bidAsk(moved(bps), moved(bps)),
});
/** USDT, which is paid, is worth so many 1/10,000 of a dollar; the exchange, which is in USDT, says the same in USD. */
const paidAt = (parts: bigint) => ({
  chain: { ...withChain({ quoteToken: dated((WAD * parts) / BPS, NOW) }).chain },
  ...bidAsk((USD * BPS) / parts, (USD * BPS) / parts),
});
/** The current hour has moved by so many 1/10,000. */
const lastMove = (bps: number): Proposal => ({
  ...fair,
  history: { intervalSeconds: 3_600n, closesWad: closes(0, 51, bps / 10_000) },
});

type Case = [what: string, proposal: Proposal, outcome: Outcome, reason?: string | undefined, measured?: bigint];
const cases: Record<string, Case[]> = {
  chain_health: [
    ['two blocks', fair, 'pass', undefined, 2n],
    ['at the caution limit', withChain({ finalBlock: 900n }), 'pass', undefined, 100n],
    ['beyond it', withChain({ finalBlock: 899n }), 'caution', 'finality_stalled', 101n],
    ['at the limit', withChain({ finalBlock: 600n }), 'caution', 'finality_stalled', 400n],
    ['beyond it', withChain({ finalBlock: 599n }), 'no_go', 'finality_stalled', 401n],
    ['final by now', withChain({ finalBlock: 1_001n }), 'pass', undefined, 0n],
    ['unknown', withChain({ finalBlock: undefined }), 'no_data', 'finality_missing'],
  ],
  chain_freshness: [
    ['fresh', fair, 'pass', undefined, 0n],
    ['the block at its limit', { ...fair, readAt: NOW + 60n }, 'pass', undefined, 60n],
    ['the block older', { ...fair, readAt: NOW + 61n }, 'no_go', 'reference_stale', 61n],
    ['the block ahead of the clock', { ...fair, readAt: NOW - 61n }, 'no_go', 'reference_stale', 61n],
    ['the quote token at its limit', quoteDated(NOW - 1_800n), 'pass', undefined, 0n],
    ['the quote token older', quoteDated(NOW - 1_801n), 'no_data', 'reference_stale'],
    ['the quote token from the future', quoteDated(NOW + 1n), 'no_data', 'reference_stale'],
    ['no price of the quote token', withChain({ quoteToken: undefined }), 'no_data', 'reference_missing'],
    ['a price of zero', withChain({ quoteToken: reference('chainlink', 0n) }), 'no_data', 'reference_missing'],
  ],
  reference_quorum: [
    ['all three', fair, 'pass', undefined, 3n],
    ['no Chainlink', withChain({ chainlink: undefined }), 'pass', undefined, 2n],
    ['a Chainlink at its limit', chainlinkDated(NOW - 180n), 'pass', undefined, 3n],
    ['a Chainlink that has stopped', chainlinkDated(NOW - 181n), 'pass', undefined, 2n],
    ['a Chainlink of the future', chainlinkDated(NOW + 1n), 'pass', undefined, 2n],
    ['no exchange', without('exchange'), 'pass', undefined, 2n],
    ['an exchange of another time', exchangeAt(USD, USD, 31n), 'pass', undefined, 2n],
    ['an exchange ahead of the clock', exchangeAt(USD, USD, -31n), 'pass', undefined, 2n],
    ['an exchange whose currency has an old price', quoteDated(NOW - 864_000n), 'pass', undefined, 2n],
    ['an exchange whose spread is at its limit', exchangeAt(USD, moved(80n)), 'pass', undefined, 3n],
    ['a wider one', exchangeAt(USD, moved(81n)), 'pass', undefined, 2n],
    ['a book that is crossed', exchangeAt(USD + 1n, USD), 'pass', undefined, 2n],
    ['no Pyth', without('pyth'), 'pass', undefined, 2n],
    ['Pyth at its age', pythAt(USD, 60n), 'pass', undefined, 3n],
    ['Pyth older', pythAt(USD, 61n), 'pass', undefined, 2n],
    ['Pyth as sure as it must be', pythSure(400n * WAD), 'pass', undefined, 3n],
    ['Pyth less sure', pythSure(400n * WAD + 1n), 'pass', undefined, 2n],
    ['only Chainlink, the others off', { ...fair, exchange: 'off', pyth: 'off' }, 'no_data', 'reference_missing', 1n],
    ['only Chainlink, the others silent', { ...without('exchange'), pyth: 'off' }, 'no_data', 'reference_missing', 1n],
    ['only the exchange', { ...chainlinkDated(NOW - 181n), pyth: 'off' }, 'no_data', 'reference_stale', 1n],
    [
      'Chainlink and a Pyth that is unsure',
      { ...pythSure(1_001n * WAD), exchange: 'off' },
      'no_data',
      'reference_uncertain',
      1n,
    ],
    [
      'none',
      { ...withChain({ chainlink: undefined }), exchange: 'off', pyth: 'off' },
      'no_data',
      'reference_missing',
      0n,
    ],
  ],
  price_jump: [
    ['none', fair, 'pass', undefined, 0n],
    ['the feed from its last answer, at the caution limit', before((USD * 10n) / 13n + 1n), 'pass', undefined, 3_000n],
    ['beyond it', before((USD * 10n) / 13n - WAD), 'caution', 'price_jumped', 3_001n],
    ['doubled', before(USD / 2n), 'caution', 'price_jumped', 10_000n],
    ['more than doubled', before(USD / 2n - 1n), 'no_go', 'price_jumped', 10_001n],
    ['halved and more', before(2n * USD + 1n), 'no_go', 'price_jumped', 10_001n],
    ['its first answer, held against the pool alone', before(undefined), 'pass', undefined, 0n],
    [
      'a ratio for a price, on its first answer',
      withChain({ chainlink: reference('chainlink', WAD), chainlinkBeforeWad: undefined }),
      'no_go',
      'price_jumped',
      999_990_000n,
    ],
    ['an exchange in another unit', exchangeAt(WAD), 'no_go', 'price_jumped', 999_990_000n],
    [
      'nothing to hold it against',
      withChain({ chainlinkBeforeWad: undefined, twapWad: undefined }),
      'no_data',
      'reference_missing',
    ],
  ],
  reference_agreement: [
    ['all the same', fair, 'pass', undefined, 0n],
    ['one far away, two that agree', pythSure(0n, moved(5_000n)), 'pass', undefined, 0n],
    ['two of two at the caution limit', { ...pythSure(0n, moved(60n)), exchange: 'off' }, 'pass', undefined, 60n],
    ['beyond it', { ...pythSure(0n, moved(61n)), exchange: 'off' }, 'caution', 'references_disagree', 61n],
    ['at the limit', { ...pythSure(0n, moved(100n)), exchange: 'off' }, 'caution', 'references_disagree', 100n],
    ['beyond it', { ...pythSure(0n, moved(101n)), exchange: 'off' }, 'no_go', 'references_disagree', 101n],
    [
      'three of which no two agree',
      { ...exchangeAt(moved(101n)), pyth: { source: 'pyth', usdWad: moved(-102n), updatedAt: NOW, confidenceWad: 0n } },
      'no_go',
      'references_disagree',
      101n,
    ],
    ['fewer than two', { ...fair, exchange: 'off', pyth: 'off' }, 'no_data', 'reference_missing'],
  ],
  bargain: [
    ['exactly at the reference', fair, 'pass', undefined, 0n],
    ['dearer is none', withChain({ spotWad: moved(500n) }), 'pass', undefined, 0n],
    ['at the caution limit', withChain({ spotWad: moved(-300n) }), 'pass', undefined, 300n],
    ['beyond it', withChain({ spotWad: moved(-301n) }), 'caution', 'pool_off_reference', 301n],
    ['at the limit', withChain({ spotWad: moved(-1_000n) }), 'caution', 'pool_off_reference', 1_000n],
    ['beyond it', withChain({ spotWad: moved(-1_001n) }), 'no_go', 'pool_off_reference', 1_001n],
    [
      'a sale above it',
      { ...withChain({ spotWad: moved(301n) }), side: 'sell' },
      'caution',
      'pool_off_reference',
      301n,
    ],
    ['a sale below it', { ...withChain({ spotWad: moved(-301n) }), side: 'sell' }, 'pass', undefined, 0n],
    [
      'sources apart, at their own limit',
      { ...withChain({ spotWad: moved(-60n) }), ...pythOf(moved(61n)) },
      'pass',
      undefined,
      60n,
    ],
    [
      'beyond it',
      { ...withChain({ spotWad: moved(-61n) }), ...pythOf(moved(61n)) },
      'caution',
      'pool_off_reference',
      61n,
    ],
    ['no pool', withChain({ spotWad: undefined }), 'no_data', 'pool_missing'],
    ['no price of the quote token', withChain({ quoteToken: undefined }), 'no_data', 'pool_missing'],
    ['fewer than two sources', { ...fair, exchange: 'off', pyth: 'off' }, 'no_data', 'reference_missing'],
  ],
  spot_against_twap: [
    ['at its mean', fair, 'pass', undefined, 0n],
    ['at the caution limit', withChain({ spotWad: moved(200n) }), 'pass', undefined, 200n],
    ['beyond it', withChain({ spotWad: moved(201n) }), 'caution', 'spot_off_twap', 201n],
    ['at the limit', withChain({ spotWad: moved(400n) }), 'caution', 'spot_off_twap', 400n],
    ['beyond it', withChain({ spotWad: moved(401n) }), 'no_go', 'spot_off_twap', 401n],
    ['pushed to the benefit of a buyer', withChain({ spotWad: moved(-401n) }), 'pass', undefined, 0n],
    ['and of a seller', { ...withChain({ spotWad: moved(401n) }), side: 'sell' }, 'pass', undefined, 0n],
    ['against a seller', { ...withChain({ spotWad: moved(-401n) }), side: 'sell' }, 'no_go', 'spot_off_twap', 401n],
    ['no mean', withChain({ twapWad: undefined }), 'no_data', 'twap_missing'],
    ['a mean of zero', withChain({ twapWad: 0n }), 'no_data', 'twap_missing'],
    ['no price', withChain({ spotWad: undefined }), 'no_data', 'twap_missing'],
  ],
  liquidity_withdrawn: [
    ['as much as ever', fair, 'pass', undefined, 0n],
    ['more', withChain({ liquidity: { now: 2n * BPS, mean: BPS } }), 'pass', undefined, 0n],
    ['half of it', withChain({ liquidity: { now: 5_000n, mean: BPS } }), 'pass', undefined, 5_000n],
    ['less', withChain({ liquidity: { now: 4_999n, mean: BPS } }), 'caution', 'liquidity_withdrawn', 5_001n],
    ['a fifth of it', withChain({ liquidity: { now: 2_000n, mean: BPS } }), 'caution', 'liquidity_withdrawn', 8_000n],
    ['less', withChain({ liquidity: { now: 1_999n, mean: BPS } }), 'no_go', 'liquidity_withdrawn', 8_001n],
    ['nothing', withChain({ liquidity: { now: 0n, mean: BPS } }), 'no_go', 'liquidity_withdrawn', 10_000n],
    ['unknown', withChain({ liquidity: undefined }), 'no_data', 'liquidity_missing'],
    ['a mean of nothing', withChain({ liquidity: { now: 1n, mean: 0n } }), 'no_data', 'liquidity_missing'],
  ],
  price_impact: [
    ['the fee alone', fair, 'pass', undefined, 0n],
    ['at the caution limit', quoteShortBy(50n), 'pass', undefined, 50n],
    ['beyond it', quoteShortBy(51n), 'caution', 'price_impact_high', 51n],
    ['beyond the limit', quoteShortBy(101n), 'no_go', 'price_impact_high', 101n],
    ['more than at spot', quoteShortBy(-10n), 'pass', undefined, 0n],
    ['no quote', withChain({ quote: undefined }), 'no_data', 'quote_missing'],
    ['no price to compare with', withChain({ spotWad: undefined }), 'no_data', 'quote_missing'],
    [
      'selling',
      withChain({
        quote: { ...fairQuote, side: 'sell', amountIn: WAD / 100n, amountOut: (999n * WAD * 98n) / 100n },
      }),
      'no_go',
      'price_impact_high',
      // 0.01 BTCB less 0.05 % is worth 999.5 USDT; 979.02 came out.
      205n,
    ],
  ],
  exchange_depth: [
    ['a hundredth of the book', fair, 'pass', undefined, 100n],
    ['at the caution limit', asksOf(4_000n * WAD), 'pass', undefined, 2_500n],
    ['beyond it', asksOf(4_000n * WAD - 1n), 'caution', 'exchange_depth_thin', 2_501n],
    ['at the limit', asksOf(1_000n * WAD), 'caution', 'exchange_depth_thin', 10_000n],
    ['beyond it', asksOf(1_000n * WAD - 1n), 'no_go', 'exchange_depth_thin', 10_001n],
    ['an empty book', asksOf(0n), 'no_go', 'exchange_depth_thin', 100_000_000n],
    [
      'a seller takes the bids',
      { ...fair, depth: { bidsWad: 500n * WAD, asksWad: USD }, side: 'sell' },
      'no_go',
      'exchange_depth_thin',
      20_000n,
    ],
    ['no answer', without('depth'), 'pass'],
    ['not asked', { ...fair, depth: 'off' }, 'pass'],
    ['a size that is not known', withChain({ quote: undefined }), 'no_data', 'quote_missing'],
  ],
  executability: [
    ['as quoted', fair, 'pass', undefined, 0n],
    ['more than quoted', simulatedTo({ received: received + 1n, returned }), 'pass', undefined, 0n],
    ['one unit less', simulatedTo({ received: received - 1n, returned }), 'no_go', 'token_taxed', 1n],
    ['a tenth less', simulatedTo({ received: (received * 9n) / 10n, returned }), 'no_go', 'token_taxed', 1_000n],
    ['refused', simulatedTo('refused'), 'no_go', 'swap_would_revert'],
    ['refused, and not even quoted', withChain({ play: 'refused', quote: undefined }), 'no_go', 'swap_would_revert'],
    ['not simulated', simulatedTo(undefined), 'no_data', 'simulation_missing'],
    ['no quote', withChain({ quote: undefined }), 'no_data', 'quote_missing'],
  ],
  way_back: [
    ['the fees alone', fair, 'pass', undefined, 0n],
    [
      'at the caution limit',
      simulatedTo({ received, returned: (returned * 9_990n) / BPS + 1n }),
      'pass',
      undefined,
      10n,
    ],
    ['beyond it', simulatedTo({ received, returned: (returned * 9_990n) / BPS - 1n }), 'caution', 'way_back_dear', 11n],
    [
      'at the limit',
      simulatedTo({ received, returned: (returned * 9_950n) / BPS + 1n }),
      'caution',
      'way_back_dear',
      50n,
    ],
    ['beyond it', simulatedTo({ received, returned: (returned * 9_950n) / BPS - 1n }), 'no_go', 'way_back_dear', 51n],
    ['nothing comes back', simulatedTo({ received, returned: 0n }), 'no_go', 'way_back_dear', 10_000n],
    ['refused', simulatedTo({ received }), 'no_go', 'no_way_back'],
    ['not simulated', simulatedTo(undefined), 'no_data', 'simulation_missing'],
    ['the way there refused', simulatedTo('refused'), 'no_data', 'simulation_missing'],
    ['no quote', withChain({ quote: undefined }), 'no_data', 'simulation_missing'],
  ],
  stablecoin_peg: [
    ['what is received is no stablecoin', fair, 'pass'],
    ['the coin that is paid is off its peg', { ...fair, ...paidAt(9_000n) }, 'pass'],
    ['a sale for a quote token that is no stablecoin', { ...soldAtCost(5n), quoteAsset: BTCB }, 'pass'],
    ['a sale brings a dollar', { ...fair, side: 'sell' }, 'pass', undefined, 0n],
    ['at the caution limit', { ...fair, ...paidAt(9_950n), side: 'sell' }, 'pass', undefined, 50n],
    ['beyond it', { ...fair, ...paidAt(9_949n), side: 'sell' }, 'caution', 'stablecoin_off_peg', 51n],
    ['at the limit', { ...fair, ...paidAt(9_900n), side: 'sell' }, 'caution', 'stablecoin_off_peg', 100n],
    ['beyond it', { ...fair, ...paidAt(9_899n), side: 'sell' }, 'no_go', 'stablecoin_off_peg', 101n],
    ['above a dollar', { ...fair, ...paidAt(10_101n), side: 'sell' }, 'no_go', 'stablecoin_off_peg', 101n],
    ['a stablecoin is bought', usdc(WAD), 'pass', undefined, 0n],
    ['a falling one is bought', usdc((WAD * 97n) / 100n), 'no_go', 'stablecoin_off_peg', 300n],
    ['a falling one is sold', { ...usdc((WAD * 97n) / 100n), side: 'sell' }, 'pass', undefined, 0n],
    ['a coin of which nothing is known', { ...usdc(WAD), pyth: 'off', exchange: 'off' }, 'no_data', 'peg_missing'],
    [
      'a sale for a coin without a price',
      { ...withChain({ quoteToken: undefined }), side: 'sell' },
      'no_data',
      'peg_missing',
    ],
  ],
  // GD-15
  all_in_cost: [
    ['the fee alone', fair, 'pass', undefined, 5n],
    ['at the caution limit', quoteAtCost(40n), 'pass', undefined, 40n],
    ['beyond it', quoteAtCost(41n), 'caution', 'cost_high', 41n],
    ['at the limit', quoteAtCost(90n), 'caution', 'cost_high', 90n],
    ['beyond it', quoteAtCost(91n), 'no_go', 'cost_high', 91n],
    ['a gain', quoteAtCost(-500n), 'pass', undefined, -500n],
    [
      'by the median of three, not by one that flatters',
      { ...quoteAtCost(30n), ...pythOf(moved(500n)) },
      'pass',
      undefined,
      30n,
    ],
    ['nor by one that is 50 below', { ...quoteAtCost(30n), ...pythOf(moved(-50n)) }, 'pass', undefined, 30n],
    ['but one that makes it dear stops it', { ...quoteAtCost(30n), ...pythOf(moved(-62n)) }, 'no_go', 'cost_high', 92n],
    ['two that flatter together do not hide the third', bothFlatter(30n, 70n), 'no_go', 'cost_high', 100n],
    [
      'by the worse of two',
      { ...quoteAtCost(30n), ...pythOf(moved(-20n)), exchange: 'off' },
      'caution',
      'cost_high',
      50n,
    ],
    [
      'by the low edge of Pyth',
      { ...quoteAtCost(30n), ...pythOf(USD, 200n), exchange: 'off' },
      'caution',
      'cost_high',
      50n,
    ],
    [
      'by the bid of the exchange',
      { ...quoteAtCost(30n), ...bidAsk(moved(-20n), moved(20n)), pyth: 'off' },
      'caution',
      'cost_high',
      50n,
    ],
    ['a sale: the fee alone', soldAtCost(5n), 'pass', undefined, 5n],
    ['a sale beyond the caution limit', soldAtCost(41n), 'caution', 'cost_high', 41n],
    [
      'a sale by the ask of the exchange',
      { ...soldAtCost(30n), ...bidAsk(moved(-20n), moved(20n)), pyth: 'off' },
      'caution',
      'cost_high',
      50n,
    ],
    ['dearer through what is paid', { ...fair, ...paidAt(10_100n), ...pythOf(USD) }, 'no_go', 'cost_high', 104n],
    ['fewer than two sources', { ...fair, exchange: 'off', pyth: 'off' }, 'no_data', 'reference_missing'],
    ['no quote', withChain({ quote: undefined }), 'no_data', 'quote_missing'],
    ['no price of what is paid', withChain({ quoteToken: undefined }), 'no_data', 'reference_missing'],
  ],
  volatility: [
    ['calm', fair, 'pass', undefined, 52n],
    ['at the caution limit', stormy(300), 'pass', undefined, 300n],
    ['beyond it', stormy(301), 'caution', 'volatility_high', 301n],
    ['at the limit', stormy(600), 'caution', 'volatility_high', 600n],
    ['beyond it', stormy(601), 'no_go', 'volatility_high', 601n],
    ['less than a day', pastOf(closes(0.005, 24)), 'pass'],
    ['no answer', without('history'), 'pass'],
    ['not asked', { ...fair, history: 'off' }, 'pass'],
  ],
  recent_move: [
    ['calm', fair, 'pass', undefined, 51n],
    // The limits are 0.1 and 0.2 as logarithms: 9.52 and 18.13 % of a fall, 10.52 and 22.15 % of a rise.
    ['a fall at the caution limit', lastMove(999.5), 'pass', undefined, 952n],
    ['a fall beyond it', lastMove(1_000.5), 'caution', 'price_moving', 953n],
    ['a fall at the limit', lastMove(1_999.5), 'caution', 'price_moving', 1_813n],
    ['a fall beyond it', lastMove(2_000.5), 'no_go', 'price_moving', 1_814n],
    ['a rise at the caution limit', lastMove(-999.5), 'pass', undefined, 1_052n],
    ['a rise beyond it', lastMove(-1_000.5), 'caution', 'price_moving', 1_053n],
    ['a rise at the limit', lastMove(-1_999.5), 'caution', 'price_moving', 2_215n],
    ['a rise beyond it', lastMove(-2_000.5), 'no_go', 'price_moving', 2_216n],
    ['of the hour before', pastOf(crashed(1)), 'pass', undefined, 801n],
    ['in two halves', pastOf(crashed(2)), 'pass', undefined, 801n],
    ['of three hours ago', pastOf(crashed(3)), 'pass', undefined, 0n],
    ['two closes', pastOf(closes(0.5, 2)), 'pass'],
    ['more than a number holds', pastOf([1n, 1n, 10n ** 308n]), 'no_go', 'price_moving', 10n ** 9n],
    ['no answer', without('history'), 'pass'],
    ['not asked', { ...fair, history: 'off' }, 'pass'],
  ],
  price_in_history: [
    ['usual', fair, 'pass', undefined, 997n],
    ['unusual, and every source confirms it', unusual(8_001), 'pass', undefined, 8_001n],
    ['at the limit without one of them', { ...unusual(8_000), exchange: 'off' }, 'pass', undefined, 8_000n],
    ['beyond it', { ...unusual(8_001), exchange: 'off' }, 'caution', 'price_unusual', 8_001n],
    ['with one of them apart', { ...unusual(8_001), ...pythOf(moved(61n)) }, 'caution', 'price_unusual', 8_001n],
    ['less than two days', { ...pastOf(closes(0.005, 48)), exchange: 'off' }, 'pass'],
    ['no answer', without('history'), 'pass'],
    ['not asked', { ...fair, history: 'off' }, 'pass'],
  ],
};

// GD-5
describe.each(checks.map((check) => [check.id, check] as const))('%s', (id, check) => {
  test.each(cases[id] ?? [])('%s', (_what, proposal, outcome, reason, measured) => {
    const answer = check.run(proposal);
    expect(answer).toMatchObject({ outcome, ...(reason === undefined ? {} : { reason }) });
    expect(answer.measured).toBe(measured);
    expect(answer.reason).toBe(reason);
    // One sentence for people: no exact amounts, which stand in the measure and the evidence.
    expect(answer.detail).toMatch(/^[A-Z0-9].*\.$/);
    expect(answer.detail).not.toMatch(/\d{9}|undefined/);
  });
});

// GD-5
test('every file of checks is in the list', async () => {
  const folder = new URL('../../verdict/checks/', import.meta.url);
  const files = readdirSync(folder).filter((file) => file !== 'index.ts');
  for (const file of files) {
    const exported: unknown[] = Object.values(await import(new URL(file, folder).href));
    expect(
      exported.some((each) => (checks as readonly unknown[]).includes(each)),
      file,
    ).toBe(true);
  }
  expect(files).toHaveLength(checks.length);
});

test('every check has cases, and every case a check', () => {
  expect(Object.keys(cases)).toEqual(checks.map(({ id }) => id));
});

test('what is found reads as a sentence', () => {
  const sentence = (id: string, proposal: Proposal) => checks.find((check) => check.id === id)?.run(proposal).detail;
  for (const [id, proposal, expected] of [
    [
      'chain_freshness',
      fair,
      'Block 1,000 is 0 s behind the clock (limit 60 s); of USDT Chainlink says 1 USD, Pyth is not asked.',
    ],
    [
      'chain_freshness',
      quoteDated(NOW - 1_801n),
      'Block 1,000 is 0 s behind the clock (limit 60 s); ' +
        'of USDT Chainlink gives a price of another time, Pyth is not asked.',
    ],
    [
      'chain_freshness',
      { ...fair, readAt: NOW - 61n },
      'Block 1,000 is 61 s ahead of the clock (limit 60 s); of USDT Chainlink says 1 USD, Pyth is not asked.',
    ],
    [
      'reference_quorum',
      fair,
      'Of BTCB Chainlink says 100,000 USD, the exchange says 100,000 USD, Pyth says 100,000 USD: 3 of 3 count (2 are asked for).',
    ],
    [
      'reference_quorum',
      { ...chainlinkDated(NOW - 181n), ...bidAsk(USD, moved(81n)), pyth: 'off' },
      'Of BTCB Chainlink gives a price of another time, the exchange is too unsure of its price, Pyth is not asked: ' +
        '0 of 3 count (2 are asked for).',
    ],
    [
      'reference_agreement',
      { ...fair, ...bidAsk(moved(61n), moved(61n)) },
      'Chainlink says 100,000 USD, the exchange says 100,610 USD, Pyth says 100,000 USD; ' +
        'the closest two are 0 % apart, 0.61 % at most (limit 1 %).',
    ],
    [
      'all_in_cost',
      quoteAtCost(41n),
      '1,000 USD is paid for 995.9 USD by the conservative reference, a cost of 0.41 % in all (limit 0.4 %).',
    ],
    [
      'all_in_cost',
      { ...quoteAtCost(30n), ...pythOf(moved(-62n)) },
      '1,000 USD is paid for 990.818 USD by the worst of the sources, a cost of 0.92 % in all (limit 0.9 %).',
    ],
    [
      'all_in_cost',
      quoteAtCost(-100n),
      '1,000 USD is paid for 1,010 USD by the conservative reference, a gain of 1 % (limit 0.9 %).',
    ],
    [
      'bargain',
      withChain({ spotWad: moved(-301n) }),
      'The pool trades BTCB at 96,990 USD, 3.01 % below the conservative reference of 100,000 USD (limit 3 %).',
    ],
    [
      'spot_against_twap',
      withChain({ spotWad: moved(401n) }),
      'The pool trades BTCB at 104,010 USDT, 4.01 % above its mean of the last 600 s, 100,000 USDT (limit 4 %).',
    ],
    [
      'price_impact',
      quoteShortBy(123n),
      '1,000 USDT buys 0.00987206 BTCB, 1.23 % less than without the impact (limit 1 %).',
    ],
    ['stablecoin_peg', usdc((WAD * 99n) / 100n), 'USDC is worth 0.99 USD, 1 % from one dollar (limit 0.5 %).'],
    ['stablecoin_peg', fair, 'BTCB, which is received, is no stablecoin.'],
    ['chain_health', withChain({ finalBlock: 1n }), 'Block 1 is final, 999 behind the newest (limit 400 blocks).'],
    [
      'price_jump',
      exchangeAt(WAD),
      "The pool's mean is 100,000 USD and the exchange says 1 USD, 9999900 % apart (limit 100 %).",
    ],
    [
      'price_jump',
      before(undefined),
      "The pool's mean is 100,000 USD and Chainlink says 100,000 USD, 0 % apart; Chainlink has no answer before this one (limit 100 %).",
    ],
    [
      'liquidity_withdrawn',
      withChain({ liquidity: { now: 1_999n, mean: BPS } }),
      'The liquidity in range of the BTCB/USDT pool is 80.01 % less than its mean of the 600 s that ended 600 s ago (limit 80 %).',
    ],
    [
      'exchange_depth',
      asksOf(4_000n * WAD - 1n),
      'Within 1 % of its middle price the exchange asks for 3,999.99 USDT of BTCB; this size is 25.01 % of that (limit 25 %).',
    ],
    [
      'executability',
      simulatedTo({ received: (received * 9n) / 10n, returned }),
      '1,000 USDT brings 0.0089955 BTCB, 10 % less than quoted (limit 0 %).',
    ],
    ['executability', simulatedTo('refused'), 'The swap of USDT for BTCB is refused.'],
    ['way_back', fair, "1,000 USDT there and back leaves 999 USDT, 0 % less than the pool's fees leave (limit 0.5 %)."],
    ['way_back', simulatedTo({ received }), 'The swap back of 0.009995 BTCB is refused.'],
    ['volatility', stormy(601), 'The volatility of BTCB is 6.01 % an hour, by its last 24 changes (limit 6 %).'],
    ['recent_move', lastMove(1_000.5), 'BTCB has fallen by 9.53 % within its last two hours (limit 9.51 %).'],
    ['recent_move', lastMove(3_991.5), 'BTCB has fallen by 32.92 % within its last two hours (limit 18.12 %).'],
    ['recent_move', lastMove(-3_991.5), 'BTCB has risen by 49.07 % within its last two hours (limit 22.14 %).'],
    ['recent_move', pastOf(crashed(3)), 'BTCB has not moved within its last two hours (limit 18.13 %).'],
    [
      'price_in_history',
      { ...unusual(8_001), exchange: 'off' },
      'BTCB has lately moved by 8.001 deviations of its 48 moves before, which not every source confirms (limit 8 deviations).',
    ],
    [
      'price_in_history',
      unusual(8_001),
      'BTCB has lately moved by 8.001 deviations of its 48 moves before, which every source confirms (limit 8 deviations).',
    ],
  ] as const) {
    expect(sentence(id, proposal)).toBe(expected);
  }
});
