import { describe, expect, test } from 'vitest';
import type { Proposal, Reference } from '../../src/domain/facts.ts';
import { BPS, WAD } from '../../src/domain/units.ts';
import type { Outcome } from '../../src/domain/verdict.ts';
import { checks } from '../../src/guard/checks/index.ts';
import { fairProposal, NOW, withChain } from './proposals.ts';

const USD = 100_000n * WAD;
/** 100,000 USD moved by so many 1/10,000. */
const moved = (bps: bigint) => (USD * (BPS + bps)) / BPS;
const reference = (source: Reference['source'], usdWad: bigint, updatedAt = NOW): Reference => ({
  source,
  usdWad,
  updatedAt,
});
const exchangeAt = (usdWad: bigint): Proposal => ({
  ...fairProposal(),
  exchange: { bidWad: usdWad, askWad: usdWad, askedAt: NOW },
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
    ['a block at its limit', { ...fair, readAt: NOW + 60n }, 'pass', undefined, 0n],
    ['a node that stands still', { ...fair, readAt: NOW + 61n }, 'no_go', 'reference_stale', 61n],
    ['a block ahead of the clock', { ...fair, readAt: NOW - 61n }, 'no_go', 'reference_stale', 61n],
  ],
  reference_agreement: [
    ['all the same', fair, 'pass', undefined, 0n],
    ['exchange at the caution limit', exchangeAt(moved(50n)), 'pass', undefined, 50n],
    ['exchange beyond it', exchangeAt(moved(51n)), 'caution', 'references_disagree', 51n],
    ['exchange below by as much', exchangeAt(moved(-51n)), 'caution', 'references_disagree', 51n],
    ['exchange at the limit', exchangeAt(moved(100n)), 'caution', 'references_disagree', 100n],
    ['exchange beyond it', exchangeAt(moved(101n)), 'no_go', 'references_disagree', 101n],
    [
      'Venus alone beyond it',
      withChain({ venus: reference('venus', moved(-101n)) }),
      'no_go',
      'references_disagree',
      101n,
    ],
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
      200n,
    ],
    ['no pool', withChain({ spotWad: undefined }), 'no_data', 'pool_missing'],
  ],
  spot_against_twap: [
    ['the same', fair, 'pass', undefined, 0n],
    ['at the caution limit', withChain({ spotWad: moved(100n) }), 'pass', undefined, 100n],
    ['beyond it', withChain({ spotWad: moved(-101n) }), 'caution', 'spot_off_twap', 101n],
    ['beyond the limit', withChain({ spotWad: moved(201n) }), 'no_go', 'spot_off_twap', 201n],
    ['a pool that does not remember', withChain({ twapWad: undefined }), 'no_data', 'twap_missing'],
  ],
  price_impact: [
    ['the fee alone', fair, 'pass', undefined, 0n],
    ['at the caution limit', quoteShortBy(50n), 'pass', undefined, 50n],
    ['beyond it', quoteShortBy(51n), 'caution', 'price_impact_high', 51n],
    ['beyond the limit', quoteShortBy(101n), 'no_go', 'price_impact_high', 101n],
    ['more than at spot', quoteShortBy(-10n), 'pass', undefined, 0n],
    ['no quote', withChain({ quote: undefined }), 'no_data', 'quote_missing'],
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
  ],
};

describe.each(checks.map((check) => [check.id, check] as const))('%s', (id, check) => {
  test.each(cases[id] ?? [])('%s', (_what, proposal, outcome, reason, measured) => {
    const answer = check.run(proposal);
    expect(answer).toMatchObject({ outcome, ...(reason === undefined ? {} : { reason }) });
    expect(answer.measured).toBe(measured);
    expect(answer.reason).toBe(reason);
    expect(answer.detail).toMatch(/^[A-Z].*\.$/);
  });
});

test('every check has cases, and every case a check', () => {
  expect(Object.keys(cases)).toEqual(checks.map(({ id }) => id));
});
