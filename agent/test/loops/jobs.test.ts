import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Escrow, Offers } from '@bowline/core/domain/jobs';
import { BowlineError } from '@bowline/core/domain/result';
import type { Sent } from '@bowline/core/domain/sending';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createJobFinder } from '../../src/loops/jobs/finder.ts';
import { nextStep } from '../../src/loops/jobs/plan.ts';
import { createJobsLoop } from '../../src/loops/jobs/tick.ts';
import type { JobJudgement } from '../../src/selling/jobs/check-job.ts';
import { openDeliverables } from '../../src/selling/jobs/deliverables.ts';
import { createJobs, type JobReading } from '../../src/selling/jobs/jobs.ts';
import { callTool } from '../../src/tools/call.ts';
import { tools } from '../../src/tools/index.ts';
import type { ToolContext } from '../../src/tools/tool.ts';
import { offer, terms } from '../selling/jobs/jobs.ts';
import { kernel } from '../selling/jobs/kernel.ts';
import { world } from '../tools/world.ts';
import { keepLog } from './world.ts';

// SL-2

test('a refusal is final, but for an offer that another job uses', () => {
  expect(nextStep({ state: 'refused', reason: 'offer_used' })).toBe('wait');
  // AG-180: the job's head says otherwise, and the node that was asked for the rest may be behind.
  for (const reason of ['job_not_funded', 'not_our_job'] as const) {
    expect(nextStep({ state: 'refused', reason })).toBe('wait');
  }
  for (const reason of ['deadline_too_tight', 'budget_too_low', 'job_ended', 'offer_expired'] as const) {
    expect(nextStep({ state: 'refused', reason })).toBe('forget');
  }
  // A reorganisation may still replace its submission.
  expect(nextStep({ state: 'delivered' })).toBe('wait');
});

test('a refusal that there is not does not compile', () => {
  // @ts-expect-error `offer_usd`
  expect(nextStep({ state: 'refused', reason: 'offer_usd' })).toBe('forget');
});

test('a job is delivered when the one that held its offer comes to nothing, without a notice or a restart', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'deliverables-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const store = await openDeliverables(pathToFileURL(`${folder}/`));
  const chain = kernel();
  const { escrow, submissions } = chain;
  // Funded in full and first, with just enough time left.
  const copy = chain.add({ id: 3n });
  chain.add({ id: 7n, expiresAt: 3_000n });
  chain.add({ id: 9n });
  for (const id of [3n, 7n, 9n]) chain.fundedAt(id, 1_500n + id);
  const read: Offers['read'] = async () => offer;
  let answers = false;
  const facts: ToolContext['chain']['facts'] = async (...asked) => {
    if (answers) return await world.chain.facts(...asked);
    throw new BowlineError('market_unavailable', 'No answer.', { retryable: true });
  };
  let outcome: Sent = { outcome: 'unknown', hash: '0xaa' };
  const log = keepLog();
  const { tick } = createJobsLoop({
    jobs: createJobs(escrow, { read } as Offers, terms, store),
    finder: finderOf(escrow, log),
    escrow,
    deliver: {
      call: callTool(tools, { ...world, chain: { ...world.chain, facts } }, vi.fn()),
      interpret: () => ({ asset: 'BTCB' }),
      store,
      chainId: 31_337,
      contracts: terms.contracts,
    },
    sender: { address: terms.provider, send: async () => outcome },
    publicUrl: 'http://agent',
    onWork: () => {},
    log,
  });
  const going = new AbortController().signal;
  const round = async () => (await tick(going, 'interval')).counts;

  expect(await round()).toEqual({ watched: 3, 'failed.market_unavailable': 1 });
  answers = true;
  expect(await round()).toEqual({ watched: 3, unknown: 1 });
  expect(submissions).toMatchObject([{ id: copy }]);
  // Too late for the copies, but not for the job, which has its own deadline.
  chain.pass(1n);
  outcome = { outcome: 'confirmed', hash: '0xbb', block: 2n, gasUsed: 1n, events: [] };
  expect(await round()).toEqual({ watched: 3, 'refused.deadline_too_tight': 2, submitted: 1 });
  expect(submissions).toMatchObject([{ id: copy }, { id: 7n }]);
  expect(log.lines.filter(({ event }) => event === 'job.submitted')).toMatchObject([{ jobId: 7n }]);
  // The deliverable made for the copy may still be in flight, so it is kept.
  for (const { id, hash } of submissions) expect((await store.byHash(hash))?.manifest.job_id).toBe(Number(id));

  // A job waits no longer than its own time.
  chain.change(7n, { status: 'submitted', submittedAt: 2_002n });
  expect(await round()).toEqual({ watched: 1 });
  chain.pass(602n);
  expect(await round()).toEqual({ watched: 1, settled: 1 });
  chain.change(7n, { status: 'completed' });
  expect(await round()).toEqual({ watched: 0 });
  expect(chain.settlements).toEqual([7n]);
});

const finderOf = (escrow: Escrow, log: ReturnType<typeof keepLog>) =>
  createJobFinder({
    escrow,
    provider: terms.provider,
    workSeconds: terms.workSeconds,
    notebook: { load: async () => undefined, save: async () => {} },
    log,
  });

test('AG-180: 5,000 funded junk jobs are looked at in turn, and one that pays does not wait for them', async () => {
  const chain = kernel();
  for (let i = 0; i < 5_000; i++) chain.add({ budget: 0n, expiresAt: 9_000n, description: 'junk' });
  const log = keepLog();
  const honest = chain.add({ expiresAt: 9_000n });
  chain.fundedAt(honest, 1_500n);
  const delivered = () => chain.submissions.map(({ id }) => id);
  const reading = (id: bigint): JobReading => {
    const judgement: JobJudgement =
      id === honest ? { state: 'deliver', offer } : { state: 'refused', reason: 'no_signed_offer' };
    return { id, judgement, status: 'funded', submittedAt: 0n, deliverable: '0x' };
  };
  const { tick } = createJobsLoop({
    jobs: { read: () => expect.fail(), judge: async ({ id }) => reading(id) },
    finder: finderOf(chain.escrow, log),
    escrow: chain.escrow,
    deliver: {
      call: callTool(tools, world, vi.fn()),
      interpret: () => ({ asset: 'BTCB' }),
      store: { put: async () => {}, byHash: async () => undefined, byOffer: async () => [] },
      chainId: 31_337,
      contracts: terms.contracts,
    },
    sender: {
      address: terms.provider,
      send: async () => ({ outcome: 'confirmed', hash: '0xbb', block: 2n, gasUsed: 1n, events: [] }),
    },
    publicUrl: 'http://agent',
    onWork: () => {},
    log,
  });
  const { counts } = await tick(new AbortController().signal, 'interval');
  expect(delivered()).toEqual([honest]);
  expect(counts).toEqual({ watched: 5_001, 'refused.no_signed_offer': 95, submitted: 1 });
  expect(chain.asked.whole).toBe(96);
  chain.change(honest, { status: 'submitted', submittedAt: 2_000n });
  await tick(new AbortController().signal, 'interval');
  expect(chain.asked.whole).toBe(192);
  expect(delivered()).toEqual([honest]);
});
