import { privateKeyToAccount } from 'viem/accounts';
import { expect, test } from 'vitest';
import { createOffers } from '../../src/adapters/offers.ts';
import { BowlineError } from '../../src/domain/result.ts';
import { createJobs, type Looked } from '../../src/seller/jobs.ts';
import { createNegotiate } from '../../src/seller/negotiate.ts';
import { createNotifyFunded } from '../../src/seller/notify-funded.ts';
import { address, job, offer, terms } from './jobs.ts';

const offers = createOffers({
  account: privateKeyToAccount('0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d'),
  chainId: 31_337,
  commerce: terms.contracts.commerce,
  currency: terms.currency,
  price: 100n,
  clock: () => 1_000n,
});
const interpret = (task: string) => (/BTCB/.test(task) ? { asset: 'BTCB' } : undefined);
const request = { task_description: 'Is BTCB fair?', terms: { deliverables: 'report', quality_standards: 'numbers' } };

test('SL-3: only what can be delivered is offered; the rest is refused with what would be', async () => {
  const negotiate = createNegotiate(offers, interpret);
  expect(await negotiate(request)).toMatchObject({ response: { accepted: true }, provider_sig: expect.any(String) });
  const refused = async (given: unknown, code: string) => {
    const reply = await negotiate(given);
    expect(reply).toMatchObject({ response: { accepted: false, reason_code: code, reason: expect.any(String) } });
    expect(reply).not.toHaveProperty('provider_sig');
  };
  await refused({ ...request, task_description: 'Write me a poem.' }, '0x06');
  await refused({ ...request, task_description: '' }, '0x04');
  await refused({ ...request, task_description: ' ' }, '0x04');
  await refused({ ...request, task_description: 5 }, '0x04');
  await refused({ ...request, task_description: `BTCB ${'x'.repeat(2_000)}` }, '0x07');
  await refused({ task_description: 'Is BTCB fair?' }, '0x04');
  for (const nothing of [undefined, null, 'text', [], 5]) await refused(nothing, '0x04');
});

test('a task is judged as it will be signed, since that is what will be worked on', async () => {
  const negotiate = createNegotiate(offers, (task) => (task.includes('[') ? { asset: 'BTCB' } : undefined));
  expect(await negotiate({ ...request, task_description: 'BTCB [now]' })).toMatchObject({
    response: { accepted: false },
  });
});

const looked = (judgement: Looked['judgement']): Looked => ({
  id: 7n,
  now: 2_000n,
  status: 'funded',
  submittedAt: 0n,
  judgement,
});

function notify(look: (id: bigint) => Promise<Looked | undefined>) {
  const added: bigint[] = [];
  let sweeps = 0;
  const notice = createNotifyFunded({ look }, { add: (id) => added.push(id), sweep: () => sweeps++ });
  return { notice, added, sweeps: () => sweeps };
}

test('SL-4: a funded job is accepted at once and put in the inbox; other jobs are named for what is wrong', async () => {
  const good = notify(async () => looked({ state: 'deliver', offer }));
  expect(await good.notice(7)).toMatchObject({ status: 'accepted', job_id: 7 });
  expect(await good.notice('12345678901234567890')).toMatchObject({
    status: 'accepted',
    job_id: '12345678901234567890',
  });
  expect(await good.notice('0x10')).toMatchObject({ job_id: '16' });
  expect(good.added).toEqual([7n, 12345678901234567890n, 16n]);

  const bad = notify(async () => looked({ state: 'refused', reason: 'foreign_evaluator' }));
  expect(await bad.notice(7)).toEqual({ status: 'rejected', job_id: 7, reason: 'foreign_evaluator' });
  expect(await notify(async () => undefined).notice('9')).toEqual({
    status: 'rejected',
    job_id: '9',
    reason: 'job_unknown',
  });
  const again = notify(async () => looked({ state: 'delivered' }));
  expect(await again.notice(7)).toMatchObject({ status: 'accepted', note: 'already delivered' });
  expect([...bad.added, ...again.added]).toEqual([]);
});

test('numbers that name no job, or may have lost digits, are refused without a look', async () => {
  const { notice, added } = notify(() => Promise.reject(new Error('looked')));
  for (const id of [0, -1, 1.5, 2 ** 53, '', '-1', '1e3', '0x', ' 7', {}, [], true, 'f'.repeat(80), '9'.repeat(78)]) {
    expect(await notice(id), String(id)).toMatchObject({
      status: 'rejected',
      error: expect.stringContaining('invalid job_id'),
    });
  }
  expect(added).toEqual([]);
});

test('without a number the chain is looked through; while it does not answer, the buyer is told to try again', async () => {
  const { notice, sweeps } = notify(async () => undefined);
  expect(await notice(undefined)).toMatchObject({ status: 'accepted' });
  expect(sweeps()).toBe(1);
  const down = notify(() =>
    Promise.reject(new BowlineError('chain_unavailable', 'The chain does not answer.', { retryable: true })),
  );
  expect(await down.notice(7)).toMatchObject({ status: 'retry', job_id: 7, code: 'chain_unavailable' });
  await expect(notify(() => Promise.reject(new Error('bug'))).notice(7)).rejects.toThrow('bug');
});

test('SL-5: an offer is good for one job, the first of those that it was seen on', async () => {
  const found = new Map([
    [2n, { ...job, id: 2n, provider: address('9') }],
    [3n, { ...job, id: 3n, status: 'open' as const }],
    [7n, job],
    [9n, { ...job, id: 9n }],
  ]);
  const jobs = createJobs(
    {
      contracts: terms.contracts,
      disputeWindowSeconds: terms.disputeWindowSeconds,
      jobCount: async () => 11n,
      job: async (id) => {
        const one = found.get(id);
        return one && { block: { number: 1n, timestamp: 2_000n }, job: one };
      },
      fundedAt: async () => 1_500n,
      submit: () => expect.fail(),
      settle: () => expect.fail(),
    },
    { ...offers, provider: terms.provider, read: async () => offer },
    terms,
  );
  const judged = async (id: bigint) => (await jobs.look(id))?.judgement;
  // An open copy of the description takes nothing away, nor does one for another seller.
  expect(await judged(3n)).toEqual({ state: 'refused', reason: 'job_not_funded' });
  expect(await judged(2n)).toEqual({ state: 'refused', reason: 'not_our_job' });
  expect(await judged(9n)).toEqual({ state: 'deliver', offer });
  expect(await judged(7n)).toEqual({ state: 'deliver', offer });
  expect(await judged(9n)).toEqual({ state: 'refused', reason: 'offer_used' });
  expect(await judged(5n)).toBeUndefined();
});
