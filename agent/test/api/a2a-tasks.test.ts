import { readdirSync, readFileSync } from 'node:fs';
import { readdir, rm, stat, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Message, type Part, Role, type Task, TaskState } from '@a2a-js/sdk';
import {
  ClientFactory,
  DefaultAgentCardResolver,
  JsonRpcTransportFactory,
  ServiceParameters,
  withA2AExtensions,
} from '@a2a-js/sdk/client';
import type { Json, Payment, PaymentRail, Taken } from '@bowline/core/domain/payment';
import { failure, type Result, success } from '@bowline/core/domain/result';
import { createLimit } from '@bowline/http/rate-limit';
import { A2AClient } from 'a2a-sdk-03/client';
import express from 'express';
import { expect, test } from 'vitest';
import { PAYMENT_EXTENSION } from '../../src/api/a2a/card.ts';
import { createA2aTill } from '../../src/api/a2a/payment.ts';
import { keptTask, openTasks } from '../../src/api/a2a/tasks.ts';
import { createA2a } from '../../src/api/a2a.ts';
import { openEntries } from '../../src/payments/entries.ts';
import { openPaymentStore } from '../../src/payments/payment-store.ts';
import { createTill } from '../../src/payments/till.ts';
import { openPrivateFiles } from '../../src/process/private-files.ts';
import { newFolder } from '../folder.ts';
import { keepLog } from './log.ts';
import { serve } from './serve.ts';

// AG-253 to AG-257: tasks that ask for a payment, on the real till and real files. A payment is `NONCE` or, with a wrong signature,
// `NONCE/forged`; the facilitator, the chain and the work are what a test says. Killing a process is to begin another one on its files.

const hash = (digit: string): `0x${string}` => `0x${digit.repeat(64)}`;
const account = (digit: string): `0x${string}` => `0x${digit.repeat(40)}`;
const receipt = { success: true, transaction: hash('a') };
const paid: Taken = { state: 'paid', transaction: hash('a'), receipt };
const never = new Promise<never>(() => {});

interface Stubs {
  readonly settle?: () => Promise<Taken>;
  readonly look?: () => Promise<Taken>;
  readonly work?: () => Promise<Result<Json>>;
  readonly nowMs?: () => number;
  /** Paid answers in a minute. */
  readonly answers?: number;
  /** How long the disk takes for a task. */
  readonly diskMs?: number;
}

const authorization = {
  from: account('1'),
  to: account('2'),
  value: 1n,
  validAfter: 0n,
  validBefore: 1n,
  nonce: hash('3'),
};
function read(payload: unknown): Payment {
  const [key = '', signature = ''] = `${payload}`.split('/');
  const common = { key, id: `${payload}`, method: 'eip3009', asset: account('6'), digest: hash('4') } as const;
  return { ...common, authorization, signature: signature === 'forged' ? '0x06' : '0x05' };
}

