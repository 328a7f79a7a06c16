import { describe, expect, test } from 'vitest';
import type { Proposal, Reference } from '../../src/domain/facts.ts';
import { BPS, WAD } from '../../src/domain/units.ts';
import type { Outcome } from '../../src/domain/verdict.ts';
import { checks } from '../../src/guard/checks/index.ts';
import { limitsOf } from '../../src/guard/limits.ts';
import { BTCB, fairProposal, NOW, USDT, withChain } from './proposals.ts';

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

type Case = [what: string, proposal: Proposal, outcome: Outcome, reason?: string | undefined, measured?: bigint];
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
    ['all the same', fair, 'pass', undefined, 0n],
    ['exchange at the caution limit', exchangeAt(moved(50n)), 'pass', undefined, 50n],
    ['exchange beyond it', exchangeAt(moved(51n)), 'caution', 'references_disagree', 51n],
    ['exchange below by as much', exchangeAt(moved(-51n)), 'caution', 'references_disagree', 52n],
    ['exchange at the limit', exchangeAt(moved(100n)), 'caution', 'references_disagree', 100n],
    ['exchange beyond it', exchangeAt(moved(101n)), 'no_go', 'references_disagree', 101n],
    [
      'Venus beside its own feed, at the caution limit',
      withChain({ venus: { ...reference('venus', moved(50n)), feed: BTCB.feed } }),
      'pass',
      undefined,
      50n,
    ],
    [
      'Venus beside its own feed, beyond it',
      withChain({ venus: { ...reference('venus', moved(51n)), feed: BTCB.feed } }),
      'caution',
      'references_disagree',
      51n,
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
      withChain({ quoteToken: reference('chainlink', (WAD * 98n) / 100n) }),
      'no_go',
      'pool_off_reference',
      // 98,000 USD in the pool and on the exchange, 100,000 by the feed of BTCB: 99,000 in the middle.
      102n,
    ],
    ['no pool', withChain({ spotWad: undefined }), 'no_data', 'pool_missing'],
    ['no feed to bring its price to USD', withChain({ quoteToken: undefined }), 'no_data', 'pool_missing'],
    [
      'no reference at all',
      { ...withChain({ chainlink: undefined, venus: undefined }), exchange: 'off' },
      'no_data',
      'reference_missing',
    ],
    ['between a feed and an exchange it is their middle that counts', exchangeAt(moved(80n)), 'pass', undefined, 40n],
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
};

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

test('every check has cases, and every case a check', () => {
  expect(Object.keys(cases)).toEqual(checks.map(({ id }) => id));
});

test('what is found reads as a sentence', () => {
  const sentence = (id: string, proposal: Proposal) => checks.find((check) => check.id === id)?.run(proposal).detail;
  const own = withChain({ venus: reference('venus', moved(-51n)) });
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
      exchangeAt(moved(51n)),
      'Chainlink says 100,000 USD, the exchange says 100,510 USD, Venus says 100,000 USD (by the same feed); ' +
        '0.51 % apart at most (limit 0.5 %).',
    ],
    [
      'reference_agreement',
      { ...own, exchange: 'off' },
      'BTCB has a single independent price: Chainlink says 100,000 USD, Venus says 99,490 USD (by a feed that is not known); ' +
        '0.52 % apart at most (limit 0.5 %).',
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
  ] as const) {
    expect(sentence(id, proposal)).toBe(expected);
  }
});
