import type { Proposal } from '@bowline/core/domain/facts';
import { fairProposal, NOW } from '@bowline/core/test/verdict/proposals';
import { MIN_HOURS, priceInHistory } from '@bowline/core/verdict/checks/price-in-history';
import { volatility } from '@bowline/core/verdict/checks/volatility';
import { limitsOf } from '@bowline/core/verdict/limits';
import { expect, test } from 'vitest';
import { offChainFacts } from '../../src/sources/propose.ts';

// GD-12: an hour that is missing older than two days changes next to nothing, and never makes the checks looser. Hours are drawn whose moves are now large and now
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

/** As the checks take them from an answer in which these are the closes, but for those of so many hours ago. */
function judgedBy(closes: readonly bigint[], ...missing: number[]): Proposal {
  const candles = closes.map((closeWad, at) => {
    const openedAt = NOW - 3_600n * BigInt(closes.length - 1 - at);
    return { openedAt, openWad: closeWad, highWad: closeWad, lowWad: closeWad, closeWad, volumeWad: 1n };
  });
  const left = candles.filter((_, at) => !missing.includes(closes.length - 1 - at));
  const past = { candles: left, answeredAt: NOW };
  const { history } = offChainFacts({ ticker: 'off', book: 'off', past, pyth: 'off' }, NOW, limitsOf.crypto);
  const { history: _, ...others } = fairProposal();
  return { ...others, ...(history && { history }) };
}

const rank = ['pass', 'caution', 'no_go', 'no_data'];

test('an hour that is missing hardly ever changes what is found', () => {
  const even = evenly(7);
  const closes = drawnCloses(10_000, even);
  const counts = { moments: 0, unusual: 0, looser: 0, stricter: 0 };
  for (let end = WEEK; end <= closes.length; end += 2) {
    const week = closes.slice(end - WEEK, end);
    const missing = MIN_HOURS + Math.floor(even() * (WEEK - MIN_HOURS));
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
  // Of 4,917 moments 90 are unusual, and one is judged otherwise, more strictly: at its limit.
  expect(counts.unusual).toBeGreaterThan(50);
  expect(counts.looser).toBe(0);
  expect(counts.stricter).toBeLessThan(counts.unusual / 20);
});

const outcomeOf = (proposal: Proposal) => priceInHistory.run(proposal).outcome;
/** Closes of hours that move by these parts of a hundred. */
function moving(percents: readonly number[]): bigint[] {
  let price = 100_000;
  return percents.map((percent) => {
    price *= 1 + percent / 100;
    return BigInt(Math.round(price * 1e9)) * 10n ** 9n;
  });
}

test('whatever happened in an hour that is missing, nothing is judged more loosely', () => {
  const even = evenly(11);
  const closes = drawnCloses(3_000, even);
  const jump = () => Math.exp((even() - 0.5) * 0.3);
  let caught = 0;
  for (let end = WEEK; end <= closes.length; end += 2) {
    const missing = MIN_HOURS + Math.floor(even() * (WEEK - 1 - MIN_HOURS));
    // A crash into the missing hour, another out of it, which may take it back, and a last move.
    const [into, outOf, last] = [jump(), jump(), jump()];
    const week = closes.slice(end - WEEK, end).map((close, at) => {
      const ago = WEEK - 1 - at;
      const times = (ago <= missing ? into : 1) * (ago < missing ? outOf : 1) * (ago === 0 ? last : 1);
      return (close * BigInt(Math.round(times * 1e9))) / 10n ** 9n;
    });
    const [whole, cut] = [outcomeOf(judgedBy(week)), outcomeOf(judgedBy(week, missing))];
    if (whole !== 'pass') caught += 1;
    expect(rank.indexOf(cut), `${end}`).toBeGreaterThanOrEqual(rank.indexOf(whole));
  }
  expect(caught).toBeGreaterThan(300);
});

test('an hour that is missing in the middle of an old crash does not make a later move usual', () => {
  const flips = (count: number, percent: number) =>
    Array.from({ length: count }, (_, at) => (at % 2 ? -1 : 1) * percent);
  const week = moving([...flips(90, 0.2), -5, -5, ...flips(75, 0.2), 3]);
  expect(outcomeOf(judgedBy(week))).toBe('caution');
  expect(outcomeOf(judgedBy(week, 77))).toBe('caution');
});

test('more hours that are missing are NO_DATA, and no shorter history of wilder days', () => {
  const flips = (count: number, percent: number) =>
    Array.from({ length: count }, (_, at) => (at % 2 ? -1 : 1) * percent);
  const week = moving([...flips(118, 0.2), ...flips(49, 1.2), 4]);
  expect(outcomeOf(judgedBy(week))).toBe('caution');
  for (const missing of [
    [50, 51, 52, 53],
    [50, 51],
    [60, 120],
  ]) {
    expect(outcomeOf(judgedBy(week, ...missing))).toBe('no_data');
  }
});