async function start(
  folder: URL,
  { settle = async () => paid, look = settle, work, nowMs = Date.now, answers = 1_000, diskMs = 0 }: Stubs = {},
) {
  const log = keepLog();
  const settlement = { settle, look, progress: () => ({ since: 7n, transactions: [hash('8')] }) };
  const rail: PaymentRail = {
    ask: async () => ({ x402Version: 2, accepts: ['terms'] }),
    read,
    check: async ({ signature }) => (signature === '0x06' ? 'bad_signature' : undefined),
    open: async () => settlement,
    resume: () => settlement,
  };
  const store = await openPaymentStore(new URL('payments/', folder), (name) => expect.fail(name));
  const entries = await openEntries(store, () => settlement);
  const timers = {
    now: () => performance.now(),
    after: (_: number, then: () => void) => {
      setTimeout(then, 20);
      return () => {};
    },
  };
  const till = createTill({
    rail,
    entries,
    work: work ?? (async () => success({ verdict: 'GO' })),
    signCredit: async () => ({ owed: true }),
    timers: { ...timers, after: () => () => {} },
    log,
  });
  const files = await openPrivateFiles(new URL('tasks/', folder), keptTask, (file) =>
    log.error('task.unreadable', { file }),
  );
  const state = { caller: 'somebody' };
  const put: typeof files.put = async (...given) => {
    await sleep(diskMs);
    await files.put(...given);
  };
  const slow = { ...files, put };
  const tasks = await openTasks({ files: slow, callerNow: () => state.caller, nowMs, log });
  const limit = createLimit({ name: 'paid', requests: answers, seconds: 60 }, () => 0);
  const a2aTill = createA2aTill({
    till,
    tasks,
    timers,
    priced: ['check_asset'],
    isFree: () => false,
    read: (_tool, input) => success(JSON.stringify(input)),
    limit,
    promptLimit: limit,
    publicUrl: 'http://agent',
    showAnswer: (answer) => answer,
  });
  const app = express();
  const url = await serve(app);
  const parts = {
    tools: [],
    call: () => expect.fail(),
    version: '0.1.0',
    startedAt: 1n,
    publicUrl: url,
    log,
  };
  const pushes = { save: async () => {}, load: async () => [], delete: async () => {}, stop: () => {} };
  const progress = { read: async () => undefined, changed: async () => {}, tell: () => {} };
  const jobs = { progress, pushes, isPushUrl: () => false };
  const { card, rpc: router } = createA2a({ ...parts, till: a2aTill, jobs });
  app.use('/card', card);
  app.use('/a2a', router);
  const rpc = async (method: string, params: object) => {
    const response = await fetch(`${url}/a2a`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    });
    return (await response.json()) as { result: Shown; error?: { code: number } };
  };
  /** Asks, or pays for, a task. */
  const send = async (payment?: string, taskId?: string, asset = 'BNB') => {
    const metadata = payment === undefined ? {} : { 'x402.payment.payload': payment };
    const named = {
      kind: 'message',
      role: 'user',
      messageId: crypto.randomUUID(),
      metadata,
      ...(taskId && { taskId }),
    };
    const said =
      taskId === undefined
        ? [{ kind: 'data', data: { skill: 'check_asset', asset } }]
        : [{ kind: 'text', text: 'Paid.' }];
    return (await rpc('message/send', { message: { ...named, parts: said } })).result;
  };
  const get = async (id: string) => await rpc('tasks/get', { id });
  const kept = () => readdir(new URL('tasks/', folder));
  return { url, send, get, kept, state, tasks, till, log, store, rpc };
}

test('AG-194: a client that takes only text gets text for what is paid, too', async () => {
  const answers: Json[] = [{ verdict: 'GO' }, { result: 'BTCB is fair.' }];
  const { rpc } = await start(await newFolder(), { work: async () => success(answers.shift() ?? {}) });
  const ask = (payment?: string) => {
    const message = {
      kind: 'message',
      role: 'user',
      messageId: crypto.randomUUID(),
      metadata: payment === undefined ? {} : { 'x402.payment.payload': payment },
      parts: [{ kind: 'data', data: { skill: 'check_asset', asset: 'BNB' } }],
    };
    const configuration = { acceptedOutputModes: ['text/plain'], blocking: true };
    return rpc('message/send', { message, configuration });
  };
  const required = { x402Version: 2, accepts: ['terms'] };
  expect((await ask()).result.status).toMatchObject({
    state: 'input-required',
    message: {
      parts: [{ kind: 'text', text: JSON.stringify({ code: 'payment_required', required }) }],
      metadata: { 'x402.payment.required': required },
    },
  });
  for (const [payment, text] of [
    ['a', '{"verdict":"GO"}'],
    ['b', 'BTCB is fair.'],
  ] as const) {
    const { status, artifacts } = (await ask(payment)).result;
    expect(status).toMatchObject({ state: 'completed', message: { parts: [{ kind: 'text', text }] } });
    expect(artifacts).toMatchObject([{ parts: [{ kind: 'text', text }] }]);
  }
});

