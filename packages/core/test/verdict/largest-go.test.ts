import { expect, test } from 'vitest';
import type { Proposal } from '../../domain/facts.ts';
import { WAD } from '../../domain/units.ts';
import { largestGoUsd } from '../../texts/verdict-answer.ts';
import { LARGE_USD_WAD, largestGo, largestKnownGo } from '../../verdict/largest-go.ts';
import { judgeProposal } from '../../verdict/rules.ts';
import { fairProposal, withChain } from './proposals.ts';

// GD-16

/** A pool holds `depth` USDT, at 100,000 USDT each, and takes a fee of 0.05 %; `brings` is what it gives for USDT. */
const depth = 10_000_000n * WAD;
const brings = (amountIn: bigint): bigint => {
  const paid = (amountIn * 9_995n) / 10_000n;
  return (paid * (depth / 100_000n)) / (depth + paid);
};
const point = (amountIn: bigint) => ({ amountIn, amountOut: brings(amountIn) });

/** A purchase for this much USDT, with quotes of smaller sizes. */
function buying(usdt: bigint, changes: Partial<Proposal['chain']> = {}): Proposal {
  const { quote } = fairProposal().chain;
  if (quote === undefined) throw new Error('no quote');
  const amountIn = usdt * WAD;
  const smallerQuotes = Array.from({ length: 16 }, (_, at) =>
    point((amountIn * 2n ** BigInt(at + 1)) / 3n ** BigInt(at + 1)),
  );
  const received = brings(amountIn);
  const play = { received, returned: amountIn };
  return withChain({ quote: { ...quote, ...point(amountIn) }, play, smallerQuotes, ...changes });
}

const found = (proposal: Proposal) => largestGo(proposal, judgeProposal(proposal));

test('a size that is GO has none', () => {
  expect(judgeProposal(buying(1_000n)).verdict).toBe('GO');
  expect(found(buying(1_000n))).toBeUndefined();
});

test('of a size that is too large, the largest that is GO, and how many of it make it up', () => {
  const asked = buying(500_000n);
  expect(judgeProposal(asked)).toMatchObject({ verdict: 'NO_GO', reason: 'cost_high' });
  const { amountIn, slots } = found(asked) ?? { amountIn: 0n, slots: 0n };
  // It is GO and a twentieth more is not, judged by the pool itself instead of the quotes in between.
  expect(judgeProposal(buying(amountIn / WAD)).verdict).toBe('GO');
  expect(judgeProposal(buying((amountIn * 21n) / 20n / WAD)).verdict).not.toBe('GO');
  expect(slots).toBe((500_000n * WAD + amountIn - 1n) / amountIn);
  expect(amountIn.toString()).toMatch(/^\d{1,3}0*$/);
});

test('it is GO whatever was asked for', () => {
  for (const usdt of [36_000n, 50_000n, 120_000n, 333_333n, 1_000_000n, 3_000_000n]) {
    const { amountIn = 0n } = found(buying(usdt)) ?? {};
    expect(judgeProposal(buying(amountIn / WAD)).verdict, `${usdt}`).toBe('GO');
  }
});

test('where something else is in the way, or nothing would be GO, there is none', () => {
  expect(found(buying(500_000n, { play: 'refused' }))).toBeUndefined();
  const { finalBlock: _, ...chain } = buying(500_000n).chain;
  expect(found({ ...buying(500_000n), chain })).toBeUndefined();
  // The pool itself is half a percent too dear.
  const dear = buying(500_000n, { spotWad: 100_500n * WAD });
  const less = (each: { amountIn: bigint; amountOut: bigint }) => ({
    ...each,
    amountOut: (each.amountOut * 995n) / 1_000n,
  });
  const { quote, smallerQuotes = [] } = dear.chain;
  if (quote === undefined) throw new Error('no quote');
  const pool = { ...dear.chain, quote: { ...quote, ...less(quote) }, smallerQuotes: smallerQuotes.map(less) };
  expect(found({ ...dear, chain: pool })).toBeUndefined();
});

