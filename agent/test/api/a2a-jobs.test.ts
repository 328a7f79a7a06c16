import { readdir, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { AgentCard, Role, TaskState, verifyAgentCardSignature } from '@a2a-js/sdk';
import { ClientFactory } from '@a2a-js/sdk/client';
import type { Timers } from '@bowline/core/domain/time';
import { A2AClient } from 'a2a-sdk-03/client';
import express from 'express';
import { expect, onTestFinished, test, vi } from 'vitest';
import { keptReceivers, openPushes } from '../../src/api/a2a/push.ts';
import { createCardSigner } from '../../src/api/a2a/signature.ts';
import { type A2aParts, createA2a } from '../../src/api/a2a.ts';
import { createPost } from '../../src/notify/post.ts';
import { cardKeyOf } from '../../src/process/card-key.ts';
import { openPrivateFiles } from '../../src/process/private-files.ts';
import type { JobReading } from '../../src/seller/jobs.ts';
import { createProgress } from '../../src/seller/progress.ts';
import type { Seller } from '../../src/seller/seller.ts';
import { newFolder } from '../folder.ts';
import { offer } from '../seller/jobs.ts';
import { keepLog } from './log.ts';
import { serve } from './serve.ts';

// AG-190 to AG-192: buyers who wait for a job. The seller's view of job 7 is what a test says.

const timers: Timers = {
  now: () => performance.now(),
  after(milliseconds, call) {
    const timer = setTimeout(call, milliseconds);
    return () => clearTimeout(timer);
  },
};
const hash = `0x${'d'.repeat(64)}` as const;
const manifest = { version: 1, job_id: 7, response: { content: '# GO' } };

/** @param given the folder of an earlier process. */
async function start(changes: Partial<A2aParts> = {}, given?: URL, now = 0, seller = 'us') {
  const folder = given ?? (await newFolder());
  let reading: JobReading | undefined;
  const say = (judgement: JobReading['judgement'], more: Partial<JobReading> = {}) => {
    const base = { id: 7n, now: 2_000n, status: 'funded', submittedAt: 0n, deliverable: hash } as const;
    reading = { ...base, ...more, judgement };
  };
  const jobs = { read: async (id: bigint) => (id === 7n ? reading : undefined), judge: () => expect.fail() };
  const store = {
    put: async () => {},
    byHash: async () => ({ hash, offerHash: offer.hash, manifest }),
    byOffer: async () => [],
  };
  const log = keepLog();
  const progress = createProgress(jobs, store, 'http://agent', timers);
  const post = createPost({ resolve: async () => [], isAllowed: (address) => address === '127.0.0.1' });
  const files = await openPrivateFiles(folder, keptReceivers, (file) => log.error('push.unreadable', { file }));
  say({ state: 'deliver', offer });
  const pushes = await openPushes({ files, seller, progress, post, timers, nowMs: () => Date.now() + now, log });
  onTestFinished(pushes.stop);
  const sells: Seller = {
    negotiate: async () => ({}),
    notifyFunded: async (id) => {
      const known = await progress.read(BigInt(id as string));
      return known?.state === 'working' || known?.state === 'delivered'
        ? { status: 'accepted', job_id: id }
        : { status: 'rejected', job_id: id, reason: known?.reason ?? 'job_unknown' };
    },
  };
  const app = express();
  const url = await serve(app);
  const isPushUrl = (text: string) => text.startsWith('http://127.0.0.1');
  const { card, rpc } = createA2a({
    tools: [],
    call: () => expect.fail(),
    seller: sells,
    log,
    version: '0.1.0',
    startedAt: 1_790_000_000n,
    publicUrl: url,
    jobs: { progress, pushes, isPushUrl },
    ...changes,
  });
  app.use('/.well-known/agent-card.json', card);
  app.use('/a2a', rpc);
  const deliver = () => {
    say({ state: 'delivered' }, { status: 'submitted', submittedAt: 1_990n });
    progress.tell(7n);
  };
  const refuse = () => {
    say({ state: 'refused', reason: 'deadline_too_tight' });
    progress.tell(7n);
  };
  return { url, say, deliver, refuse, log, folder, stop: pushes.stop };
}

const data = { skill: 'notify_funded', job_id: '7' };
const modernMessage = (value: unknown) => ({
  messageId: crypto.randomUUID(),
  role: Role.ROLE_USER,
  parts: [
    { content: { $case: 'data' as const, value }, metadata: undefined, filename: '', mediaType: 'application/json' },
  ],
  contextId: '',
  taskId: '',
  extensions: [],
  metadata: undefined,
  referenceTaskIds: [],
});
const modernRequest = (value: unknown = data) => ({
  message: modernMessage(value),
  tenant: '',
  configuration: undefined,
  metadata: undefined,
});
const legacyParams = (configuration?: object) => ({
  message: {
    kind: 'message' as const,
    messageId: crypto.randomUUID(),
    role: 'user' as const,
    parts: [{ kind: 'data' as const, data }],
  },
  ...(configuration && { configuration }),
});

async function rpc(url: string, method: string, params: object, version?: string) {
  const response = await fetch(`${url}/a2a`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(version && { 'a2a-version': version }) },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  return (await response.json()) as { result?: Record<string, unknown>; error?: { code: number } };
}

test('AG-190: who does not ask to wait gets today’s message, whatever else it says', async () => {
  const { url } = await start();
  for (const configuration of [undefined, { blocking: true }, { blocking: false }, { acceptedOutputModes: [] }]) {
    const { result } = await rpc(url, 'message/send', legacyParams(configuration));
    expect(result).toMatchObject({ kind: 'message', parts: [{ data: { status: 'accepted', job_id: '7' } }] });
  }
  const { result } = await rpc(
    url,
    'SendMessage',
    { message: { messageId: 'm', role: 'ROLE_USER', parts: [{ data }] } },
    '1.0',
  );
  expect(result).toMatchObject({ message: { parts: [{ data: { status: 'accepted' } }] } });
});

test('AG-190: by a stream of 1.0 comes the job’s task, the report, and its end', async () => {
  const { url, deliver } = await start();
  const client = await new ClientFactory().createFromUrl(url);
  const told: unknown[] = [];
  for await (const { payload } of client.sendMessageStream(modernRequest())) {
    if (payload === undefined) continue;
    told.push([payload.$case, payload.$case === 'message' ? undefined : payload.value]);
    if (payload.$case === 'task') deliver();
  }
  expect(told).toMatchObject([
    ['task', { id: 'job-7', status: { state: TaskState.TASK_STATE_WORKING } }],
    ['artifactUpdate', { taskId: 'job-7', artifact: { artifactId: hash, parts: [{ content: { value: manifest } }] } }],
    ['statusUpdate', { taskId: 'job-7', status: { state: TaskState.TASK_STATE_COMPLETED } }],
  ]);
});

test('AG-190: and by one of 0.3; a job that comes to nothing fails with its reason', async () => {
  const { url, refuse } = await start();
  const client = await A2AClient.fromCardUrl(`${url}/.well-known/agent-card.json`);
  const told: Record<string, unknown>[] = [];
  for await (const event of client.sendMessageStream(legacyParams())) {
    told.push(event as unknown as Record<string, unknown>);
    if (event.kind === 'task') refuse();
  }
  expect(told).toMatchObject([
    { kind: 'task', id: 'job-7', status: { state: 'working' } },
    {
      kind: 'status-update',
      final: true,
      status: { state: 'failed', message: { parts: [{ data: { reason: 'deadline_too_tight' } }] } },
    },
  ]);
});

test('AG-194: what cannot be answered is refused in a stream, too', async () => {
  const { url } = await start();
  const stream = async (params: object) => {
    const response = await fetch(`${url}/a2a`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'a2a-version': '1.0' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'SendStreamingMessage', params }),
    });
    return await response.text();
  };
  const message = { messageId: 'm', role: 'ROLE_USER', parts: [{ data }] };
  expect(await stream({ message: { ...message, parts: [] } })).toContain('-32602');
  expect(await stream({ message, configuration: { acceptedOutputModes: ['image/png'] } })).toContain('-32005');
});

