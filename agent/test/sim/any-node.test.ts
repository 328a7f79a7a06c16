import { describe, expect, test } from 'vitest';
import { blockMs } from './chain.ts';
import { limits } from './limits.ts';
import { simulate } from './simulate.ts';
import type { Fault, Ill, Story } from './story.ts';

// Three nodes, two of which fail in every way while a loan falls. The third is honest.

const calm: Story = {
  ...{ noise: 1, rttMs: 30, isWallet: false, knowsNodes: true, rescuers: 1, hasBundler: false, plans: 0 },
  falls: [{ atMs: 20_100, guards: [0] }],
  faults: [],
};
const ills: readonly Ill[] = ['refuses', 'hangs', 'fails', 'healthy', 'frozen', 'forgets'];
const well = { lateMs: 1 };
const pairs = ills.flatMap((one, at) => [well, ...ills.slice(at)].map((other) => ({ one, other })));
const two = (spared: 0 | 1 | 2, one: Ill, other: Exclude<Ill, 'endangered'>): Fault => ({
  ...{ kind: 'two', atMs: 12_000, lastsMs: 30_000, spared },
  how: [one, other],
});
const run = (story: Partial<Story>) => simulate({ ...calm, ...story }, { limits, untilMs: 40_000 });

// AG-380
describe('of three nodes one or two are ill', async () => {
  const { waitMs: undisturbed } = await run({});

  test.each([...pairs, { one: { lateMs: 700 }, other: well }])(
    'a rescue comes a block later at most: $one and $other',
    async ({ one, other }) => {
      for (const spared of [0, 1, 2] as const) {
        const { waitMs, violations, failures } = await run({
          faults: [two(spared, one, other as Exclude<Ill, 'endangered'>)],
        });
        expect(violations).toEqual([]);
        expect(waitMs).toHaveLength(1);
        expect(waitMs[0]).toBeLessThanOrEqual((undisturbed[0] as number) + blockMs);
        // A node that shows no new block shows no rescue either, so a second key sends it, too.
        expect(failures.count).toBeLessThanOrEqual([one, other].includes('frozen') ? 1 : 0);
      }
    },
  );
});

// AG-380
test('two lie, and the honest one is slow: the rescue comes four blocks later at most', async () => {
  const faults = [two(0, 'healthy', 'healthy'), two(1, { lateMs: 500 }, 'healthy')];
  const { waitMs: undisturbed } = await run({});
  const { waitMs, violations } = await run({ faults });
  expect(violations).toEqual([]);
  expect(waitMs[0]).toBeLessThanOrEqual((undisturbed[0] as number) + 4 * blockMs);
});

// AG-380
describe('a node calls every loan endangered', () => {
  const liar = two(0, 'endangered', 'healthy');

  test.each<readonly [string, Fault]>([
    [
      'against two others',
      { kind: 'two', atMs: 12_000, lastsMs: 30_000, spared: 0, how: ['endangered', { lateMs: 1 }] },
    ],
    ['against one, while another lies, too', liar],
    ['while no other answers', two(0, 'endangered', 'refuses')],
  ])('%s: one rescue reverts in an hour', async (_, fault) => {
    const { failures, violations } = await run({ falls: [], faults: [fault] });
    expect(violations).toEqual([]);
    expect(failures.count).toBe(1);
  });

  test('a rescue that is due is made nevertheless', async () => {
    const { failures, waitMs } = await run({ faults: [liar] });
    expect(waitMs).toHaveLength(1);
    expect(waitMs[0]).toBeLessThanOrEqual(3 * blockMs);
    expect(failures.count).toBe(1);
  });
});