/** Facts of a large size, which are read next to those of the requested size. */
const large = buying(LARGE_USD_WAD / WAD).chain;
const known = (proposal: Proposal, by: Proposal['chain'] | undefined = large) =>
  largestKnownGo(proposal, judgeProposal(proposal), by);

test('the largest size is the same whatever was asked for: less, more or far too much', () => {
  const most = known(buying(500_000n)) ?? 0n;
  for (const usdt of [1n, 1_000n, 20_000n, 3_000_000n, 90_000_000n]) {
    const found = known(buying(usdt)) ?? 0n;
    expect(judgeProposal(buying(found / WAD)).verdict, `${usdt}`).toBe('GO');
    // The quotes are a third apart.
    expect(found * 100n, `${usdt}`).toBeGreaterThan(most * 95n);
    expect(found * 95n, `${usdt}`).toBeLessThan(most * 100n);
  }
});

test('a size that is GO is known to be, whatever a larger one says, and without it', () => {
  const asked = buying(1_000n);
  expect(largestKnownGo(asked, judgeProposal(asked), undefined)).toBe(1_000n * WAD);
  expect(known(asked, { ...large, play: 'refused' })).toBe(1_000n * WAD);
  // The large size's route is worse at any smaller size, too.
  const { smallerQuotes: _, ...unquoted } = large;
  expect(known(asked, unquoted)).toBe(1_000n * WAD);
});

test('a large size that is GO itself is the largest that is searched', () => {
  const { quote, ...chain } = buying(LARGE_USD_WAD / WAD).chain;
  if (quote === undefined) throw new Error('no quote');
  const amountOut = 9_990n * 10n ** 15n;
  const play = { received: amountOut, returned: LARGE_USD_WAD };
  expect(known(buying(1_000n), { ...chain, quote: { ...quote, amountOut }, play })).toBe(LARGE_USD_WAD);
});

test('none above a size that is not GO now, though the pool was fair some seconds ago', () => {
  const fair = buying(1_000n);
  const { quote } = fair.chain;
  if (quote === undefined) throw new Error('no quote');
  const dear = buying(1_000n, { quote: { ...quote, amountOut: (quote.amountOut * 994n) / 1_000n }, smallerQuotes: [] });
  expect(judgeProposal(dear)).toMatchObject({ verdict: 'CAUTION', reason: 'cost_high' });
  expect(known(dear)).toBeUndefined();
});

test('nothing is known where something else than the size is in the way', () => {
  expect(known(buying(1_000n, { play: 'refused' }))).toBeUndefined();
  expect(known(buying(500_000n, { play: 'refused' }))).toBeUndefined();
});

test('in US dollars it is rounded down, by the feed of what is paid', () => {
  const asked = buying(1_000n);
  const judged = judgeProposal(asked);
  expect(largestGoUsd(asked, judged, undefined)).toBe('1000');
  const { quoteToken } = asked.chain;
  if (quoteToken === undefined) throw new Error('no feed');
  const cheap = {
    ...asked,
    chain: { ...asked.chain, quoteToken: { ...quoteToken, usdWad: (WAD * 999_999n) / 1_000_000n } },
  };
  expect(largestGoUsd(cheap, judged, undefined)).toBe('999.99');
  const { quoteToken: _, ...chain } = asked.chain;
  expect(largestGoUsd({ ...asked, chain }, judged, undefined)).toBeNull();
});

test('without quotes of smaller sizes it is by the one there is: less, and still GO', () => {
  const { smallerQuotes: _, ...chain } = buying(100_000n).chain;
  const { amountIn = 0n } = found({ ...buying(100_000n), chain }) ?? {};
  expect(amountIn === 0n || judgeProposal(buying(amountIn / WAD)).verdict === 'GO').toBe(true);
});
