import { expect, it } from 'vitest';
import { expectedIn, expectedOf, surplusOf, surplusSum } from '../../audit/surplus.ts';
import { evidenceOf } from '../../domain/evidence.ts';
import { WAD } from '../../domain/units.ts';
import { judgeProposal, rulesVersion } from '../../verdict/rules.ts';
import { BTCB, USDT, withChain } from '../verdict/proposals.ts';

// AU-18: 1,000 USDT for BTCB at 100,000 USD.

const PAID = 1_000n * WAD;
const judged = withChain({ directOut: 9_990_000_000_000_000n });
const expected = expectedOf(judged);
if (expected === undefined) throw new Error('no prices');

it('is what was received less what was paid, by the conservative reference', () => {
  const run = { amountIn: PAID, amountOut: 9_996_000_000_000_000n };
  expect(surplusOf(run, expected)).toEqual({ referenceUsdWad: -4n * 10n ** 17n, poolUsdWad: 6n * 10n ** 17n });
  expect(surplusOf({ ...run, amountOut: 9_989_000_000_000_000n }, expected)).toEqual({
    referenceUsdWad: -11n * 10n ** 17n,
    poolUsdWad: -(10n ** 17n),
  });
});

it('of a sale, too, whose payment is the asset', () => {
  const sold = {
    side: 'sell',
    tokenIn: BTCB.address,
    tokenOut: USDT.address,
    amountIn: WAD / 100n,
    amountOut: 999n * WAD,
  } as const;
  const sale = expectedOf({ ...withChain({ quote: sold, directOut: 998n * WAD }), side: 'sell' });
  expect(sale && surplusOf(sold, sale)).toEqual({ referenceUsdWad: -WAD, poolUsdWad: WAD });
});

it('is rounded against us', () => {
  const odd = { ...expected, received: { ...expected.received, usdWad: 1n }, directOut: 1n, amountIn: 1n };
  const paid = { ...odd.paid, usdWad: 1n };
  expect(surplusOf({ amountIn: 1n, amountOut: WAD - 1n }, { ...odd, paid })).toEqual({
    referenceUsdWad: -1n,
    poolUsdWad: -1n,
  });
});

it('stands beside no pool that was not judged for this amount, or was not there', () => {
  const { directOut: _, ...withoutPool } = expected;
  for (const gain of [
    surplusOf({ amountIn: PAID - 1n, amountOut: 1n }, expected),
    surplusOf({ amountIn: PAID, amountOut: 1n }, withoutPool),
  ])
    expect(gain).not.toHaveProperty('poolUsdWad');
});

it('is not known without a price of what is paid or received, or without a quote', () => {
  expect(expectedOf(withChain({ quoteToken: undefined }))).toBeUndefined();
  expect(expectedOf({ ...withChain({ chainlink: undefined }), exchange: 'off' })).toBeUndefined();
  expect(expectedOf(withChain({ quote: undefined }))).toBeUndefined();
});

it('follows from the evidence, which other rules cannot read', () => {
  const { verdict, findings } = judgeProposal(judged);
  expect(expectedIn(evidenceOf(rulesVersion, judged, verdict, findings))).toEqual(expected);
  expect(expectedIn(evidenceOf(rulesVersion - 1, judged, verdict, findings))).toBeUndefined();
  expect(expectedIn('no document')).toBeUndefined();
});

it('adds up, and the sum says over how many', () => {
  expect(surplusSum([{ referenceUsdWad: -3n }, { referenceUsdWad: 1n, poolUsdWad: 5n }])).toEqual({
    ...{ runs: 2, referenceUsdWad: -2n, runsBesidePool: 1, poolUsdWad: 5n },
  });
  expect(surplusSum([{ referenceUsdWad: -3n }])).toEqual({ runs: 1, referenceUsdWad: -3n, runsBesidePool: 0 });
});
