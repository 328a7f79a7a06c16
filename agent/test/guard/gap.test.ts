import { expect, test } from 'vitest';
import type { Proposal } from '../../src/domain/facts.ts';
import { LEAST, priceInHistory } from '../../src/guard/checks/price-in-history.ts';
import { volatility } from '../../src/guard/checks/volatility.ts';
import { limitsOf } from '../../src/guard/limits.ts';
import { offChainFacts } from '../../src/guard/off-chain.ts';
import { fairProposal, NOW } from './proposals.ts';

// GD-12: an hour that is missing older than two days changes next to nothing. Hours are drawn whose moves are now large and now
// small, and now and then much larger than usual.

const WEEK = 168;
/** Seeded, evenly from 0 to 1. */
function evenly(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) >>> 0;
    return (state + 0.5) / 2 ** 32;
  };
}

function drawnCloses(count: number, even: () => number): bigint[] {
  const normal = () => Math.sqrt(-2 * Math.log(even())) * Math.cos(2 * Math.PI * even());
  // Student's t with four degrees of freedom, of deviation 1.
  const heavy = () => normal() / Math.sqrt((normal() ** 2 + normal() ** 2 + normal() ** 2 + normal() ** 2) / 2);
  const usual = 0.005 ** 2;
  let [variance, price] = [usual, 100_000];
  return Array.from({ length: count }, () => {
    const move = Math.sqrt(variance) * heavy();
    variance = 0.02 * usual + 0.08 * move ** 2 + 0.9 * variance;
    price *= Math.exp(move);
    return BigInt(Math.round(price * 1e9)) * 10n ** 9n;
  });
}

/** As the guard takes them from an answer in which these are the closes, but for one of so many hours ago. */
function judgedBy(closes: readonly bigint[], missing?: number): Proposal {
  const candles = closes.map((closeWad, at) => {
    const openedAt = NOW - 3_600n * BigInt(closes.length - 1 - at);
    return { openedAt, openWad: closeWad, highWad: closeWad, lowWad: closeWad, closeWad, volumeWad: 1n };
  });
  const past = { candles: missing === undefined ? candles : candles.toSpliced(-1 - missing, 1), answeredAt: NOW };
  const { history } = offChainFacts({ ticker: 'off', book: 'off', past, pyth: 'off' }, NOW, limitsOf.crypto);
  return { ...fairProposal(), ...(history && { history }) };
}

const rank = ['pass', 'caution', 'no_go', 'no_data'];

test('an hour that is missing hardly ever changes what is found', () => {
  const even = evenly(7);
  const closes = drawnCloses(10_000, even);
  const counts = { moments: 0, unusual: 0, looser: 0, stricter: 0 };
  for (let end = WEEK; end <= closes.length; end += 2) {
    const week = closes.slice(end - WEEK, end);
    const missing = LEAST + Math.floor(even() * (WEEK - LEAST));
    const [whole, cut] = [judgedBy(week), judgedBy(week, missing)];
    expect(volatility.run(cut)).toEqual(volatility.run(whole));
    const [before, after] = [priceInHistory.run(whole), priceInHistory.run(cut)].map(({ outcome }) =>
      rank.indexOf(outcome),
    );
    if (before === undefined || after === undefined) throw new Error('nothing was found');
    counts.moments += 1;
    if (before > 0) counts.unusual += 1;
    if (after < before) counts.looser += 1;
    if (after > before) counts.stricter += 1;
  }
  // Of 4,917 moments 90 are unusual, and one is judged otherwise: at its limit.
  expect(counts.unusual).toBeGreaterThan(50);
  expect(counts.looser + counts.stricter).toBeLessThan(counts.unusual / 20);
});