test('AG-190: a job that is refused at once is told by the message, also in a stream', async () => {
  const { url, say } = await start();
  say({ state: 'refused', reason: 'foreign_client' });
  const client = await new ClientFactory().createFromUrl(url);
  const told = [];
  for await (const { payload } of client.sendMessageStream(modernRequest())) told.push(payload);
  expect(told).toMatchObject([
    { $case: 'message', value: { parts: [{ content: { value: { reason: 'foreign_client' } } }] } },
  ]);
});

test('AG-190: a task is what the chain says whenever it is asked for, and nobody can cancel or list it', async () => {
  const { url, deliver, refuse, say } = await start();
  const get = async () => (await rpc(url, 'GetTask', { id: 'job-7' }, '1.0')).result;
  expect(await get()).toMatchObject({ id: 'job-7', status: { state: 'TASK_STATE_WORKING' } });
  expect((await rpc(url, 'tasks/get', { id: 'job-7' })).result).toMatchObject({
    kind: 'task',
    status: { state: 'working' },
  });
  expect((await rpc(url, 'CancelTask', { id: 'job-7' }, '1.0')).error).toMatchObject({ code: -32002 });
  expect(JSON.stringify(await rpc(url, 'ListTasks', {}, '1.0'))).not.toContain('job-7');
  for (const id of ['job-8', 'job-0', 'job-07', 'job-x', 'job--7', `job-${'9'.repeat(90)}`]) {
    expect((await rpc(url, 'GetTask', { id }, '1.0')).error, id).toMatchObject({ code: -32001 });
  }
  deliver();
  expect(await get()).toMatchObject({
    status: { state: 'TASK_STATE_COMPLETED' },
    artifacts: [{ parts: [{ data: manifest }] }],
  });
  expect((await rpc(url, 'CancelTask', { id: 'job-7' }, '1.0')).error).toMatchObject({ code: -32002 });
  refuse();
  expect(await get()).toMatchObject({ status: { state: 'TASK_STATE_FAILED' } });
  // A job that is not funded is no task yet.
  say({ state: 'refused', reason: 'job_not_funded' }, { status: 'open' });
  expect((await rpc(url, 'GetTask', { id: 'job-7' }, '1.0')).error).toMatchObject({ code: -32001 });
});

