import { expect, test } from 'vitest';
import { crashOf, fallenWad } from '../../lab/bench/gap/crash.ts';
import { isLiquidatable } from '../../lab/bench/gap/loans.ts';
import type { Outcome } from '../../lab/bench/gap/outcome.ts';
import { type GapOptions, simulateGap } from '../../lab/bench/gap/simulate.ts';

// `npm run lab -- bench:gap` makes 1,000.
const seeds = Array.from({ length: 24 }, (_, at) => at + 1);

async function outcomesOf(options: GapOptions): Promise<readonly Outcome[]> {
  const all: Outcome[] = [];
  for (const seed of seeds) all.push(...(await simulateGap(crashOf(seed), options)));
  return all;
}

const isEarly = ({ namesFeed, lead }: Outcome): boolean => namesFeed && lead >= 2;
const isSaved = ({ lostBy }: Outcome): boolean => lostBy === undefined;

test('AG-87: where the feed moves two blocks earlier, whose target has room for the fall is saved', async () => {
  const outcomes = await outcomesOf({ headsBy: 'websocket' });
  const early = outcomes.filter(isEarly);
  const savable = early.filter(({ lostBy }) => lostBy !== 'target' && lostBy !== 'atTarget');
  expect(savable.length).toBeGreaterThan(10);
  expect(savable.filter(isSaved).length).toBeGreaterThanOrEqual(0.95 * savable.length);
  const others = outcomes.filter((each) => !isEarly(each));
  expect(others.length).toBeGreaterThan(10);
  expect(others.filter(isSaved)).toEqual([]);
  expect(outcomes.filter(({ namesFeed, lostBy }) => !namesFeed && lostBy !== 'noFeed')).toEqual([]);
});

test('AG-87: an agent that ignores the sources saves none, and one that hears of blocks late fewer', async () => {
  const ignoring = await outcomesOf({ headsBy: 'websocket', ignoresSources: true });
  expect(ignoring.filter(isSaved)).toEqual([]);
  const late = (await outcomesOf({ headsBy: { pollMs: 1_000 } })).filter(isEarly);
  expect(late.filter(({ lostBy }) => lostBy === 'late').length).toBeGreaterThan(late.length / 4);
});

test('a seed is one crash, which liquidates a loan', () => {
  for (const seed of seeds) {
    const { fallBps, loans } = crashOf(seed);
    const after = { protocolWad: fallenWad(fallBps), feedWad: 0n };
    expect(loans.some((loan) => isLiquidatable(loan, [], after))).toBe(true);
  }
  expect(crashOf(3)).toEqual(crashOf(3));
  expect(crashOf(3)).not.toEqual(crashOf(4));
});
