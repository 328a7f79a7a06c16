import { describe, expect, test } from 'vitest';
import type { Proposal, Reference } from '../../domain/facts.ts';
import { BPS, WAD } from '../../domain/units.ts';
import type { Outcome } from '../../domain/verdict.ts';
import { checks } from '../../verdict/checks/index.ts';
import { limitsOf } from '../../verdict/limits.ts';
import { firstChecks, secondChecks } from '../../verdict/second/index.ts';
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

const shareWithout = (fact: keyof Proposal['chain']): Proposal => {
  const { [fact]: _, ...chain } = fairShare().chain;
  return { ...fairShare(), chain: chain as Proposal['chain'] };
};

type Case = [what: string, proposal: Proposal, outcome: Outcome, reason?: string | undefined, measured?: bigint];
// The checks that rules version 3 replaced. Their limits are those of the time.
const cases: Record<string, Case[]> = {
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

const limitsThen: Partial<Record<string, Partial<Proposal['limits']>>> = {
  crypto: {
    referenceAgeSeconds: 300n,
    quoteAgeSeconds: 93_600n,
    poolBps: { caution: 50n, noGo: 100n },
    twapBps: { caution: 100n, noGo: 200n },
  },
  stable: { poolBps: { caution: 20n, noGo: 50n }, twapBps: { caution: 20n, noGo: 50n } },
  tokenised_stock: {
    quoteAgeSeconds: 93_600n,
    poolBps: { caution: 100n, noGo: 200n },
    twapBps: { caution: 100n, noGo: 200n },
  },
};
const asThen = (proposal: Proposal): Proposal => ({
  ...proposal,
  limits: { ...proposal.limits, ...limitsThen[proposal.asset.class] },
});

// GD-7
describe.each(secondChecks.filter(({ id }) => id in cases).map((check) => [check.id, check] as const))(
  '%s',
  (id, check) => {
    test.each(cases[id] ?? [])('%s', (_what, proposal, outcome, reason, measured) => {
      const answer = check.run(asThen(proposal));
      expect(answer).toMatchObject({ outcome, ...(reason === undefined ? {} : { reason }) });
      expect(answer.measured).toBe(measured);
      expect(answer.reason).toBe(reason);
      expect(answer.detail).toMatch(/^[A-Z0-9].*\.$/);
    });
  },
);

test('every check that was replaced has cases, and every case a check', () => {
  const current = checks.map((check) => check);
  const replaced = secondChecks.filter((check) => !current.includes(check)).map(({ id }) => id);
  expect(Object.keys(cases).toSorted()).toEqual(replaced.toSorted());
  expect(firstChecks.every((check) => secondChecks.includes(check))).toBe(true);
});
