import { describe, expect, it, test } from 'vitest';
import type { Proposal, Reference } from '../../domain/facts.ts';
import { WAD } from '../../domain/units.ts';
import { poolUsdWad, references, referenceUsdWad } from '../../verdict/references.ts';
import { BTCB, fairProposal, NOW, USDT, withChain } from './proposals.ts';

const usd = (whole: bigint): bigint => whole * WAD;
const venus = (usdWad: bigint, feed?: Reference['feed']): Reference => ({
  source: 'venus',
  usdWad,
  ...(feed === undefined ? {} : { feed }),
});
/** Chainlink at 100, Venus as given, the exchange at 104 or not asked. */
const judged = (ofVenus: Reference | undefined, exchange = true): Proposal => ({
  ...withChain({
    chainlink: { source: 'chainlink', feed: BTCB.feed, usdWad: usd(100n), updatedAt: NOW },
    venus: ofVenus,
  }),
  exchange: exchange ? { bidWad: usd(103n), askWad: usd(105n), answeredAt: NOW } : 'off',
  pyth: 'off',
});
const counted = (proposal: Proposal) =>
  references(proposal)
    .filter(({ independent }) => independent)
    .map(({ source }) => source);

// GD-14
test('Venus has no voice of its own beside the feed that it reads, nor where it is not known what it reads', () => {
  for (const feed of [BTCB.feed, BTCB.feed.toLowerCase() as typeof BTCB.feed, undefined]) {
    const proposal = judged(venus(usd(100n), feed));
    expect(counted(proposal)).toEqual(['chainlink', 'exchange']);
    expect(references(proposal)).toHaveLength(3);
    // The median of two. If the feed counted twice, it would be 100.
    expect(referenceUsdWad(proposal)).toBe(usd(102n));
  }
});

// GD-14
test('Venus counts where it reads another feed, or the feed itself gave no answer', () => {
  const other = judged(venus(usd(101n), USDT.feed));
  expect(counted(other)).toEqual(['chainlink', 'venus', 'exchange']);
  expect(referenceUsdWad(other)).toBe(usd(101n));
  const { chainlink: _, ...chain } = judged(venus(usd(102n), BTCB.feed)).chain;
  const silent = { ...judged(undefined), chain };
  expect(counted(silent)).toEqual(['venus', 'exchange']);
  expect(referenceUsdWad(silent)).toBe(usd(103n));
});

test('one that is alone is the price, none is no price', () => {
  expect(referenceUsdWad(judged(venus(usd(90n), BTCB.feed), false))).toBe(usd(100n));
  const { chainlink: _c, venus: _v, ...chain } = fairProposal().chain;
  expect(referenceUsdWad({ ...fairProposal(), chain, exchange: 'off', pyth: 'off' })).toBeUndefined();
});

test('a book that is crossed, and prices of zero, are no prices', () => {
  const withBook = (bidWad: bigint, askWad: bigint): Proposal => ({
    ...judged(venus(0n, BTCB.feed)),
    exchange: { bidWad, askWad, answeredAt: NOW },
  });
  for (const proposal of [withBook(usd(105n), usd(103n)), withBook(0n, 0n)]) {
    expect(references(proposal).map(({ source }) => source)).toEqual(['chainlink']);
  }
});

describe('what the pool asks in USD', () => {
  const quoteToken = { source: 'chainlink', usdWad: 999_999_999_999_999_999n } as const;

  it('is its price by the feed of what it is quoted in, rounded down', () => {
    const priced = { ...quoteToken, updatedAt: NOW };
    expect(poolUsdWad(withChain({ spotWad: 3n * WAD + 1n, quoteToken: priced }))).toBe(3n * WAD - 3n);
    expect(poolUsdWad(withChain({ spotWad: 1n, quoteToken: priced }))).toBe(0n);
  });

  it('is not known without either', () => {
    expect(poolUsdWad(withChain({ spotWad: undefined }))).toBeUndefined();
    expect(poolUsdWad(withChain({ quoteToken: undefined }))).toBeUndefined();
    expect(poolUsdWad(withChain({ quoteToken }))).toBeUndefined();
  });
});
