import { AgentCard, type Message, Role, type Task, TaskState, verifyAgentCardSignature } from '@a2a-js/sdk';
import { ClientFactory } from '@a2a-js/sdk/client';
import { A2AClient } from 'a2a-sdk-03/client';
import express from 'express';
import { expect, test, vi } from 'vitest';
import { createCardSigner } from '../../src/api/a2a/signature.ts';
import { type A2aParts, createA2a } from '../../src/api/a2a.ts';
import { cardKeyOf } from '../../src/process/card-key.ts';
import type { JobReading } from '../../src/selling/jobs/jobs.ts';
import { createNotifyFunded } from '../../src/selling/jobs/negotiate.ts';
import { offer } from '../selling/jobs/jobs.ts';
import { keepLog } from './log.ts';
import { serve } from './serve.ts';

// Buyers waiting for a job. Each test sets the seller's view of job 7.

const hash = `0x${'d'.repeat(64)}` as const;
const manifest = { version: 1, job_id: 7, response: { content: '# GO' } };

async function start(changes: Partial<A2aParts> = {}) {
  let reading: JobReading | undefined;
  const say = (judgement: JobReading['judgement'], more: Partial<JobReading> = {}) => {
    const base = { id: 7n, status: 'funded', submittedAt: 0n, deliverable: hash } as const;
    reading = { ...base, ...more, judgement };
  };
  say({ state: 'deliver', offer });
  const jobs = { read: async (id: bigint) => (id === 7n ? reading : undefined), judge: () => expect.fail() };
  const store = {
    put: async () => {},
    byHash: async () => ({ hash, offerHash: offer.hash, manifest }),
    byOffer: async () => [],
  };
  const notifyFunded = createNotifyFunded(jobs, { add: () => {}, sweep: () => {} });
  const app = express();
  const url = await serve(app);
  const { card, rpc } = createA2a({
    tools: [],
    call: () => expect.fail(),
    seller: { negotiate: async () => ({}), notifyFunded },
    jobs: { jobs, store },
    log: keepLog(),
    version: '0.1.0',
    publicUrl: url,
    ...changes,
  });
  app.use('/.well-known/agent-card.json', card);
  app.use('/a2a', rpc);
  const deliver = () => say({ state: 'delivered' }, { status: 'submitted', submittedAt: 1_990n });
  const refuse = () => say({ state: 'refused', reason: 'deadline_too_tight' });
  return { url, say, deliver, refuse };
}

const notice = { skill: 'notify_funded', job_id: '7' };

/** The clients of both versions, used as a buyer would. */
async function modernClient(url: string) {
  const client = await new ClientFactory().createFromUrl(url);
  const part = { content: { $case: 'data' as const, value: notice }, metadata: undefined, filename: '', mediaType: '' };
  const ids = { messageId: 'm', contextId: '', taskId: '', extensions: [], referenceTaskIds: [] };
  const message = { ...ids, role: Role.ROLE_USER, parts: [part], metadata: undefined };
  const asked = (returnImmediately?: boolean) => ({
    ...{ message, tenant: '', metadata: undefined },
    configuration:
      returnImmediately === undefined
        ? undefined
        : {
            returnImmediately,
            acceptedOutputModes: [],
            historyLength: undefined,
            taskPushNotificationConfig: undefined,
          },
  });
  return {
    client,
    asked,
    send: (returnImmediately?: boolean): Promise<Message | Task> => client.sendMessage(asked(returnImmediately)),
  };
}

async function legacyClient(url: string) {
  const client = await A2AClient.fromCardUrl(`${url}/.well-known/agent-card.json`);
  const params = (configuration?: object) => ({
    message: {
      ...{ kind: 'message' as const, messageId: 'm', role: 'user' as const },
      parts: [{ kind: 'data' as const, data: notice }],
    },
    ...(configuration && { configuration }),
  });
  const send = async (configuration?: object) => {
    const answered = await client.sendMessage(params(configuration));
    return 'result' in answered ? answered.result : answered;
  };
  return { client, params, send };
}

async function rpc(url: string, method: string, params: object, version?: string) {
  const response = await fetch(`${url}/a2a`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(version && { 'a2a-version': version }) },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  return (await response.json()) as { result?: Record<string, unknown>; error?: { code: number } };
}

test('who does not ask for a task gets a message, whatever else it says', async () => {
  const { url } = await start();
  const legacy = await legacyClient(url);
  for (const configuration of [undefined, {}, { blocking: true }, { acceptedOutputModes: [] }]) {
    expect(await legacy.send(configuration), JSON.stringify(configuration)).toMatchObject({
      kind: 'message',
      parts: [{ data: { status: 'accepted', job_id: '7' } }],
    });
  }
  const modern = await modernClient(url);
  for (const returnImmediately of [undefined, false]) {
    expect(await modern.send(returnImmediately)).toMatchObject({
      parts: [{ content: { value: { status: 'accepted' } } }],
    });
  }
});

