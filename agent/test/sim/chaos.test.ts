import { expect, test } from 'vitest';
import { checkSeed } from './check-story.ts';
import { limits } from './limits.ts';
import { simulate } from './simulate.ts';
import { type Story, tell } from './story.ts';

// As many seeds as fit into half a minute; `npm run test:chaos` runs more, and replays one that fails.

const seeds = 40;

// CH-1, CH-2, AG-39
test(`${seeds} stories of faults break no invariant`, async () => {
  for (let seed = 1; seed <= seeds; seed += 1) {
    const { shrunk } = await checkSeed(seed, { limits, shrinkMs: 20_000 });
    const told = shrunk && `seed ${seed}\n${tell(shrunk.story)}\n${JSON.stringify(shrunk.violations, undefined, 1)}`;
    expect(told).toBe(undefined);
  }
});

/** Two loans fall together as a plan's slot begins. */
const calm: Story = {
  ...{ noise: 1, rttMs: 30, isWallet: true, knowsNodes: false, rescuers: 1, hasBundler: true, plans: 1 },
  falls: [{ atMs: 6_500, guards: [0, 1] }],
  faults: [],
};

test.each([
  ['a wallet, a rescuer and a bundler', calm],
  ['a key alone', { ...calm, isWallet: false, rescuers: 0, hasBundler: false }],
] as const)('a kill at any step loses nothing and does nothing twice: %s', async (_, story) => {
  const untilMs = 25_000;
  const undisturbed = await simulate({ ...story }, { limits, untilMs });
  expect(undisturbed).toMatchObject({ violations: [], rescueMs: [expect.any(Number), expect.any(Number)] });
  // Beyond the confirmation of the rescues.
  for (let steps = 1; steps <= 120; steps += 1) {
    const killed = { ...story, faults: [{ kind: 'kill', atMs: 6_500, steps, lastsMs: 1_000 }] } as const;
    const { violations, rescueMs } = await simulate(killed, { limits, untilMs });
    expect({ steps, violations, rescues: rescueMs.length }).toEqual({ steps, violations: [], rescues: 2 });
  }
});

// CH-2
test.each([
  [
    'its block is undone and its transaction is in no pool any more',
    [{ kind: 'reorganisation', atMs: 8_000, depth: 8, isKept: false }],
  ],
  ['its transaction is swallowed', [{ kind: 'sends', atMs: 6_000, become: 'swallowed', count: 1 }]],
  ['validators leave its transaction out', [{ kind: 'sends', atMs: 6_000, become: { heldMs: 60_000 }, count: 1 }]],
  ['the node answers its transaction by HTTP 500', [{ kind: 'sends', atMs: 6_000, become: 'lost', count: 3 }]],
  [
    'one node tells of blocks that never come, and validators leave its transaction out',
    [
      { kind: 'lie', atMs: 3_000, node: 0, about: 'heads', lastsMs: 3_000 },
      { kind: 'sends', atMs: 26_000, become: { heldMs: 60_000 }, count: 1 },
    ],
  ],
] as const satisfies readonly (readonly [string, Story['faults']])[])(
  'a rescue is in time although %s',
  async (_, faults) => {
    const atMs = faults.some(({ kind }) => kind === 'lie') ? 26_500 : 6_500;
    const story: Story = { ...calm, isWallet: false, rescuers: 1, plans: 0, falls: [{ atMs, guards: [0, 1] }], faults };
    const { violations, rescueMs } = await simulate(story, { limits, untilMs: 45_000 });
    expect(violations).toEqual([]);
    expect(rescueMs.length).toBeGreaterThanOrEqual(2);
  },
);

test('SIGTERM ends a process within five seconds although every node hangs', async () => {
  const faults = [
    { kind: 'outage', atMs: 7_000, lastsMs: 60_000, how: 'hangs' },
    { kind: 'stop', atMs: 9_000 },
  ] as const;
  const { stopMs } = await simulate({ ...calm, faults }, { limits, untilMs: 45_000 });
  expect(stopMs).toHaveLength(1);
  expect(stopMs[0]).toBeLessThan(5_000);
});

test('a seed replays exactly', async () => {
  const { story } = await checkSeed(7, { limits });
  const [one, other] = [
    await simulate(story, { limits, trace: 'debug' }),
    await simulate(story, { limits, trace: 'debug' }),
  ];
  expect(one.trace.length).toBeGreaterThan(300);
  expect(other.trace).toEqual(one.trace);
});
