import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Escrow, Job, Offers } from '@bowline/core/domain/jobs';
import type { Call, Sent } from '@bowline/core/domain/ports';
import { failure, success } from '@bowline/core/domain/result';
import type { Hex } from '@bowline/core/domain/units';
import { expect, onTestFinished, test } from 'vitest';
import { nextStep } from '../../src/loops/jobs/plan.ts';
import { createJobsLoop } from '../../src/loops/jobs/tick.ts';
import { openDeliverables } from '../../src/seller/deliverables.ts';
import { createJobs } from '../../src/seller/jobs.ts';
import { hashManifest } from '../../src/seller/offers.ts';
import { job, offer, terms } from '../seller/jobs.ts';
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
  let outcome: Sent = { outcome: 'unknown', hash: '0xaa' };
  const log = keepLog();
  const { tick } = createJobsLoop({
    jobs: createJobs(escrow, { read } as Offers, terms),
    escrow,
    deliver: {
      call: async () =>
        answers
          ? success({ asset: 'BTCB', side: 'buy', amount_usd: '1000', verdict: 'GO', references: [], findings: [] })
          : failure('market_unavailable', 'No answer.', true),
      interpret: () => ({ asset: 'BTCB' }),
      store,
      chainId: 31_337,
      contracts: terms.contracts,
      hashManifest,
    },
    sender: { address: terms.provider, send: async () => outcome, outcome: async () => outcome },
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