test('who asks for it gets the task of the job, in both versions, and follows it by its ID', async () => {
  const { url, deliver, refuse } = await start();
  const [modern, legacy] = [await modernClient(url), await legacyClient(url)];
  const get = () => modern.client.getTask({ tenant: '', id: 'job-7', historyLength: undefined });
  const getLegacy = async () => await legacy.client.getTask({ id: 'job-7' });
  expect(await modern.send(true)).toMatchObject({ id: 'job-7', status: { state: TaskState.TASK_STATE_WORKING } });
  expect(await legacy.send({ blocking: false })).toMatchObject({
    ...{ kind: 'task', id: 'job-7', status: { state: 'working' } },
  });
  deliver();
  expect(await get()).toMatchObject({
    status: { state: TaskState.TASK_STATE_COMPLETED },
    artifacts: [{ artifactId: hash, parts: [{ content: { value: manifest } }] }],
  });
  expect(await getLegacy()).toMatchObject({
    result: { status: { state: 'completed' }, artifacts: [{ parts: [{ kind: 'data', data: manifest }] }] },
  });
  refuse();
  expect(await get()).toMatchObject({ status: { state: TaskState.TASK_STATE_FAILED } });
  expect(await getLegacy()).toMatchObject({
    result: { status: { state: 'failed', message: { parts: [{ data: { reason: 'deadline_too_tight' } }] } } },
  });
});

test('a job that is refused at once is told by the message, also to who asks for a task', async () => {
  const { url, say } = await start();
  say({ state: 'refused', reason: 'foreign_client' });
  expect(await (await modernClient(url)).send(true)).toMatchObject({
    parts: [{ content: { value: { status: 'rejected', reason: 'foreign_client' } } }],
  });
  expect(await (await legacyClient(url)).send({ blocking: false })).toMatchObject({
    ...{ kind: 'message', parts: [{ data: { reason: 'foreign_client' } }] },
  });
});

test('what is no funded job has no task, and nobody can cancel or list one', async () => {
  const { url, deliver, say } = await start();
  expect((await rpc(url, 'CancelTask', { id: 'job-7' }, '1.0')).error).toMatchObject({ code: -32002 });
  expect((await rpc(url, 'tasks/cancel', { id: 'job-7' })).error).toMatchObject({ code: -32002 });
  expect(JSON.stringify(await rpc(url, 'ListTasks', {}, '1.0'))).not.toContain('job-7');
  for (const id of ['job-8', 'job-0', 'job-07', 'job-x', 'job--7', `job-${'9'.repeat(90)}`]) {
    expect((await rpc(url, 'GetTask', { id }, '1.0')).error, id).toMatchObject({ code: -32001 });
  }
  deliver();
  expect((await rpc(url, 'CancelTask', { id: 'job-7' }, '1.0')).error).toMatchObject({ code: -32002 });
  say({ state: 'refused', reason: 'job_not_funded' }, { status: 'open' });
  expect((await rpc(url, 'GetTask', { id: 'job-7' }, '1.0')).error).toMatchObject({ code: -32001 });
});

test('there are no streams and no notifications: the card says so, and whoever asks for one is refused', async () => {
  const printed = vi.spyOn(console, 'error');
  const { url } = await start();
  const { client, asked } = await modernClient(url);
  expect((await client.getAgentCard()).capabilities).toMatchObject({ streaming: false, pushNotifications: false });
  // A client that reads the card requests a message instead of a stream.
  for await (const { payload } of client.sendMessageStream(asked())) expect(payload?.$case).toBe('message');
  const legacy = await legacyClient(url);
  const stream = legacy.client.sendMessageStream(legacy.params());
  await expect(stream.next()).rejects.toThrow('does not support streaming');
  const message = { messageId: 'm', role: 'ROLE_USER', parts: [{ data: notice }] };
  for (const [method, version, code, params] of [
    ['SendStreamingMessage', '1.0', -32004, { message }],
    ['message/stream', undefined, -32004, legacy.params()],
    ['SubscribeToTask', '1.0', -32004, { id: 'job-7' }],
    ['CreateTaskPushNotificationConfig', '1.0', -32003, { taskId: 'job-7', url: 'https://example.org' }],
    [
      'SendMessage',
      '1.0',
      -32003,
      { message, configuration: { taskPushNotificationConfig: { url: 'https://a.org' } } },
    ],
    ['message/send', undefined, -32003, legacy.params({ pushNotificationConfig: { url: 'https://example.org' } })],
  ] as const) {
    expect((await rpc(url, method, params, version)).error, `${method} ${version}`).toMatchObject({ code });
  }
  expect((await rpc(url, 'SendMessage', { message }, '2.0')).error).toMatchObject({ code: -32009 });
  // The SDK prints a stack trace for anything that it refuses before it starts.
  expect(printed).not.toHaveBeenCalled();
});

test('the card is signed in every shape, by a key that a restart keeps', async () => {
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