test('AG-190: returnImmediately of 1.0 gets the task at once, and a subscription follows it', async () => {
  const { url, deliver } = await start();
  const configuration = { returnImmediately: true };
  const sent = await rpc(
    url,
    'SendMessage',
    { message: { messageId: 'm', role: 'ROLE_USER', parts: [{ data }] }, configuration },
    '1.0',
  );
  expect(sent.result).toMatchObject({ task: { id: 'job-7', status: { state: 'TASK_STATE_WORKING' } } });
  const client = await new ClientFactory().createFromUrl(url);
  const told: unknown[] = [];
  for await (const { payload } of client.resubscribeTask({ tenant: '', id: 'job-7' })) {
    told.push(payload?.$case);
    if (payload?.$case === 'task') deliver();
  }
  expect(told).toEqual(['task', 'artifactUpdate', 'statusUpdate']);
});

test('AG-190: those who wait are few enough: the eleventh for one job gets the message', async () => {
  const { url, deliver } = await start();
  const client = await new ClientFactory().createFromUrl(url);
  const first: unknown[] = [];
  const streams = Array.from({ length: 11 }, async () => {
    let begun = false;
    for await (const { payload } of client.sendMessageStream(modernRequest())) {
      if (!begun) first.push(payload?.$case);
      begun = true;
    }
  });
  await expect.poll(() => first.length).toBe(11);
  expect(first.filter((kind) => kind === 'message')).toHaveLength(1);
  deliver();
  await Promise.all(streams);
});

