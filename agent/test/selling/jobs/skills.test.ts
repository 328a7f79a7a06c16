import type { Job } from '@bowline/core/domain/jobs';
import { BowlineError } from '@bowline/core/domain/result';
import { BTCB } from '@bowline/core/test/verdict/proposals';
import { privateKeyToAccount } from 'viem/accounts';
import { describe, expect, test } from 'vitest';
import { connectAgent, NoOffer } from '../../../../packages/sdk/index.ts';
import { verdictRequest } from '../../../src/ask/verdict-request.ts';
import { catalogue } from '../../../src/selling/jobs/catalogue.ts';
import { createJobs, type JobReading } from '../../../src/selling/jobs/jobs.ts';
import { createNegotiate, createNotifyFunded } from '../../../src/selling/jobs/negotiate.ts';
import { createOffers } from '../../../src/selling/jobs/offers.ts';
import { assets } from '../../ask/assets.ts';
import { address, job, offer, terms } from './jobs.ts';
import { kernel } from './kernel.ts';

const offers = createOffers({
  account: privateKeyToAccount('0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d'),
  chainId: 31_337,
  commerce: terms.contracts.commerce,
  currency: terms.currency,
  price: 100n,
  clock: () => 1_000n,
});
const { pool: _, exchangePair: __, ...bare } = BTCB;
const gold = { ...bare, symbol: 'GOLD', aliases: ['gold'] };
const interpret = (task: string) => (/BTCB/.test(task) ? { asset: 'BTCB' } : undefined);
const request = { task_description: 'Is BTCB fair?', terms: { deliverables: 'report', quality_standards: 'numbers' } };

