import type { JobNotebook, JobNotes } from '@bowline/core/domain/jobs';
import { expect, test } from 'vitest';
import { createJobFinder } from '../../src/loops/jobs/finder.ts';
import { terms } from '../selling/jobs/jobs.ts';
import { kernel } from '../selling/jobs/kernel.ts';
import { keepLog } from './world.ts';

const year = 365n * 86_400n;
const junk = { status: 'open', budget: 0n, expiresAt: 2_000n + year } as const;
const stranger = '0x9999999999999999999999999999999999999999' as const;
const nobody = '0x0000000000000000000000000000000000000000' as const;

function notebook(): JobNotebook & { kept: JobNotes | undefined } {
  return {
    kept: undefined,
    async load() {
      return this.kept;
    },
    async save(notes) {
      this.kept = notes;
    },
  };
}

function finderOf({ escrow }: ReturnType<typeof kernel>, notes: JobNotebook = notebook()) {
  const { provider, workSeconds } = terms;
  return createJobFinder({ escrow, provider, workSeconds, notebook: notes, log: keepLog() });
}

test.each([true, false])(
  'AG-180: among 5,000 junk jobs that name us, one without a notice is found in the round after it is funded (log: %s)',
  async (keepsLogs) => {
    const chain = kernel({ keepsLogs });
    for (let i = 0; i < 5_000; i++) chain.add(junk);
    const finder = finderOf(chain);
    await finder.find();
    const honest = chain.add({ ...junk, budget: 100n });
    for (let i = 0; i < 5_000; i++) chain.add(junk);
    await finder.find();
    chain.fund(honest);
    const rounds = [await finder.find(), await finder.find()];
    expect(rounds.map(({ funded }) => funded.includes(honest))).toContain(true);
    expect(finder.watched()).toBe(10_001);
    // Heads are read 400 to a request.
    expect(chain.asked.heads / chain.asked.rounds).toBeLessThan(12_001);
  },
);

test('AG-180: among 50,000, the log finds it at once, and without a log it takes its turn', async () => {
  for (const [keepsLogs, rounds] of [
    [true, 1],
    [false, 10],
  ] as const) {
    const chain = kernel({ keepsLogs });
    for (let i = 0; i < 50_000; i++) chain.add(i === 777 ? { ...junk, budget: 100n } : junk);
    const finder = finderOf(chain);
    for (let i = 0; i < 10; i++) {
      await finder.find();
      chain.pass(60n);
    }
    expect(finder.watched()).toBe(50_000);
    chain.fund(778n);
    let seen = 0;
    do {
      const before = chain.asked.heads;
      seen += (await finder.find()).funded.includes(778n) ? 1 : 0;
      chain.pass(5n);
      expect(chain.asked.heads - before).toBeLessThanOrEqual(12_000);
    } while (seen === 0 && chain.asked.rounds < 10 + rounds);
    expect(seen).toBe(1);
  }
});

test('what can no longer be delivered, and what is somebody else’s, is forgotten', async () => {
  const chain = kernel();
  // Just long enough for the dispute window and the work.
  chain.add({ ...junk, expiresAt: 2_000n + 600n + 60n });
  chain.add({ ...junk, expiresAt: 2_000n + 600n + 59n });
  chain.add({ ...junk, provider: stranger });
  const late = chain.add({ ...junk, provider: nobody });
  chain.add({ status: 'rejected' });
  const finder = finderOf(chain);
  await finder.find();
  expect(finder.watched()).toBe(2);
  chain.pass(1n);
  await finder.find();
  expect(finder.watched()).toBe(1);
  // A client may name the provider later.
  chain.change(late, { provider: terms.provider, budget: 100n });
  chain.fund(late);
  expect((await finder.find()).funded).toEqual([late]);
});

test('AG-180: the most promising come first: those never looked at, then those that pay most', async () => {
  const chain = kernel();
  const poor = chain.add({ budget: 1n });
  const rich = chain.add({ budget: 100n });
  const other = chain.add({ budget: 100n });
  const finder = finderOf(chain);
  expect((await finder.find()).funded).toEqual([rich, other, poor]);
  finder.postpone(rich);
  expect((await finder.find()).funded).toEqual([other, poor, rich]);
  finder.forget(other);
  expect((await finder.find()).funded).toEqual([poor, rich]);
});

test('AG-180: a head is enough to refuse a job of a stranger as evaluator, or one without time', async () => {
  const chain = kernel();
  const foreign = chain.add({ evaluator: stranger });
  chain.add({ expiresAt: 2_659n });
  const finder = finderOf(chain);
  const { funded, due, refusals } = await finder.find();
  expect([...funded, ...due]).toEqual([]);
  expect(refusals.toSorted()).toEqual(['deadline_too_tight', 'foreign_evaluator']);
  // Reported once.
  expect((await finder.find()).refusals).toEqual([]);
  // Its buyer hears why.
  finder.announce(foreign);
  expect((await finder.find()).funded).toEqual([foreign]);
});

test('after a restart without notes every submitted job of ours is settled, however old it is', async () => {
  const chain = kernel();
  const old = chain.add({ status: 'submitted', submittedAt: 1_000n });
  for (let i = 0; i < 60_000; i++) chain.add({ provider: stranger });
  const finder = finderOf(chain);
  const due: bigint[] = [];
  for (let round = 0; round < 12 && due.length === 0; round++) due.push(...(await finder.find()).due);
  expect(due).toEqual([old]);
  // Settling a disputed job may revert: others do not wait for it, and it is retried later.
  finder.settleLater(old);
  expect((await finder.find()).due).toEqual([]);
  chain.pass(600n);
  expect((await finder.find()).due).toEqual([old]);
  chain.change(old, { status: 'completed' });
  expect((await finder.find()).due).toEqual([]);
  expect(finder.watched()).toBe(0);
});