interface Shown {
  readonly id: string;
  readonly kind: string;
  readonly contextId: string;
  readonly history: readonly { readonly messageId: string }[];
  readonly status: {
    readonly state: string;
    readonly message: { readonly metadata: Json; readonly parts: readonly { data: Json }[] };
  };
  readonly artifacts?: readonly unknown[];
}

const told = ({ id, contextId, status, artifacts }: Shown) => ({
  id,
  contextId,
  state: status.state,
  metadata: status.message.metadata,
  data: status.message.parts[0]?.data,
  artifacts,
});

test('AG-253: a task that waits for a payment is there after the process was killed, and can be paid', async () => {
  const folder = await newFolder();
  const asked = await (await start(folder)).send();
  expect(asked).toMatchObject({ kind: 'task', status: { state: 'input-required' } });
  const second = await start(folder);
  const { result } = await second.get(asked.id);
  expect(told(result)).toEqual(told(asked));
  expect(result.history.map(({ messageId }) => messageId)).toEqual(asked.history.map(({ messageId }) => messageId));
  const done = await second.send('one', asked.id);
  expect(done).toMatchObject({
    id: asked.id,
    status: { state: 'completed' },
    artifacts: [{ parts: [{ data: { verdict: 'GO' } }] }],
  });
  const third = await start(folder);
  expect(told((await third.get(asked.id)).result)).toEqual(told(done));
  // The question that came with its payment at once is a task as well.
  const atOnce = await third.send('two');
  expect(told((await (await start(folder)).get(atOnce.id)).result)).toEqual(told(atOnce));
});

test('AG-253: of a task the message that asked is kept alone, however many come', async () => {
  const agent = await start(await newFolder());
  const { id, history } = await agent.send();
  for (let at = 0; at < 20; at++) await agent.send(undefined, id);
  expect((await agent.get(id)).result.history).toEqual(history);
  expect(await agent.kept()).toHaveLength(1);
});

test('AG-254: a task shows its payment as it is: being taken, unknown after a kill, answered once it is found', async () => {
  const folder = await newFolder();
  const first = await start(folder, { settle: () => never });
  const { id } = await first.send();
  void first.send('one', id).catch(() => {});
  await expect
    .poll(async () => (await first.get(id)).result.status)
    .toMatchObject({ state: 'working', message: { metadata: { 'x402.payment.status': 'payment-submitted' } } });
  let isPaid = false;
  const second = await start(folder, { look: async () => (isPaid ? paid : { state: 'unknown' }) });
  // Not `payment-failed`, which is final in the extension: a client would sign a second payment.
  expect((await second.get(id)).result.status).toMatchObject({
    state: 'working',
    message: {
      metadata: { 'x402.payment.status': 'payment-submitted' },
      parts: [{ data: { code: 'settlement_unknown', retryable: true } }],
    },
  });
  isPaid = true;
  await second.till.recover();
  expect((await second.get(id)).result).toMatchObject({
    status: { state: 'completed', message: { metadata: { 'x402.payment.receipts': [receipt] } } },
    artifacts: [{ parts: [{ data: { verdict: 'GO' } }] }],
  });
});

test('AG-254: what is owed for failed work is in the task after a kill, too', async () => {
  const folder = await newFolder();
  const first = await start(folder, { work: async () => failure('chain_unavailable', 'No answer.', true) });
  const { id } = await first.send();
  const failed = await first.send('one', id);
  expect(failed.status).toMatchObject({
    state: 'input-required',
    message: { parts: [{ data: { credit: { owed: true } } }] },
  });
  expect(told((await first.get(id)).result)).toEqual(told(failed));
  const second = await start(folder);
  expect((await second.get(id)).result.status).toMatchObject({
    state: 'input-required',
    message: {
      metadata: { 'x402.payment.status': 'payment-completed' },
      parts: [{ data: { credit: { owed: true } } }],
    },
  });
  expect((await second.send('one', id)).status.state).toBe('completed');
});