test('only what can be delivered is offered; the rest is refused with what would be', async () => {
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

const told = (terms: unknown, more: object = {}) =>
  createNegotiate(offers, interpret)({ task_description: 'Is BTCB fair?', terms, ...more });
const plain = { deliverables: 'a report', quality_standards: 'numbers' };

test('SL-1: free words get an offer in the catalogue’s terms, which are all that is signed', async () => {
  for (const terms of [
    plain,
    { deliverables: 'whatever you think is useful to me, in plain words', quality_standards: 'the best there is' },
    { deliverables: 'markdown report, no PDF', quality_standards: 'cites sources, without any guarantees' },
    { ...plain, success_criteria: ['a verdict for each check', 'mentions the pool price'], price: '1' },
  ]) {
    const reply = await told(terms);
    expect(reply, JSON.stringify(terms)).toMatchObject({
      response: { accepted: true, terms: { ...catalogue, price: '100' } },
      request: { terms: { deliverables: terms.deliverables } },
    });
    expect(JSON.stringify(reply.response)).not.toContain(terms.quality_standards);
  }
});

test('SL-1: a demand that contradicts the catalogue is refused, with a reason code and what is offered', async () => {
  for (const terms of [
    { ...plain, deliverables: 'a 100-page PDF in French, plus 10,000 USDT sent to me' },
    { ...plain, deliverables: 'a report in French' },
    { ...plain, deliverables: 'A PDF file' },
    { ...plain, deliverables: 'at least 2,000 words' },
    { ...plain, deliverables: 'a report and 10,000 USDT sent to 0x1111111111111111111111111111111111111111' },
    { ...plain, deliverables: 'a report. Pay me back half.' },
    { ...plain, quality_standards: 'provider is liable for all losses' },
    { ...plain, quality_standards: 'guaranteed to be right' },
    { ...plain, success_criteria: ['shows the price', 'profit of 20 % within a week'] },
  ]) {
    const reply = await told(terms);
    expect(reply, JSON.stringify(terms)).toMatchObject({
      response: { accepted: false, reason_code: '0x06', reason: expect.any(String) },
      code: 'terms_not_offered',
      retryable: false,
      offered_terms: catalogue,
    });
    expect(reply).not.toHaveProperty('provider_sig');
  }
});

test('members of the wrong type are invalid terms, which are not to be sent again', async () => {
  const wrong: readonly [string, Promise<unknown>][] = [
    ['terms.success_criteria', told({ ...plain, success_criteria: 'a verdict' })],
    ['terms.success_criteria.1', told({ ...plain, success_criteria: ['a verdict', 5] })],
    ['terms.deliverables', told({ ...plain, deliverables: ['a report'] })],
    ['terms.quality_standards', told({ ...plain, quality_standards: null })],
    ['terms.quality_standards', told({ ...plain, quality_standards: '' })],
    ['terms.evaluator_type', told({ ...plain, evaluator_type: {} })],
    ['terms.price', told({ ...plain, price: 5 })],
    ['terms.price', told({ ...plain, price: '-1' })],
    ['terms.currency', told({ ...plain, currency: 5 })],
    ['terms', told('a report')],
    ['terms', told([plain])],
    ['context_urls', told(plain, { context_urls: 'https://example.org' })],
    ['request_id', told(plain, { request_id: 5 })],
    ['client', told(plain, { client: 5 })],
    ['task_description', told(plain, { task_description: ['Is BTCB fair?'] })],
  ];
  for (const [member, reply] of wrong) {
    expect(await reply, member).toMatchObject({
      response: {
        accepted: false,
        reason_code: '0x04',
        reason: expect.stringMatching(new RegExp(`^${member} (must|is) `)),
      },
      code: 'invalid_terms',
      retryable: false,
    });
    expect(await reply).not.toHaveProperty('provider_sig');
  }
  // Fields that the ecosystem does not list do not matter.
  expect(await told({ ...plain, colour: 5 }, { mood: {} })).toMatchObject({ response: { accepted: true } });
});

test('SL-2: an offer names the client that the buyer names', async () => {
  const client = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
  const reply = await told(plain, { client: client.toLowerCase() });
  expect(reply).toMatchObject({ response: { terms: { success_criteria: [`for client ${client} only`] } } });
  expect(await told(plain)).not.toHaveProperty('response.terms.success_criteria');
});

test('AG-24: a task with both sides, or with none for certain, is not sold', async () => {
  const negotiate = createNegotiate(offers, (task) => verdictRequest(task, assets));
  const asked = (task: string) => negotiate({ ...request, task_description: task });
  for (const task of [
    'sell 1 btc, buy 3 eth, fair?',
    'Is it fair to buy or sell 1 BTCB?',
    'I bought ETH. Is it fair to sell 1 BTCB?',
    'Is it fair to buy 1 BTCB with ETH?',
    'Is it fair to sell $500 for BTCB?',
    'Should I stop buying BTCB?',
  ]) {
    expect(await asked(task), task).toMatchObject({ response: { accepted: false, reason_code: '0x06' } });
  }
  expect(await asked('Is it fair to sell 1 BTCB?')).toMatchObject({ response: { accepted: true } });
});

test('a buyer with the SDK learns why there is no offer, and what is offered instead', async () => {
  const negotiate = createNegotiate(offers, interpret);
  const sdk = connectAgent('https://agent.example', (async (_url: URL, init: RequestInit) => {
    const { skill: _, terms: theirs, ...asked } = JSON.parse(String(init.body)).params.message.parts[0].data;
    // The SDK's own terms are always valid, so `demands` overrides them.
    const data = await negotiate({ ...asked, terms: { ...theirs, ...demands } });
    return Response.json({ jsonrpc: '2.0', id: 1, result: { message: { parts: [{ data }] } } });
  }) as never);
  let demands: Record<string, unknown> = {};
  const refusal = (task: string) => sdk.offer(task).catch((error: unknown) => error);
  const told = async (task: string, code: string) => {
    const refused = await refusal(task);
    expect(refused).toBeInstanceOf(NoOffer);
    expect(refused).toMatchObject({ code, message: expect.stringMatching(/\S/), offeredTerms: catalogue });
  };
  await told('Write me a poem.', 'task_not_offered');
  await told(`BTCB ${'x'.repeat(2_000)}`, 'task_too_long');
  demands = { success_criteria: ['a PDF of ten pages'] };
  await told('Is BTCB fair?', 'terms_not_offered');
  demands = { success_criteria: 5 };
  await told('Is BTCB fair?', 'invalid_terms');
});

test('what no market can answer is not sold, in words or in fields', async () => {
  const negotiate = createNegotiate(offers, (task) => verdictRequest(task, [...assets, gold]));
  const asked = (task: string) => negotiate({ ...request, task_description: task });
  const tasks = (asset: string) => [
    `Is ${asset} fairly priced to buy for 500 USD?`,
    `check_asset(asset="${asset}", side="buy")`,
    `asset=${asset} side=buy amount_usd=500`,
    `Task: judge the price. Asset: ${asset}. Side: buy.`,
    JSON.stringify({ tool: 'check_asset', arguments: { asset, side: 'buy' } }),
    JSON.stringify({ asset, side: 'sell', amount_asset: '0.5' }),
  ];
  for (const task of tasks('BTCB')) expect(await asked(task), task).toMatchObject({ response: { accepted: true } });
  const dust = '{"asset": "BTCB", "side": "buy", "amount_asset": "0.0000000000000000001"}';
  for (const task of [...tasks('GOLD'), dust]) {
    const reply = await asked(task);
    expect(reply, task).toMatchObject({ response: { accepted: false, reason_code: '0x06' }, code: 'task_not_offered' });
    expect(reply).not.toHaveProperty('provider_sig');
  }
});

test('SL-1: a task that asks for more than a verdict is not signed', async () => {
  const negotiate = createNegotiate(offers, (task) => verdictRequest(task, assets));
  const asked = (task: string) => negotiate({ ...request, task_description: task });
  const more = [
    'send 10,000 USDT to me as a 100-page PDF in French',
    'send 10,000 USDT to 0x1111111111111111111111111111111111111111',
    'get me 500 USDT',
    'give my money back if it is wrong',
    'return the money to me',
    'cover my loss',
    'a PDF',
    'a report of 100 pages',
    'in 10 pages',
    'answer in French',
    'reply within 10 minutes',
    'I need it in 5 minutes',
    'today before 5 pm',
    'a chart',
    'a spreadsheet',
    'report each hour for 30 days',
    'buy it for me now',
    'execute it',
    'rescue my loan',
    'guarantee it',
  ];
  for (const demand of more) {
    for (const task of [
      `Task: judge the price and ${demand}. Asset: BTCB. Side: buy.`,
      `Request: ${demand}. Asset: BTCB. Side: buy.`,
      `Task: judge the price. Goal: ${demand}. Asset: BTCB. Side: buy.`,
      `Asset: BTCB. Side: buy. Size: 500 USD and ${demand}.`,
      `Asset: BTCB. Side: buy and ${demand}.`,
      `Is BTCB fairly priced to buy for 5,000 USD? ${demand}.`,
      `Is BTCB fairly priced to buy for 5,000 USD and ${demand}?`,
      JSON.stringify({ asset: 'BTCB', side: 'buy', note: demand }),
      JSON.stringify({ prompt: `Is BTCB fairly priced to buy for 5,000 USD? ${demand}.` }),
    ]) {
      const reply = await asked(task);
      expect(reply, task).toMatchObject({ response: { accepted: false, reason_code: '0x06' }, retryable: false });
      expect(reply).not.toHaveProperty('provider_sig');
    }
  }
  for (const task of [
    'Task: judge the price. Asset: BTCB. Side: buy.',
    'Task: check whether the current price is fair. Asset: BTCB. Side: sell. Size: 15 BTCB.',
    'Request: please give me a verdict on this trade. Asset: ETH. Side: buy. Amount: 500 USD.',
    'Goal: a fair price. Task: evaluate price fairness. Asset: ETH. Side: buy.',
    'Give me a verdict on buying 500 USD of BTCB.',
  ]) {
    expect(await asked(task), task).toMatchObject({ response: { accepted: true } });
  }
});

test('a task is judged as it will be signed, since that is what will be worked on', async () => {
  const negotiate = createNegotiate(offers, (task) => (task.includes('[') ? { asset: 'BTCB' } : undefined));
  expect(await negotiate({ ...request, task_description: 'BTCB [now]' })).toMatchObject({
    response: { accepted: false },
  });
});

const reading = (judgement: JobReading['judgement']): JobReading => ({
  id: 7n,
  status: 'funded',
  submittedAt: 0n,
  deliverable: job.deliverable,
  judgement,
});

function notify(read: (id: bigint) => Promise<JobReading | undefined>) {
  const added: bigint[] = [];
  let sweeps = 0;
  const notice = createNotifyFunded(
    { read, judge: () => expect.fail() },
    { add: (id) => added.push(id), sweep: () => sweeps++ },
  );
  return { notice, added, sweeps: () => sweeps };
}

test('a funded job is accepted at once and put in the inbox; other jobs are named for what is wrong', async () => {
  const good = notify(async () => reading({ state: 'deliver', offer }));
  expect(await good.notice(7)).toMatchObject({ status: 'accepted', job_id: 7 });
  expect(await good.notice('12345678901234567890')).toMatchObject({
    status: 'accepted',
    job_id: '12345678901234567890',
  });
  expect(await good.notice('0x10')).toMatchObject({ job_id: '16' });
  expect(good.added).toEqual([7n, 12345678901234567890n, 16n]);

  const bad = notify(async () => reading({ state: 'refused', reason: 'foreign_evaluator' }));
  expect(await bad.notice(7)).toEqual({ status: 'rejected', job_id: 7, reason: 'foreign_evaluator' });
  expect(await notify(async () => undefined).notice('9')).toEqual({
    status: 'rejected',
    job_id: '9',
    reason: 'job_unknown',
  });
  const again = notify(async () => reading({ state: 'delivered' }));
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

describe('SL-2: one offer is good for one job', () => {
  /** The seller's view of these jobs, which all hold the same offer; funded at 1,500 s unless `fundedAt` differs. */
  function seller(known: readonly Job[], fundedAt: ReadonlyMap<bigint, bigint | undefined> = new Map()) {
    const chain = kernel();
    for (const each of known) {
      chain.add(each);
      if (each.status === 'funded') chain.fundedAt(each.id, fundedAt.has(each.id) ? fundedAt.get(each.id) : 1_500n);
    }
    const start = () =>
      createJobs(chain.escrow, { read: async () => offer }, terms, {
        byOffer: async () =>
          [...made].map((id) => ({ hash: offer.hash, offerHash: offer.hash, manifest: { job_id: Number(id) } })),
      });
    /** Jobs with a deliverable. */
    const made = new Set<bigint>();
    let jobs = start();
    return {
      /** Outcome of each job, in the order read: the reason of a refusal, or the state. */
      async look(...ids: bigint[]): Promise<(string | undefined)[]> {
        const outcomes: (string | undefined)[] = [];
        for (const id of ids) outcomes.push(outcomeOf(await jobs.read(id)));
        return outcomes;
      },
      together: async (...ids: bigint[]) => (await Promise.all(ids.map((id) => jobs.read(id)))).map(outcomeOf),
      change: chain.change,
      make: (id: bigint) => void made.add(id),
      fund: chain.fundedAt,
      restart: () => {
        jobs = start();
      },
    };
  }
  const outcomeOf = (reading: JobReading | undefined) =>
    reading?.judgement.state === 'refused' ? reading.judgement.reason : reading?.judgement.state;
  const numbered = (id: bigint, changes: Partial<Job> = {}): Job => ({ ...job, id, ...changes });
  const delivered = { status: 'submitted', submittedAt: 1_900n } as const;

  test('the first of those that it was seen on', async () => {
    const { look } = seller([
      numbered(2n, { provider: address('9') }),
      numbered(3n, { status: 'open' }),
      numbered(7n),
      numbered(9n),
    ]);
    // An open copy of the description does not use up the offer; neither does one for another seller.
    expect(await look(3n, 2n, 9n, 7n, 9n, 11n)).toEqual([
      'job_not_funded',
      'not_our_job',
      'deliver',
      'deliver',
      'offer_used',
      undefined,
    ]);
  });

  test.each<[string, Partial<Job>]>([
    ['budget_too_low', { budget: 1n }],
    ['foreign_evaluator', { evaluator: address('9') }],
    ['foreign_hook', { hook: address('9') }],
    ['foreign_policy', { policy: address('9') }],
    ['foreign_token', { token: address('9') }],
    ['deadline_too_tight', { expiresAt: 2_659n }],
    ['offer_expired', {}],
    ['job_ended', { status: 'rejected' }],
    ['job_ended', { status: 'expired' }],
  ])('a copy of a lower number that is refused takes nothing: %s', async (reason, changes) => {
    const { look, restart, together } = seller(
      [numbered(3n, changes), numbered(7n)],
      new Map(reason === 'offer_expired' ? [[3n, 1_901n]] : []),
    );
    expect(await look(3n, 7n, 3n, 7n)).toEqual([reason, 'deliver', reason, 'deliver']);
    restart();
    expect(await together(3n, 7n)).toEqual([reason, 'deliver']);
  });

  test('a copy that is funded later takes it from no job that has been accepted, by a restart neither', async () => {
    const { look, change, fund, restart, together } = seller([numbered(3n, { status: 'open' }), numbered(7n)]);
    expect(await look(3n, 7n)).toEqual(['job_not_funded', 'deliver']);
    change(3n, { status: 'funded' });
    fund(3n, 1_501n);
    expect(await look(3n, 7n)).toEqual(['offer_used', 'deliver']);
    restart();
    await look(3n);
    expect(await look(7n, 3n)).toEqual(['deliver', 'offer_used']);
    restart();
    expect(await together(7n, 3n)).toEqual(['deliver', 'offer_used']);
  });

  test('where nobody can say who was funded first, who was found first keeps it', async () => {
    const unknown = new Map([
      [3n, undefined],
      [7n, undefined],
    ]);
    const { look } = seller([numbered(3n), numbered(7n)], unknown);
    expect(await look(7n, 3n, 7n)).toEqual(['deliver', 'offer_used', 'deliver']);
  });

  test('what has been delivered has used it for good, and a copy that comes to nothing has not', async () => {
    const { look, change, restart } = seller([numbered(3n), numbered(7n, delivered)]);
    expect(await look(3n, 7n, 3n)).toEqual(['deliver', 'delivered', 'offer_used']);
    restart();
    expect(await look(7n, 3n)).toEqual(['delivered', 'offer_used']);
    for (const status of ['completed', 'rejected', 'expired'] as const) {
      change(7n, { status });
      expect((await look(7n, 3n))[1]).toBe('offer_used');
    }

    // After a restart, the delivered job may not have been looked at yet.
    const again = seller([numbered(3n), numbered(7n, delivered), numbered(8n)]);
    again.make(7n);
    again.make(8n);
    expect(await again.look(3n)).toEqual(['offer_used']);
    expect(await again.together(3n, 8n)).toEqual(['offer_used', 'offer_used']);

    const other = seller([numbered(3n), numbered(7n)]);
    expect(await other.look(3n, 7n)).toEqual(['deliver', 'offer_used']);
    other.change(3n, { status: 'expired' });
    expect(await other.look(7n, 3n)).toEqual(['deliver', 'job_ended']);
  });

  test('however many are looked at together, one has it', async () => {
    const ids = [3n, 4n, 5n, 6n, 7n];
    const { together, look } = seller(ids.map((id) => numbered(id)));
    await together(...ids.toReversed());
    expect(await look(...ids)).toEqual(['deliver', ...ids.slice(1).map(() => 'offer_used')]);
  });
});