test('with notes a restart reads what is new and what was left, and nothing of another chain is believed', async () => {
  const chain = kernel();
  const old = chain.add({ status: 'submitted', submittedAt: 1_990n });
  const open = chain.add({ ...junk, budget: 100n });
  for (let i = 0; i < 10_000; i++) chain.add({ provider: stranger });
  const notes = notebook();
  const before = finderOf(chain, notes);
  for (let round = 0; round < 4; round++) {
    await before.find();
    chain.pass(61n);
  }
  await before.find();
  expect(notes.kept).toMatchObject({ oldest: 0n, newest: 10_002n, jobs: [old, open] });
  const fresh = chain.add({ ...junk, status: 'funded', budget: 100n });
  chain.fund(open);
  chain.pass(1_000n);

  const read = chain.asked.heads;
  const after = finderOf(chain, notes);
  const found = await after.find();
  expect(found.due).toEqual([old]);
  expect(found.funded).toEqual([open, fresh]);
  expect(chain.asked.heads - read).toBeLessThan(600);

  chain.replace();
  const elsewhere = finderOf(chain, notes);
  await elsewhere.find();
  expect(chain.asked.heads - read).toBeGreaterThan(5_000);
});

test('AG-180: a job that a lagging node does not know yet is read again, as is one that a reorganisation replaced', async () => {
  const chain = kernel({ keepsLogs: false });
  const first = chain.add(junk);
  const finder = finderOf(chain);
  await finder.find();
  const lost = chain.add({ provider: stranger });
  await finder.find();
  chain.change(lost, { ...junk, provider: terms.provider, status: 'funded' });
  expect((await finder.find()).funded).toEqual([lost]);
  const heads = chain.escrow.heads;
  const lags: typeof heads = async (ids) => ({ jobs: new Map(), unread: ids });
  Object.assign(chain.escrow, { heads: lags });
  chain.pass(100n);
  const blind = chain.add({ ...junk, status: 'funded', budget: 100n });
  await finder.find();
  chain.pass(100n);
  await finder.find();
  Object.assign(chain.escrow, { heads });
  chain.change(first, { status: 'funded' });
  expect(new Set((await finder.find()).funded)).toEqual(new Set([first, lost, blind]));
});

test('while no job can need anything, a round makes one request', async () => {
  const chain = kernel();
  for (let i = 0; i < 3; i++) chain.add({ provider: stranger });
  const finder = finderOf(chain);
  const rest = async () => {
    for (let round = 0; round < 4; round++) {
      await finder.find();
      chain.pass(61n);
    }
    const { counts, ...others } = { ...chain.asked };
    expect(await finder.find()).toEqual({ funded: [], due: [], refusals: [] });
    expect(chain.asked).toEqual({ ...others, counts: counts + 1 });
  };
  await rest();

  // Each of these wakes it: a job that is funded later, one that a block replaces, a notice, and one to be settled.
  const later = chain.add({ ...junk, budget: 100n });
  for (let round = 0; round < 3; round++) {
    await finder.find();
    chain.pass(61n);
  }
  chain.fund(later);
  expect((await finder.find()).funded).toEqual([later]);
  chain.change(later, { status: 'submitted', submittedAt: 2_000n });
  await finder.find();
  chain.pass(600n);
  expect((await finder.find()).due).toEqual([later]);
  chain.change(later, { status: 'completed' });
  await rest();

  const replaced = chain.add({ provider: stranger });
  await finder.find();
  chain.pass(59n);
  await finder.find();
  chain.change(replaced, { ...junk, provider: terms.provider, status: 'funded', budget: 100n });
  expect((await finder.find()).funded).toEqual([replaced]);
  chain.change(replaced, { status: 'completed' });
  await rest();

  chain.change(replaced, { status: 'funded' });
  finder.announce(replaced);
  expect((await finder.find()).funded).toEqual([replaced]);
});

test('a restart reads all that is old before it rests, and what was funded meanwhile', async () => {
  const chain = kernel({ keepsLogs: false });
  const old = chain.add({ ...junk, budget: 100n });
  for (let i = 0; i < 20_000; i++) chain.add({ provider: stranger });
  const notes = notebook();
  await finderOf(chain, notes).find();
  chain.pass(1_000n);
  chain.fund(old);
  const finder = finderOf(chain, notes);
  const found: bigint[] = [];
  for (let round = 0; round < 5; round++) {
    found.push(...(await finder.find()).funded);
    chain.pass(61n);
  }
  expect(found).toContain(old);

  // More than a round reads.
  chain.change(old, { status: 'completed' });
  for (let i = 0; i < 30_000; i++) chain.add({ provider: stranger });
  const last = chain.add({ ...junk, status: 'funded', budget: 100n });
  for (let round = 0; round < 5; round++) {
    found.push(...(await finder.find()).funded);
    chain.pass(61n);
  }
  expect(found).toContain(last);
});

test('AG-180: a block of a time far ahead hides no job for good that is funded without a notice', async () => {
  const chain = kernel();
  const hidden = chain.add(junk);
  const finder = finderOf(chain);
  await finder.find();
  const { newestBlock } = chain.escrow;
  Object.assign(chain.escrow, {
    newestBlock: async () => ({ ...(await newestBlock()), timestamp: 2_000n + 2n * year }),
  });
  await finder.find();
  Object.assign(chain.escrow, { newestBlock });
  expect(finder.watched()).toBe(0);
  chain.pass(5n);
  chain.fund(hidden);
  const found: bigint[] = [];
  for (let round = 0; round < 10; round++) {
    found.push(...(await finder.find()).funded);
    chain.pass(5n);
  }
  expect(found).toContain(hidden);
});