test('AG-254: the answer of an earlier payment is not hidden by a later one of unknown outcome', async () => {
  let [settled, worked]: [Taken, Result<Json>] = [paid, failure('chain_unavailable', 'No answer.', true)];
  const agent = await start(await newFolder(), { settle: async () => settled, work: async () => worked });
  const { id } = await agent.send();
  await agent.send('one', id);
  settled = { state: 'unknown' };
  const later = await agent.send('two', id);
  expect(later.status).toMatchObject({
    state: 'working',
    message: {
      metadata: { 'x402.payment.status': 'payment-submitted', 'x402.payment.receipts': [receipt] },
      parts: [{ data: { code: 'settlement_unknown' } }],
    },
  });
  worked = success({ verdict: 'GO' });
  await agent.send('one');
  expect((await agent.get(id)).result.status.state).toBe('completed');
});

test('AG-254: what a task shows of a payment of unknown outcome is not changed by the limit', async () => {
  const folder = await newFolder();
  const first = await start(folder, { settle: async () => ({ state: 'unknown' }) });
  const { id } = await first.send();
  const sent = await first.send('one', id);
  expect(sent.status).toMatchObject({
    state: 'working',
    message: {
      metadata: { 'x402.payment.status': 'payment-submitted' },
      parts: [{ data: { code: 'settlement_unknown' } }],
    },
  });
  const second = await start(folder, { settle: async () => ({ state: 'unknown' }), answers: 0 });
  expect(told(await second.send('one', id))).toEqual(told(sent));
});

test('PY-22: a payment that is proved is owed its answer, also where the limit is reached', async () => {
  const folder = await newFolder();
  const first = await start(folder, { work: () => never });
  const { id } = await first.send();
  void first.send('one', id).catch(() => {});
  await expect
    .poll(async () => (await first.get(id)).result.status)
    .toMatchObject({ message: { metadata: { 'x402.payment.status': 'payment-completed' } } });
  const second = await start(folder, { answers: 0 });
  // What the first told may not be on the disk yet.
  await expect
    .poll(async () => (await second.send('one', id)).status)
    .toMatchObject({
      state: 'input-required',
      message: {
        metadata: { 'x402.payment.status': 'payment-completed', 'x402.payment.receipts': [receipt] },
        parts: [{ data: { code: 'rate_limited', retryable: true, retry_after: 60 } }],
      },
    });
});

test('PY-22: a task has the receipts of all its payments, those that were declined too, also after a kill', async () => {
  const folder = await newFolder();
  const bad = { success: false, errorReason: 'bad_signature', transaction: '' };
  const receiptsOf = (task: Shown) => task.status.message.metadata['x402.payment.receipts'];
  const first = await start(folder);
  const { id } = await first.send();
  expect(receiptsOf(await first.send('one/forged', id))).toMatchObject([bad]);
  expect(receiptsOf(await first.send('two/forged', id))).toMatchObject([bad, bad]);
  expect(receiptsOf((await first.get(id)).result)).toMatchObject([bad, bad]);
  const second = await start(folder);
  expect(receiptsOf(await second.send(undefined, id))).toMatchObject([bad, bad]);
  const done = await second.send('three', id);
  expect(done.status.message.metadata).toMatchObject({
    'x402.payment.status': 'payment-completed',
    'x402.payment.receipts': [bad, bad, receipt],
  });
  expect(told((await (await start(folder)).get(id)).result)).toEqual(told(done));
  // Whoever has its ID fills neither the disk nor the answer.
  const other = await second.send();
  for (let at = 0; at < 20; at++) await second.send('four/forged', other.id);
  expect(receiptsOf((await second.get(other.id)).result)).toHaveLength(16);
});