interface Received {
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: Record<string, unknown>;
}

async function receiver(answer = () => 200) {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    received.push({ headers: request.headers, body: JSON.parse(body) });
    response.writeHead(answer()).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { received, url: `http://127.0.0.1:${(server.address() as { port: number }).port}/hook` };
}

test('AG-191: an address for notifications is told once what became of the job, in its own version', async () => {
  const { url, deliver } = await start();
  const [old, modern] = [await receiver(), await receiver()];
  const pushNotificationConfig = { url: old.url, token: 'secret' };
  const sent = await rpc(url, 'message/send', legacyParams({ blocking: false, pushNotificationConfig }));
  expect(sent.result).toMatchObject({ kind: 'task', id: 'job-7', status: { state: 'working' } });
  const created = await rpc(url, 'CreateTaskPushNotificationConfig', { taskId: 'job-7', url: modern.url }, '1.0');
  expect(created.result).toMatchObject({ taskId: 'job-7', url: modern.url, id: expect.stringMatching(/./) });
  deliver();
  await expect.poll(() => [old.received.length, modern.received.length]).toEqual([2, 2]);
  expect(old.received[0]?.headers).toMatchObject({ 'x-a2a-notification-token': 'secret' });
  expect(modern.received.map(({ body }) => body)).toMatchObject([
    { artifactUpdate: { taskId: 'job-7', artifact: { parts: [{ data: manifest }] } } },
    { statusUpdate: { status: { state: 'TASK_STATE_COMPLETED' } } },
  ]);
  await sleep(100);
  expect(old.received).toHaveLength(2);
});

test('AG-191: no more than three addresses for a job, and none that is not public', async () => {
  const { url } = await start();
  const create = (to: string, taskId = 'job-7') =>
    rpc(url, 'CreateTaskPushNotificationConfig', { taskId, url: to }, '1.0');
  for (const to of ['http://10.0.0.1/', 'https://169.254.169.254/', 'ftp://example.org', 'gopher', '']) {
    expect((await create(to)).error, to).toMatchObject({ code: -32602 });
  }
  expect(
    (await rpc(url, 'message/send', legacyParams({ pushNotificationConfig: { url: 'http://10.0.0.1/' } }))).error,
  ).toMatchObject({ code: -32602 });
  for (let at = 0; at < 3; at++) expect(await create(`http://127.0.0.1:9/${at}`)).toHaveProperty('result');
  expect(await create('http://127.0.0.1:9/3')).toHaveProperty('error');
  expect((await create('http://127.0.0.1:9/', 'job-8')).error).toMatchObject({ code: -32001 });
  // The number of a job is public: nobody is shown who waits for it, and with what credentials.
  const { result } = await rpc(url, 'ListTaskPushNotificationConfigs', { taskId: 'job-7' }, '1.0');
  expect((result as { configs?: unknown[] }).configs ?? []).toEqual([]);
});

const register = async (url: string, to: string) =>
  (await rpc(url, 'CreateTaskPushNotificationConfig', { taskId: 'job-7', url: to, token: 'secret' }, '1.0')).result as {
    id: string;
  };

test('AG-258: who has registered is told after the process was killed, once, by a file that its user alone may read', async () => {
  const first = await start();
  const { received, url } = await receiver();
  await register(first.url, url);
  const [name = ''] = await readdir(first.folder);
  expect(name).toMatch(/^[0-9a-f]{64}\.json$/);
  expect((await stat(new URL(name, first.folder))).mode & 0o777).toBe(0o600);
  // A killed process tells nobody anything.
  first.stop();
  const second = await start({}, first.folder);
  await sleep(50);
  expect(received).toEqual([]);
  second.deliver();
  await expect.poll(() => received.length).toBe(2);
  expect(received[0]?.headers).toMatchObject({ 'x-a2a-notification-token': 'secret' });
  expect(received[1]?.body).toMatchObject({ statusUpdate: { status: { state: 'TASK_STATE_COMPLETED' } } });
  await expect.poll(() => readdir(first.folder)).toEqual([]);
  const third = await start({}, first.folder);
  third.deliver();
  await sleep(50);
  expect(received).toHaveLength(2);
});

