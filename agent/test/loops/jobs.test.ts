import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Escrow, Job, Offers } from '@bowline/core/domain/jobs';
import type { Call, Sent } from '@bowline/core/domain/ports';
import { BowlineError } from '@bowline/core/domain/result';
import type { Hex } from '@bowline/core/domain/units';
import { expect, onTestFinished, test, vi } from 'vitest';
import { nextStep } from '../../src/loops/jobs/plan.ts';
import { createJobsLoop } from '../../src/loops/jobs/tick.ts';
import { openDeliverables } from '../../src/seller/deliverables.ts';
import { createJobs } from '../../src/seller/jobs.ts';
import { hashManifest } from '../../src/seller/offers.ts';
import { callTool } from '../../src/tools/call.ts';
import { tools } from '../../src/tools/index.ts';
import type { ToolContext } from '../../src/tools/tool.ts';
import { job, offer, terms } from '../seller/jobs.ts';
import { world } from '../tools/world.ts';
import { keepLog } from './world.ts';

// SL-5

test('a refusal is final, but for an open job and an offer that another job uses', () => {
  const refused = { id: 7n, status: 'funded', state: 'refused', submittedAt: 0n, now: 2_000n } as const;
  expect(nextStep({ ...refused, reason: 'offer_used' }, 600n)).toBe('wait');
  expect(nextStep({ ...refused, status: 'open', reason: 'job_not_funded' }, 600n)).toBe('wait');
  for (const reason of ['deadline_too_tight', 'budget_too_low', 'job_ended', 'offer_expired'] as const) {
    expect(nextStep({ ...refused, reason }, 600n)).toBe('forget');
  }
});

test('a status that the escrow does not have does not compile', () => {
  const job = { id: 7n, state: 'delivered', submittedAt: 0n, now: 2_000n } as const;
  // @ts-expect-error `submited`
  expect(nextStep({ ...job, status: 'submited' }, 600n)).toBe('forget');
  // @ts-expect-error `offer_usd`
  expect(nextStep({ ...job, status: 'funded', state: 'refused', reason: 'offer_usd' }, 600n)).toBe('forget');
});

test('a job is delivered when the one that held its offer comes to nothing, without a notice or a restart', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'deliverables-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const store = await openDeliverables(pathToFileURL(`${folder}/`), hashManifest);
  // Funded in full and first, with just enough time left.
  const copy: Job = { ...job, id: 3n };
  const honest: Job = { ...job, expiresAt: 3_000n };
  const late: Job = { ...job, id: 9n };
  const found = new Map([copy, honest, late].map((each) => [each.id, each]));
  let now = 2_000n;
  const submitted: { id: bigint; hash: Hex }[] = [];
  const callOf = (label: string): Call => ({ label, to: terms.contracts.commerce, data: '0x', value: 0n, gas: 1n });
  const escrow: Escrow = {
    contracts: terms.contracts,
    disputeWindowSeconds: terms.disputeWindowSeconds,
    jobCount: async () => 9n,
    job: async (id) => {
      const one = found.get(id);
      return one && { block: { number: 1n, timestamp: now, hash: '0x', parentHash: '0x' }, job: one };
    },
    fundedAt: async (id) => 1_500n + id,
    submit: (id, hash) => {
      submitted.push({ id, hash });
      return callOf('submit');
    },
    settle: () => expect.fail(),
  };
  const read: Offers['read'] = async () => offer;
  let answers = false;
  const facts: ToolContext['chain']['facts'] = async (...asked) => {
    if (answers) return await world.chain.facts(...asked);
    throw new BowlineError('market_unavailable', 'No answer.', { retryable: true });
  };
  let outcome: Sent = { outcome: 'unknown', hash: '0xaa' };
  const log = keepLog();
  const { tick } = createJobsLoop({
    jobs: createJobs(escrow, { read } as Offers, terms),
    escrow,
    deliver: {
      call: callTool(tools, { ...world, chain: { ...world.chain, facts } }, vi.fn()),
      interpret: () => ({ asset: 'BTCB' }),
      store,
      chainId: 31_337,
      contracts: terms.contracts,
      hashManifest,
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
  expect(submitted).toMatchObject([{ id: 3n }]);
  // Too late for the copies, but not for the job: it has time of its own.
  now = 2_001n;
  outcome = { outcome: 'confirmed', hash: '0xbb', block: 2n, gasUsed: 1n, events: [] };
  expect(await round()).toEqual({ watched: 3, 'refused.deadline_too_tight': 2, submitted: 1 });
  expect(submitted).toMatchObject([{ id: 3n }, { id: 7n }]);
  expect(log.lines.filter(({ event }) => event === 'job.submitted')).toMatchObject([{ jobId: 7n }]);
  // What was made for the copy may still be in flight: it is kept.
  for (const { id, hash } of submitted) expect((await store.byHash(hash))?.manifest.job_id).toBe(Number(id));

  // A job waits no longer than its own time.
  found.set(7n, { ...honest, status: 'submitted', submittedAt: 2_002n });
  found.set(9n, { ...late, expiresAt: 3_000n });
  expect(await round()).toEqual({ watched: 1 });
});