test('AG-254: the file of a task names its payment before the facilitator has it', async () => {
  const folder = await newFolder();
  let seen = '';
  const settle = async () => {
    const tasks = new URL('tasks/', folder);
    for (const name of readdirSync(tasks)) seen += readFileSync(new URL(name, tasks), 'utf8');
    return paid;
  };
  const agent = await start(folder, { settle, diskMs: 200 });
  const { id } = await agent.send();
  await agent.send('one', id);
  expect(seen).toContain('"payments":["one"]');
});

test('AG-256: a task whose payment took nothing makes room like any other', async () => {
  const refused: Taken = { state: 'refused', reason: 'facilitator_refuses' };
  const agent = await start(await newFolder(), { settle: async () => refused });
  const { id } = await agent.send();
  expect((await agent.send('one', id)).status.state).toBe('input-required');
  for (let at = 0; at < 50; at++) await agent.send();
  await expect.poll(async () => (await agent.get(id)).error).toMatchObject({ code: -32001 });
});

test('AG-255: with a task of one’s own, another’s payment shows nothing', async () => {
  const folder = await newFolder();
  const agent = await start(folder);
  await agent.send('one');
  for (const [payment, asset] of [
    ['one/forged', 'BNB'],
    ['one', 'BTCB'],
  ] as const) {
    const stolen = await agent.send(undefined, undefined, asset);
    expect((await agent.send(payment, stolen.id)).status.state).toBe('input-required');
    for (const each of [agent, await start(folder)]) {
      const { result } = await each.get(stolen.id);
      expect(result.status.message.metadata).toMatchObject({ 'x402.payment.status': 'payment-required' });
      expect(JSON.stringify(result)).not.toContain('GO');
    }
  }
  for (const id of ['x', '../../payments/open/x', crypto.randomUUID(), 'job-1']) {
    expect((await agent.get(id)).error, id).toMatchObject({ code: -32001 });
  }
});

test('AG-259: who subscribes after a restart gets the task with its answer', async () => {
  const folder = await newFolder();
  const first = await start(folder, { work: () => never });
  const { id } = await first.send();
  void first.send('one', id).catch(() => {});
  await expect.poll(async () => (await first.get(id)).result.status.state).toBe('working');
  let finish = (_: Result<Json>) => {};
  const work = new Promise<Result<Json>>((resolve) => {
    finish = resolve;
  });
  const second = await start(folder, { work: () => work });
  const recovered = second.till.recover();
  await expect.poll(async () => (await second.get(id)).result.status.state).toBe('working');
  const client = await A2AClient.fromCardUrl(`${second.url}/card`);
  const states: string[] = [];
  for await (const event of client.resubscribeTask({ id })) {
    if (event.kind === 'task') states.push(event.status.state);
    finish(success({ verdict: 'GO' }));
  }
  expect(states).toEqual(['working', 'completed']);
  await recovered;
});

const message = () => ({
  messageId: 'm',
  role: 1,
  contextId: 'c',
  taskId: '',
  parts: [
    { content: { $case: 'text' as const, value: 'Is BNB fair?' }, mediaType: '', filename: '', metadata: undefined },
  ],
  extensions: [],
  metadata: undefined,
  referenceTaskIds: [],
});

/** The same bounds without disk, for very many tasks. */
async function inMemory(given = new Map<string, { value: never; writtenAt: number }>(), nowMs = () => 0) {
  const state = { caller: '' };
  const files = {
    put: async (id: string, value: unknown) => void given.set(id, { value: value as never, writtenAt: nowMs() }),
    read: async (id: string) => given.get(id)?.value,
    drop: async (id: string) => void given.delete(id),
    all: async () => [...given.values()],
  };
  const tasks = await openTasks({ files, callerNow: () => state.caller, nowMs, log: keepLog() });
  const begin = async (caller: string, id: string) => {
    state.caller = caller;
    await tasks.begin({ id, contextId: 'c', message: message() });
    return id;
  };
  return { tasks, begin, given };
}