test('AG-258: who was removed is not told after a restart, and the bounds of one job hold for those before it, too', async () => {
  const first = await start();
  const { received, url } = await receiver();
  const registered = await register(first.url, url);
  await rpc(first.url, 'DeleteTaskPushNotificationConfig', { taskId: 'job-7', id: registered.id }, '1.0');
  expect(await readdir(first.folder)).toEqual([]);
  for (let at = 0; at < 3; at++) expect(await register(first.url, `${url}/${at}`)).toHaveProperty('id');
  first.stop();
  const second = await start({}, first.folder);
  expect(await register(second.url, url)).toBeUndefined();
  second.deliver();
  await expect.poll(() => received.length).toBe(6);
  second.stop();
});

test('AG-258: a file that cannot be read is named and keeps nobody else waiting; one of a month ago is forgotten', async () => {
  const first = await start();
  const { received, url } = await receiver();
  await register(first.url, url);
  first.stop();
  // Job 7 of another escrow is another job.
  const other = await start({}, first.folder, 0, 'another seller');
  other.deliver();
  await sleep(50);
  other.stop();
  expect([received, await readdir(first.folder)]).toMatchObject([[], [expect.any(String)]]);
  await writeFile(new URL(`${'0'.repeat(64)}.json`, first.folder), '{"taskId":"job-7","receiv');
  const second = await start({}, first.folder);
  expect(second.log.lines.join()).toContain(`"file":"${'0'.repeat(64)}.json"`);
  second.stop();
  const late = await start({}, first.folder, 31 * 86_400_000);
  late.deliver();
  await expect.poll(() => readdir(first.folder)).toEqual([`${'0'.repeat(64)}.json`]);
  expect(received).toEqual([]);
});

test('AG-258: where the disk takes no files, nobody is registered', async () => {
  const { url, folder } = await start();
  await rm(folder, { recursive: true });
  expect(await register(url, 'http://127.0.0.1:9/')).toBeUndefined();
});

test('AG-192: the card is signed in every shape, by a key that a restart keeps', async () => {
  // The SDK prints each signature that does not verify.
  vi.spyOn(console, 'debug').mockImplementation(() => {});
  const secret = Buffer.alloc(32, 7);
  const { key, d } = cardKeyOf(secret);
  const { url } = await start({
    sign: createCardSigner({ ...key, d }, 'https://agent.example/.well-known/jwks.json'),
  });
  const verify = verifyAgentCardSignature(async (kid, jku) => {
    expect(jku).toBe('https://agent.example/.well-known/jwks.json');
    const again = cardKeyOf(secret).key;
    if (again.kid !== kid) throw new Error('another key');
    return again;
  });
  for (const version of ['1.0', '0.3', undefined]) {
    const headers: Record<string, string> = version === undefined ? {} : { 'a2a-version': version };
    const body = await (await fetch(`${url}/.well-known/agent-card.json`, { headers })).json();
    const card = AgentCard.fromJSON(body);
    await verify(card);
    await expect(verify({ ...card, description: 'Sends you money.' })).rejects.toThrow('No valid signatures');
  }
  const etags = await Promise.all(
    [1, 2].map(async () => (await fetch(`${url}/.well-known/agent-card.json`)).headers.get('etag')),
  );
  expect(etags[0]).toBe(etags[1]);
  expect(key).not.toHaveProperty('d');
  expect(cardKeyOf(Buffer.alloc(32, 8)).key.kid).not.toBe(key.kid);
});
