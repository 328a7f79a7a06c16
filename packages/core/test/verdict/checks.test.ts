import { readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { Proposal, Reference } from '../../domain/facts.ts';
import { BPS, WAD } from '../../domain/units.ts';
import type { Outcome } from '../../domain/verdict.ts';
import { checks } from '../../verdict/checks/index.ts';
import { limitsOf } from '../../verdict/limits.ts';
import { BTCB, closes, fairProposal, fairShare, NOW, USDT, withChain } from './proposals.ts';

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
const withoutExchange = (): Proposal => {
  const { exchange: _, ...proposal } = fairProposal();
  return proposal;
};

const fair = fairProposal();
const fairQuote = fair.chain.quote;
if (fairQuote === undefined) throw new Error('the fair proposal has a quote');
/** The pool pays so many 1/10,000 less than at its spot price. */
const quoteShortBy = (bps: bigint) =>
  withChain({ quote: { ...fairQuote, amountOut: (fairQuote.amountOut * (BPS - bps)) / BPS } });

/** USDC, bought with USDT. */
const usdc = (usdWad: bigint | undefined): Proposal => ({
  ...withChain({ chainlink: usdWad === undefined ? undefined : reference('chainlink', usdWad) }),
  asset: { ...USDT, symbol: 'USDC' },
  limits: limitsOf.stable,
});

/** The fair proposal without one of its facts. */
function without(fact: 'depth' | 'history' | 'pyth'): Proposal {
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

const halted = fairShare({ multiplier: { wad: 2n * WAD, beforeWad: WAD, changedAt: 0n, isHalted: true } });
/** Its multiplier has changed from one by so many 1/10,000, so many seconds ago. */
const changed = (bps: bigint, secondsAgo: bigint): Proposal =>
  fairShare({
    multiplier: { wad: (WAD * (BPS + bps)) / BPS, beforeWad: WAD, changedAt: NOW - secondsAgo, isHalted: false },
  });
const shareWithout = (fact: keyof Proposal['chain']): Proposal => {
  const { [fact]: _, ...chain } = fairShare().chain;
  return { ...fairShare(), chain: chain as Proposal['chain'] };
};
const openFor = (seconds: bigint): Proposal => ({
  ...fairShare(),
  session: { state: 'open', openedAt: NOW - seconds, closesAt: NOW + 3_600n },
});
const closingIn = (seconds: bigint): Proposal => ({
  ...fairShare(),
  session: { state: 'open', openedAt: NOW - 3_600n, closesAt: NOW + seconds },
});
const { session: _open, ...unknownDay } = fairShare();
const shareAt = (usdWad: bigint) => fairShare({ spotWad: usdWad });

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
  trading_halt: [
    ['not a token of something else', fair, 'pass'],
    ['not halted', fairShare(), 'pass'],
    ['halted', halted, 'no_go', 'trading_halted'],
    ['unknown', shareWithout('multiplier'), 'no_data', 'multiplier_missing'],
  ],
  trading_session: [
    ['traded at all hours', fair, 'pass'],
    ['open for an hour', fairShare(), 'pass', undefined, 3_600n],
    ['open for as long as the limit', openFor(300n), 'pass', undefined, 300n],
    ['open for a second less', openFor(299n), 'caution', 'session_opening', 299n],
    ['just opened', openFor(0n), 'caution', 'session_opening', 0n],
    ['open for as long as a ticket', closingIn(120n), 'pass', undefined, 3_600n],
    ['open for a second less', closingIn(119n), 'no_go', 'session_closing', 3_600n],
    ['closed', { ...fairShare(), session: { state: 'closed', opensAt: NOW + 60n } }, 'no_go', 'session_closed'],
    ['closed for good', { ...fairShare(), session: { state: 'closed' } }, 'no_go', 'session_closed'],
    ['unknown', unknownDay, 'no_data', 'session_missing'],
  ],
  share_multiplier: [
    ['not a token of something else', fair, 'pass'],
    ['as long ago as one likes', fairShare(), 'pass', undefined, 0n],
    ['a dividend at the caution limit', changed(100n, 10n), 'pass', undefined, 100n],
    ['beyond it', changed(101n, 10n), 'caution', 'multiplier_changed', 101n],
    ['at the limit', changed(500n, 10n), 'caution', 'multiplier_changed', 500n],
    ['beyond it', changed(501n, 10n), 'no_go', 'multiplier_changed', 501n],
    ['downwards', changed(-501n, 10n), 'no_go', 'multiplier_changed', 501n],
    ['a split within a day', changed(10_000n, 86_400n), 'no_go', 'multiplier_changed', 10_000n],
    ['a split a day and a second ago', changed(10_000n, 86_401n), 'pass', undefined, 0n],
    ['a split of tomorrow', changed(10_000n, -86_400n), 'no_go', 'multiplier_changed', 10_000n],
    ['unknown', shareWithout('multiplier'), 'no_data', 'multiplier_missing'],
    [
      'changed from what nobody knows',
      fairShare({ multiplier: { wad: WAD, beforeWad: 0n, changedAt: NOW - 10n, isHalted: false } }),
      'no_data',
      'multiplier_missing',
    ],
    [
      'zero',
      fairShare({ multiplier: { wad: 0n, beforeWad: WAD, changedAt: 0n, isHalted: false } }),
      'no_data',
      'multiplier_missing',
    ],
  ],
  reference_freshness: [
    ['fresh', fair, 'pass', undefined, 0n],
    ['at its limit', withChain({ chainlink: reference('chainlink', USD, NOW - 300n) }), 'pass', undefined, 300n],
    ['older', withChain({ chainlink: reference('chainlink', USD, NOW - 301n) }), 'no_go', 'reference_stale', 301n],
    [
      'from the future',
      withChain({ chainlink: reference('chainlink', USD, NOW + 1n) }),
      'no_go',
      'reference_stale',
      -1n,
    ],
    ['absent', withChain({ chainlink: undefined }), 'no_data', 'reference_missing'],
    [
      'the quote token at its limit',
      withChain({ quoteToken: reference('chainlink', WAD, NOW - 93_600n) }),
      'pass',
      undefined,
      0n,
    ],
    [
      'the quote token older',
      withChain({ quoteToken: reference('chainlink', WAD, NOW - 93_601n) }),
      'no_go',
      'reference_stale',
      93_601n,
    ],
    [
      'the quote token from the future',
      withChain({ quoteToken: reference('chainlink', WAD, NOW + 1n) }),
      'no_go',
      'reference_stale',
      -1n,
    ],
    ['the quote token absent', withChain({ quoteToken: undefined }), 'no_data', 'reference_missing'],
    ['a block at its limit', { ...exchangeAt(USD, USD, -60n), readAt: NOW + 60n }, 'pass', undefined, 0n],
    ['a node that stands still', { ...fair, readAt: NOW + 61n }, 'no_go', 'reference_stale', 61n],
    [
      'a clock behind the block, at its limit',
      { ...exchangeAt(USD, USD, 60n), readAt: NOW - 60n },
      'pass',
      undefined,
      0n,
    ],
    ['a block ahead of the clock', { ...fair, readAt: NOW - 61n }, 'no_go', 'reference_stale', 61n],
    ['an answer of the exchange at its limit', exchangeAt(USD, USD, 30n), 'pass', undefined, 0n],
    ['an older one', exchangeAt(USD, USD, 31n), 'no_go', 'reference_stale', 31n],
    ['an exchange whose clock is ahead, at its limit', exchangeAt(USD, USD, -30n), 'pass', undefined, 0n],
    ['an exchange whose clock is an hour ahead', exchangeAt(USD, USD, -3600n), 'no_go', 'reference_stale', 3600n],
    ['an exchange that is silent', withoutExchange(), 'pass', undefined, 0n],
    ['no exchange configured', { ...fair, exchange: 'off' }, 'pass', undefined, 0n],
    ["Pyth's price at its limit", pythAt(USD, 60n), 'pass', undefined, 0n],
    ['an older one', pythAt(USD, 61n), 'no_go', 'reference_stale', 61n],
    ['one from the future, at its limit', pythAt(USD, -60n), 'pass', undefined, 0n],
    ['one from further on', pythAt(USD, -61n), 'no_go', 'reference_stale', 61n],
  ],
  reference_confidence: [
    ['sure', fair, 'pass', undefined, 5n],
    ['at the caution limit', pythSure(300n * WAD), 'pass', undefined, 30n],
    ['beyond it', pythSure(300n * WAD + 1n), 'caution', 'reference_uncertain', 31n],
    ['at the limit', pythSure(1_000n * WAD), 'caution', 'reference_uncertain', 100n],
    ['beyond it', pythSure(1_000n * WAD + 1n), 'no_go', 'reference_uncertain', 101n],
    ['a price of zero', pythSure(0n, 0n), 'no_data', 'reference_missing'],
    ['silent', without('pyth'), 'no_data', 'reference_missing'],
    ['not asked', { ...fair, pyth: 'off' }, 'pass'],
  ],
  exchange_spread: [
    ['none', fair, 'pass', undefined, 0n],
    ['at the caution limit', exchangeAt(USD, moved(20n)), 'pass', undefined, 20n],
    ['beyond it', exchangeAt(USD, moved(20n) + 1n), 'caution', 'exchange_spread_wide', 21n],
    ['at the limit', exchangeAt(USD, moved(50n)), 'caution', 'exchange_spread_wide', 50n],
    ['beyond it', exchangeAt(USD, moved(50n) + 1n), 'no_go', 'exchange_spread_wide', 51n],
    ['a bid above the ask', exchangeAt(USD + 1n, USD), 'no_data', 'reference_missing'],
    ['a bid of zero', exchangeAt(0n, USD), 'no_data', 'reference_missing'],
    ['an exchange that is silent', withoutExchange(), 'no_data', 'reference_missing'],
    ['no exchange configured', { ...fair, exchange: 'off' }, 'pass'],
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
    ['a share, whose feed is not of the token', fairShare(), 'pass', undefined, 0n],
  ],
  reference_agreement: [
    ['Pyth at the caution limit', pythAt(moved(60n)), 'pass', undefined, 60n],
    ['Pyth beyond the limit', pythAt(moved(101n)), 'no_go', 'references_disagree', 101n],
    ['a silent Pyth', without('pyth'), 'no_data', 'reference_missing'],
    ['a share, which Venus need not know', fairShare(), 'pass', undefined, 0n],
    ['a share whose multiplier is not known', shareWithout('multiplier'), 'no_data', 'reference_missing'],
    ['all the same', fair, 'pass', undefined, 0n],
    ['exchange at the caution limit', exchangeAt(moved(60n)), 'pass', undefined, 60n],
    ['exchange beyond it', exchangeAt(moved(61n)), 'caution', 'references_disagree', 61n],
    ['exchange below by as much', exchangeAt(moved(-61n)), 'caution', 'references_disagree', 62n],
    ['exchange at the limit', exchangeAt(moved(100n)), 'caution', 'references_disagree', 100n],
    ['exchange beyond it', exchangeAt(moved(101n)), 'no_go', 'references_disagree', 101n],
    [
      'Venus beside its own feed, at the caution limit',
      withChain({ venus: { ...reference('venus', moved(60n)), feed: BTCB.feed } }),
      'pass',
      undefined,
      60n,
    ],
    [
      'Venus beside its own feed, beyond it',
      withChain({ venus: { ...reference('venus', moved(61n)), feed: BTCB.feed } }),
      'caution',
      'references_disagree',
      61n,
    ],
    [
      'Venus alone beyond the limit, whatever it reads',
      withChain({ venus: reference('venus', moved(-101n)) }),
      'no_go',
      'references_disagree',
      103n,
    ],
    [
      'Venus and its feed do not outvote the exchange, nor it them: it is their distance that counts',
      { ...exchangeAt(moved(60n)), chain: withChain({ venus: reference('venus', moved(-60n)) }).chain },
      'no_go',
      'references_disagree',
      121n,
    ],
    ['a book whose bid lies above its ask', exchangeAt(USD + 1n, USD), 'no_data', 'reference_missing'],
    ['a reference of zero', withChain({ venus: reference('venus', 0n) }), 'no_data', 'reference_missing'],
    ['no Venus', withChain({ venus: undefined }), 'no_data', 'reference_missing'],
    ['an exchange that is silent', withoutExchange(), 'no_data', 'reference_missing'],
    ['no exchange configured', { ...fair, exchange: 'off' }, 'pass', undefined, 0n],
    ['no feed to bring USDT to USD', withChain({ quoteToken: undefined }), 'no_data', 'reference_missing'],
  ],
  premium_to_underlying: [
    ['not a token of something else', fair, 'pass'],
    ['the same', fairShare(), 'pass', undefined, 0n],
    ['at the caution limit', shareAt(404n * WAD), 'pass', undefined, 100n],
    ['beyond it', shareAt(404n * WAD + 1n), 'caution', 'premium_high', 101n],
    ['at the limit, below', shareAt(392n * WAD), 'caution', 'premium_high', 200n],
    ['beyond it', shareAt(392n * WAD - 1n), 'no_go', 'premium_high', 201n],
    [
      'a split that the multiplier does not know',
      fairShare({ chainlink: reference('chainlink', 100n * WAD) }),
      'no_go',
      'premium_high',
      10_000n,
    ],
    ['no multiplier', shareWithout('multiplier'), 'no_data', 'multiplier_missing'],
    ['no feed', shareWithout('chainlink'), 'no_data', 'reference_missing'],
    ['no pool', shareWithout('spotWad'), 'no_data', 'pool_missing'],
    ['no feed of USDT', shareWithout('quoteToken'), 'no_data', 'pool_missing'],
  ],
  pool_against_reference: [
    ['the same', fair, 'pass', undefined, 0n],
    ['at the caution limit', withChain({ spotWad: moved(50n) }), 'pass', undefined, 50n],
    ['beyond it', withChain({ spotWad: moved(51n) }), 'caution', 'pool_off_reference', 51n],
    ['beyond the limit, above', withChain({ spotWad: moved(101n) }), 'no_go', 'pool_off_reference', 101n],
    ['beyond the limit, below', withChain({ spotWad: moved(-101n) }), 'no_go', 'pool_off_reference', 101n],
    [
      'USDT off its peg counts',
      { ...withChain({ quoteToken: reference('chainlink', (WAD * 98n) / 100n) }), pyth: 'off' },
      'no_go',
      'pool_off_reference',
      // 98,000 USD in the pool and on the exchange, 100,000 by the feed of BTCB: 99,000 in the middle.
      102n,
    ],
    ['no pool', withChain({ spotWad: undefined }), 'no_data', 'pool_missing'],
    ['no feed to bring its price to USD', withChain({ quoteToken: undefined }), 'no_data', 'pool_missing'],
    [
      'no reference at all',
      { ...withChain({ chainlink: undefined, venus: undefined }), exchange: 'off', pyth: 'off' },
      'no_data',
      'reference_missing',
    ],
    [
      'between a feed and an exchange it is their middle that counts',
      { ...exchangeAt(moved(80n)), pyth: 'off' },
      'pass',
      undefined,
      40n,
    ],
    ['of three it is the one between', exchangeAt(moved(80n)), 'pass', undefined, 0n],
  ],
  spot_against_twap: [
    ['the same', fair, 'pass', undefined, 0n],
    ['at the caution limit', withChain({ spotWad: moved(100n) }), 'pass', undefined, 100n],
    ['beyond it', withChain({ spotWad: moved(-101n) }), 'caution', 'spot_off_twap', 101n],
    ['beyond the limit', withChain({ spotWad: moved(201n) }), 'no_go', 'spot_off_twap', 201n],
    ['a pool that does not remember', withChain({ twapWad: undefined }), 'no_data', 'twap_missing'],
    ['a mean of zero', withChain({ twapWad: 0n }), 'no_data', 'twap_missing'],
    ['no pool', withChain({ spotWad: undefined }), 'no_data', 'twap_missing'],
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
    ['a quarter of it', asksOf(4_000n * WAD), 'pass', undefined, 2_500n],
    ['more', asksOf(4_000n * WAD - 1n), 'caution', 'exchange_depth_thin', 2_501n],
    ['all of it', asksOf(1_000n * WAD), 'caution', 'exchange_depth_thin', 10_000n],
    ['more than there is', asksOf(1_000n * WAD - 1n), 'no_go', 'exchange_depth_thin', 10_001n],
    ['an empty side', asksOf(0n), 'no_go', 'exchange_depth_thin', 100_000_000n],
    [
      'selling takes the bids',
      {
        ...withChain({ quote: { ...fairQuote, side: 'sell', amountIn: WAD / 100n, amountOut: 999n * WAD } }),
        side: 'sell',
        depth: { bidsWad: 999n * WAD, asksWad: 1n },
      },
      'caution',
      'exchange_depth_thin',
      10_000n,
    ],
    ['no answer', without('depth'), 'no_data', 'depth_missing'],
    ['no quote', withChain({ quote: undefined }), 'no_data', 'quote_missing'],
    ['not asked', { ...fair, depth: 'off' }, 'pass'],
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
    ['one dollar', fair, 'pass', undefined, 0n],
    [
      'at the caution limit',
      withChain({ quoteToken: reference('chainlink', (WAD * 9950n) / BPS) }),
      'pass',
      undefined,
      50n,
    ],
    [
      'beyond it',
      withChain({ quoteToken: reference('chainlink', (WAD * 9949n) / BPS) }),
      'caution',
      'stablecoin_off_peg',
      51n,
    ],
    [
      'beyond the limit',
      withChain({ quoteToken: reference('chainlink', (WAD * 10_101n) / BPS) }),
      'no_go',
      'stablecoin_off_peg',
      101n,
    ],
    ['no feed', withChain({ quoteToken: undefined }), 'no_data', 'peg_missing'],
    ['two coins', usdc(WAD), 'pass', undefined, 0n],
    ['the other of two coins at the caution limit', usdc((WAD * 10_050n) / BPS), 'pass', undefined, 50n],
    ['the other of two coins beyond it', usdc((WAD * 10_051n) / BPS), 'caution', 'stablecoin_off_peg', 51n],
    ['the other of two coins without a feed', usdc(undefined), 'no_data', 'peg_missing'],
  ],
  volatility: [
    ['half a percent an hour', fair, 'pass', undefined, 52n],
    ['at the caution limit', stormy(300), 'pass', undefined, 300n],
    ['beyond it', stormy(301), 'caution', 'volatility_high', 301n],
    ['at the limit', stormy(600), 'caution', 'volatility_high', 600n],
    ['beyond it', stormy(601), 'no_go', 'volatility_high', 601n],
    [
      'prices of a day each, of which an hour is a fifth',
      { ...fair, history: { intervalSeconds: 86_400n, closesWad: closes(0.05, 25) } },
      'pass',
      undefined,
      // 5 % · √(24/23) / √24
      105n,
    ],
    ['less than a day', pastOf(closes(0.005, 24)), 'no_data', 'history_missing'],
    ['a price of zero', pastOf([...closes(0.005, 24), 0n]), 'no_data', 'history_missing'],
    ['no answer', without('history'), 'no_data', 'history_missing'],
    ['not asked', { ...fair, history: 'off' }, 'pass'],
  ],
  price_in_history: [
    ['a change like the others', fair, 'pass', undefined, 997n],
    ['at the caution limit', unusual(4_000), 'pass', undefined, 4_000n],
    ['beyond it', unusual(4_001), 'caution', 'price_unusual', 4_001n],
    ['at the limit', unusual(8_000), 'caution', 'price_unusual', 8_000n],
    ['beyond it', unusual(8_001), 'no_go', 'price_unusual', 8_001n],
    ['a past without any change', pastOf(closes(0, 50)), 'pass', undefined, 0n],
    ['a stablecoin that stood still, by a basis point', pastOf(closes(0, 50, 0.0001)), 'pass', undefined, 201n],
    ['a crash of the hour before', pastOf(crashed(1)), 'no_go', 'price_unusual', 16_509n],
    ['a crash in two halves, of which neither is one', pastOf(crashed(2)), 'no_go', 'price_unusual', 11_674n],
    ['a crash of three hours ago, and nothing since', pastOf(crashed(3)), 'pass', undefined, 0n],
    ['less than two days', pastOf(closes(0.005, 48)), 'no_data', 'history_missing'],
    ['no answer', without('history'), 'no_data', 'history_missing'],
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
  const own = withChain({ venus: reference('venus', moved(-61n)) });
  const pushed = withChain({ spotWad: moved(-123n) });
  for (const [id, proposal, expected] of [
    ['reference_freshness', fair, 'The Chainlink price of BTCB is 0 s old (limit 300 s).'],
    [
      'reference_freshness',
      withChain({ quoteToken: reference('chainlink', WAD, NOW - 93_601n) }),
      'The Chainlink price of USDT is 93,601 s old (limit 93,600 s).',
    ],
    [
      'reference_freshness',
      withChain({ chainlink: reference('chainlink', USD, NOW + 5n) }),
      'The Chainlink price of BTCB is dated 5 s after the block that it was read at (limit 300 s).',
    ],
    ['reference_freshness', { ...fair, readAt: NOW + 61n }, 'Block 1,000 is 61 s behind the clock (limit 60 s).'],
    ['reference_freshness', { ...fair, readAt: NOW - 61n }, 'Block 1,000 is 61 s ahead of the clock (limit 60 s).'],
    [
      'reference_freshness',
      exchangeAt(USD, USD, 3600n),
      "The exchange's answer is dated 3,600 s behind the clock (limit 30 s).",
    ],
    [
      'exchange_spread',
      exchangeAt(USD, moved(21n)),
      'The exchange bids 100,000 USDT for BTCB and asks 100,210 USDT, 0.21 % more (limit 0.2 %).',
    ],
    ['exchange_spread', { ...fair, exchange: 'off' }, 'No exchange is asked for prices of BTCB.'],
    [
      'reference_agreement',
      exchangeAt(moved(61n)),
      'Chainlink says 100,000 USD, Pyth says 100,000 USD, the exchange says 100,610 USD, Venus says 100,000 USD (by the same feed); ' +
        '0.61 % apart at most (limit 0.6 %).',
    ],
    [
      'reference_agreement',
      { ...own, exchange: 'off', pyth: 'off' },
      'BTCB has a single independent price: Chainlink says 100,000 USD, Venus says 99,390 USD (by a feed that is not known); ' +
        '0.62 % apart at most (limit 0.6 %).',
    ],
    [
      'reference_agreement',
      { ...withoutExchange(), chain: withChain({ venus: undefined }).chain },
      'There is no price of BTCB from Venus and the exchange.',
    ],
    [
      'pool_against_reference',
      pushed,
      'The pool trades BTCB at 98,770 USD, 1.23 % below the reference price of 100,000 USD (limit 1 %).',
    ],
    [
      'pool_against_reference',
      fair,
      'The pool trades BTCB at 100,000 USD, exactly at the reference price of 100,000 USD (limit 1 %).',
    ],
    [
      'spot_against_twap',
      withChain({ spotWad: moved(201n) }),
      'The pool trades BTCB at 102,010 USDT, 2.01 % above its mean of the last 600 s, 100,000 USDT (limit 2 %).',
    ],
    [
      'price_impact',
      quoteShortBy(123n),
      '1,000 USDT buys 0.00987206 BTCB, 1.23 % less than without the impact (limit 1 %).',
    ],
    [
      'stablecoin_peg',
      usdc((WAD * 99n) / 100n),
      'USDT is worth 1 USD and USDC is worth 0.99 USD, at most 1 % from one dollar (limit 0.5 %).',
    ],
    ['chain_health', withChain({ finalBlock: 1n }), 'Block 1 is final, 999 behind the newest (limit 400 blocks).'],
    ['trading_halt', halted, 'ACMEX is halted by its issuer.'],
    [
      'trading_session',
      openFor(60n),
      'The exchange of Acme (XNYS) has been open for 60 s (300 s are asked for) and closes at 2027-01-15 09:00:00 UTC.',
    ],
    [
      'trading_session',
      { ...fairShare(), session: { state: 'closed', opensAt: NOW + 59n * 60n } },
      'The exchange of Acme (XNYS) is closed and opens at 2027-01-15 08:59:00 UTC.',
    ],
    ['share_multiplier', changed(10_000n, 60n), 'One ACMEX stands for 2, 100 % from what it was 60 s ago (limit 5 %).'],
    ['share_multiplier', fairShare(), 'One ACMEX stands for 2, as for the last 86,400 s (limit 5 %).'],
    ['reference_confidence', fair, 'Pyth says 100,000 USD, give or take 0.05 % (limit 1 %).'],
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
      'trading_session',
      closingIn(60n),
      'The exchange of Acme (XNYS) has been open for 3,600 s, and closes at 2027-01-15 08:01:00 UTC, before a ticket of now would end.',
    ],
    [
      'premium_to_underlying',
      shareAt(410n * WAD),
      'One ACMEX costs 410 USD, 2.5 % above the 400 USD that it stands for (limit 2 %).',
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
    ['volatility', stormy(601), 'BTCB moves by 6.01 % an hour, by its last 24 changes (limit 6 %).'],
    [
      'price_in_history',
      unusual(4_001),
      'BTCB has lately moved by 4.001 deviations of its 48 moves before (limit 4 deviations).',
    ],
  ] as const) {
    expect(sentence(id, proposal)).toBe(expected);
  }
});