test('AG-256: of 10,000 tasks of a stranger 50 are left, and those of others all; also after a restart', async () => {
  const { tasks, begin, given } = await inMemory();
  const others = await Promise.all(Array.from({ length: 30 }, (_, at) => begin(`other ${at % 10}`, `other ${at}`)));
  for (let at = 0; at < 10_000; at++) await begin('stranger', `${at}`);
  expect(given.size).toBe(80);
  for (const id of others) expect(await tasks.load(id), id).toBeDefined();
  expect([await tasks.load('9949'), (await tasks.load('9950'))?.id]).toEqual([undefined, '9950']);
  const again = await inMemory(given);
  await again.begin('stranger', 'one more');
  expect([given.size, await again.tasks.load('9950')]).toEqual([80, undefined]);
});

test('AG-256: a crowd of strangers leaves a thousand tasks, and of those who asked little all', async () => {
  const { tasks, begin, given } = await inMemory();
  await begin('honest', 'honest');
  for (let at = 0; at < 2_500; at++) await begin(`stranger ${at % 50}`, `${at}`);
  expect(given.size).toBe(1_000);
  expect(await tasks.load('honest')).toBeDefined();
});

test('AG-256: tasks at once leave no file behind', async () => {
  const folder = await newFolder();
  const agent = await start(folder);
  await Promise.all(Array.from({ length: 80 }, () => agent.send()));
  await expect.poll(async () => (await agent.kept()).length).toBe(50);
});

test('AG-256: a paid task makes no room for its caller’s others, and of copies of one payment three are held', async () => {
  const { tasks, begin, given } = await inMemory();
  await begin('payer', 'paid');
  await tasks.bind('paid', ['payment']);
  for (let at = 0; at < 200; at++) {
    await begin('thief', `copy ${at}`);
    await tasks.bind(`copy ${at}`, ['payment']);
    await begin('payer', `${at}`);
  }
  expect(await tasks.load('paid')).toMatchObject({ payments: ['payment'] });
  expect(given.size).toBe(1 + 2 + 50 + 50);
  // Nothing was taken: it is one of those that wait.
  const undo = await tasks.bind('199', ['other']);
  for (let at = 200; at < 260; at++) await begin('payer', `${at}`);
  expect(await tasks.load('199')).toBeDefined();
  undo();
  for (let at = 260; at < 310; at++) await begin('payer', `${at}`);
  expect(await tasks.load('199')).toBeUndefined();
});

test('AG-256: a message of over 16,000 characters is no task, and costs nothing', async () => {
  const agent = await start(await newFolder());
  const answer = await agent.send('one', undefined, 'x'.repeat(16_000));
  expect(answer).toMatchObject({ kind: 'message', parts: [{ data: { code: 'invalid_input', retryable: false } }] });
  expect([await agent.kept(), await agent.store.find('one')]).toEqual([[], undefined]);
});

test('AG-256: after a day a task goes unless its payment is known', async () => {
  let now = 0;
  const { tasks, begin } = await inMemory(undefined, () => now);
  for (const id of ['unpaid', 'paid', 'refused']) await begin('payer', id);
  await tasks.bind('paid', ['known']);
  await tasks.bind('refused', ['unknown']);
  const isKnown = async (payment: string) => payment === 'known';
  now = 86_400_000;
  await tasks.prune(isKnown);
  expect(await tasks.load('unpaid')).toBeDefined();
  now += 1;
  await tasks.prune(isKnown);
  expect([await tasks.load('unpaid'), await tasks.load('refused')]).toEqual([undefined, undefined]);
  expect(await tasks.load('paid')).toBeDefined();
});

test('AG-257: a file is for its user alone, without a name from outside; one that cannot be read is named, and the rest works', async () => {
  const folder = await newFolder();
  const first = await start(folder);
  const [one, other] = [await first.send(), await first.send()];
  const names = await first.kept();
  for (const name of names) {
    expect(name).toMatch(/^[0-9a-f]{64}\.json$/);
    expect((await stat(new URL(`tasks/${name}`, folder))).mode & 0o777).toBe(0o600);
  }
  await writeFile(new URL(`tasks/${names[0]}`, folder), '{"id":');
  const second = await start(folder);
  expect(second.log.lines.join()).toContain(`"file":"${names[0]}"`);
  const found = await Promise.all([one.id, other.id].map((id) => second.get(id)));
  expect(found.filter(({ error }) => error === undefined)).toHaveLength(1);
  expect((await second.send()).kind).toBe('task');
});

test('AG-257: where the disk takes no files there is no task, and nothing is taken', async () => {
  const folder = await newFolder();
  const agent = await start(folder);
  await rm(new URL('tasks/', folder), { recursive: true });
  for (const payment of [undefined, 'one']) {
    const { kind, ...answer } = await agent.send(payment);
    expect({ kind, ...answer }).toMatchObject({
      kind: 'message',
      parts: [{ data: { code: 'payment_unavailable', retryable: true } }],
    });
  }
  expect(await agent.store.find('one')).toBeUndefined();
  expect(agent.log.lines.join()).toContain('task.not_kept');
});

/** What a client without knowledge of us sends: the ecosystem's own client, with x402's extension activated, or not. */
async function standardClient(url: string, version: '1.0' | '0.3', activated: boolean) {
  const answered: (string | null)[] = [];
  const fetchImpl: typeof fetch = async (input, init) => {
    const response = await fetch(input, init);
    answered.push(response.headers.get(version === '0.3' ? 'x-a2a-extensions' : 'a2a-extensions'));
    return response;
  };
  const legacyCompat = { enabled: true };
  const card = await new DefaultAgentCardResolver({ legacyCompat }).resolve(url, 'card');
  expect(card.capabilities?.extensions).toMatchObject([{ uri: PAYMENT_EXTENSION, required: false }]);
  const supportedInterfaces = card.supportedInterfaces.filter(({ protocolVersion }) => protocolVersion === version);
  const transports = [new JsonRpcTransportFactory({ fetchImpl, legacyCompat })];
  const client = await new ClientFactory({ transports }).createFromAgentCard({ ...card, supportedInterfaces });
  const options = activated
    ? { serviceParameters: ServiceParameters.create(withA2AExtensions(PAYMENT_EXTENSION)) }
    : undefined;
  const part = (content: Part['content']): Part => ({ content, mediaType: '', filename: '', metadata: undefined });
  const send = async (content: Part['content'], metadata: Message['metadata'], task?: Task) => {
    const ids = { messageId: crypto.randomUUID(), taskId: task?.id ?? '', contextId: task?.contextId ?? '' };
    const message = { ...ids, role: Role.ROLE_USER, parts: [part(content)], metadata, extensions: [] };
    const request = { message: { ...message, referenceTaskIds: [] }, configuration: undefined, metadata: undefined };
    return (await client.sendMessage({ ...request, tenant: '' }, options)) as Task;
  };
  return { send, answered, protocolVersion: client.protocolVersion };
}

const question = { $case: 'data', value: { skill: 'check_asset', asset: 'BNB' } } as const;
const words = { $case: 'text', value: 'Here is the payment.' } as const;

test.each(['1.0', '0.3'] as const)(
  'AG-277: the standard client of A2A %s activates the extension, is told so, and pays by it',
  async (version) => {
    const agent = await start(await newFolder());
    const { send, answered, protocolVersion } = await standardClient(agent.url, version, true);
    expect(protocolVersion).toBe(version);
    const asked = await send(question, undefined);
    expect(asked.status).toMatchObject({
      state: TaskState.TASK_STATE_INPUT_REQUIRED,
      message: { metadata: { 'x402.payment.status': 'payment-required', 'x402.payment.required': { x402Version: 2 } } },
    });
    const payment = { 'x402.payment.status': 'payment-submitted', 'x402.payment.payload': 'one' };
    const done = await send(words, payment, asked);
    expect(done.id).toBe(asked.id);
    expect(done.status).toMatchObject({
      state: TaskState.TASK_STATE_COMPLETED,
      message: { metadata: { 'x402.payment.status': 'payment-completed', 'x402.payment.receipts': [receipt] } },
    });
    expect(answered).toEqual([PAYMENT_EXTENSION, PAYMENT_EXTENSION]);
  },
);

test('AG-277: who activates nothing is told of nothing, and asked for the payment all the same', async () => {
  const agent = await start(await newFolder());
  const { send, answered } = await standardClient(agent.url, '1.0', false);
  expect((await send(question, undefined)).status?.state).toBe(TaskState.TASK_STATE_INPUT_REQUIRED);
  expect(answered).toEqual([null]);
  // x402's text names 0.3's header, whatever the version; other extensions are not ours to confirm.
  const headers = { 'content-type': 'application/json', 'x-a2a-extensions': `urn:other, ${PAYMENT_EXTENSION}` };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'GetTask', params: { id: 'none' } });
  const response = await fetch(`${agent.url}/a2a`, { method: 'POST', headers, body });
  expect(response.headers.get('x-a2a-extensions')).toBe(PAYMENT_EXTENSION);
  const other = await fetch(`${agent.url}/a2a`, {
    method: 'POST',
    headers: { ...headers, 'x-a2a-extensions': 'urn:other' },
    body,
  });
  expect(other.headers.get('x-a2a-extensions')).toBeNull();
});

test('AG-278: a refused payment has its receipt and the extension’s own word, and the task can still be paid', async () => {
  const agent = await start(await newFolder());
  const { id } = await agent.send();
  const { status } = await agent.send('one/forged', id);
  expect(status).toMatchObject({
    state: 'input-required',
    message: {
      parts: [{ data: { code: 'payment_refused', reason: 'bad_signature' } }],
      metadata: {
        'x402.payment.status': 'payment-failed',
        'x402.payment.error': 'INVALID_SIGNATURE',
        'x402.payment.receipts': [{ success: false, errorReason: 'bad_signature', transaction: '' }],
      },
    },
  });
  expect((await agent.send('one', id)).status.state).toBe('completed');
});

test('AG-278: who declines is told so and may still pay; a task that is being paid asks for no second payment', async () => {
  const { promise: taken, resolve: pay } = Promise.withResolvers<Taken>();
  const agent = await start(await newFolder(), { settle: () => taken });
  const { send } = await standardClient(agent.url, '0.3', true);
  const asked = await send(question, undefined);
  const declined = await send(words, { 'x402.payment.status': 'payment-rejected' }, asked);
  expect(declined.status).toMatchObject({
    state: TaskState.TASK_STATE_INPUT_REQUIRED,
    message: { metadata: { 'x402.payment.status': 'payment-rejected', 'x402.payment.required': { x402Version: 2 } } },
  });
  const paying = agent.send('one', asked.id);
  await expect.poll(async () => (await agent.get(asked.id)).result.status.state, { timeout: 20_000 }).toBe('working');
  expect((await agent.send(undefined, asked.id)).status).toMatchObject({
    state: 'working',
    message: { metadata: { 'x402.payment.status': 'payment-submitted' } },
  });
  pay(paid);
  // The SDK may give the one who pays what it gave the other.
  expect((await paying).status.state).not.toBe('input-required');
  await expect.poll(async () => (await agent.get(asked.id)).result.status.state, { timeout: 20_000 }).toBe('completed');
});
