import { get } from 'node:http';
import { Role } from '@a2a-js/sdk';
import { ClientFactory } from '@a2a-js/sdk/client';
import { BowlineError, failure, success } from '@bowline/core/domain/result';
import { A2AClient } from 'a2a-sdk-03/client';
import express from 'express';
import { describe, expect, test, vi } from 'vitest';
import { createQuote } from '../../src/api/a2a/quote.ts';
import { createA2a } from '../../src/api/a2a.ts';
import { endpoints } from '../../src/api/http/endpoints.ts';
import { createContexts } from '../../src/ask/contexts.ts';
import type { Reply } from '../../src/selling/jobs/negotiate.ts';
import { callTool } from '../../src/tools/call.ts';
import { tools } from '../../src/tools/index.ts';
import { readPriced } from '../../src/tools/priced.ts';
import { assets } from '../ask/assets.ts';
import { world } from '../tools/world.ts';
import { keepLog } from './log.ts';
import { serve } from './serve.ts';

const seller = {
  negotiate: async (request: unknown): Promise<Reply> => ({ negotiated: request }),
  notifyFunded: async (jobId: unknown): Promise<Reply> => ({ status: 'accepted', job_id: jobId }),
};
const choices = [{ label: 'Price of BTCB', prompt: 'What is the price of BTCB?' }];
const answer = async (prompt: string) =>
  success({
    text: `You said ${prompt}`,
    tools: ['check_asset'],
    tickets: [],
    choices,
    answeredBy: 'embedded' as const,
  });

async function start(changes: Partial<Parameters<typeof createA2a>[0]> = {}) {
  const log = keepLog();
  const call = callTool(tools, world, vi.fn());
  const app = express();
  const url = await serve(app);
  const { card, rpc } = createA2a({
    tools,
    call,
    seller,
    answer,
    log,
    version: '0.1.0',
    publicUrl: url,
    ...changes,
  });
  app.use('/.well-known/agent-card.json', card);
  app.use('/a2a', rpc);
  app.use('/', rpc);
  return { url, log, call };
}

async function modern(url: string, data: unknown): Promise<unknown> {
  const client = await new ClientFactory().createFromUrl(url);
  const answered = await client.sendMessage({
    message: {
      messageId: 'm',
      role: Role.ROLE_USER,
      parts: [
        { content: { $case: 'data', value: data }, metadata: undefined, filename: '', mediaType: 'application/json' },
      ],
      contextId: '',
      taskId: '',
      extensions: [],
      metadata: undefined,
      referenceTaskIds: [],
    },
    tenant: '',
    configuration: undefined,
    metadata: undefined,
  });
  if (!('parts' in answered)) throw new Error('a task, not a message');
  const [first] = answered.parts;
  return first?.content?.$case === 'data' ? first.content.value : first;
}

async function legacy(url: string, data: Record<string, unknown>): Promise<unknown> {
  const client = await A2AClient.fromCardUrl(`${url}/.well-known/agent-card.json`);
  const answered = await client.sendMessage({
    message: { kind: 'message', messageId: 'm', role: 'user', parts: [{ kind: 'data', data }] },
  });
  if (!('result' in answered) || answered.result.kind !== 'message') throw new Error(JSON.stringify(answered));
  const [first] = answered.result.parts;
  return first?.kind === 'data' ? first.data : first;
}

async function post(url: string, body: unknown, headers: Record<string, string> = {}) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  return { status: response.status, body: (await response.json()) as Record<string, never> };
}

const old = (parts: unknown) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'message/send',
  params: { message: { kind: 'message', messageId: 'm', role: 'user', parts } },
});
const now = (parts: unknown) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'SendMessage',
  params: { message: { messageId: 'm', role: 'ROLE_USER', parts } },
});
const oldData = async (url: string, parts: unknown) => {
  const { body } = await post(url, old(parts));
  const message = body.result as unknown as { kind: string; role: string; parts: { kind: string; data: unknown }[] };
  expect(message).toMatchObject({ kind: 'message', role: 'agent' });
  expect(message.parts).toHaveLength(1);
  return message.parts[0]?.data;
};

describe('both generations of clients, over the card alone', () => {
  const asked: readonly [string, Record<string, unknown>, unknown][] = [
    [
      'negotiate',
      { skill: 'negotiate', task_description: 'Is BTCB fair?', terms: { deliverables: 'report' } },
      { negotiated: { task_description: 'Is BTCB fair?', terms: { deliverables: 'report' } } },
    ],
    ['negotiate, wrapped', { skill: 'negotiate', request: { a: 1 } }, { negotiated: { a: 1 } }],
    [
      'notify_funded',
      { skill: 'notify_funded', job_id: '12345678901234567890' },
      { status: 'accepted', job_id: '12345678901234567890' },
    ],
    [
      'ask',
      { skill: 'ask', prompt: 'hello' },
      {
        result: 'You said hello',
        facts: 'You said hello',
        comment: null,
        commentLeftOut: null,
        tools: ['check_asset'],
        tickets: [],
        choices,
        answeredBy: 'embedded',
      },
    ],
  ];
  test.each(asked)('%s', async (_name, data, expected) => {
    const { url } = await start();
    expect(await modern(url, data)).toEqual(expected);
    expect(await legacy(url, data)).toEqual(expected);
  });

  test('every tool is a skill, with the answer that it has everywhere', async () => {
    const { url, call } = await start();
    const expected = await call('check_asset', { asset: 'BTCB', amount_usd: '500' });
    expect(expected.ok).toBe(true);
    const data = { skill: 'check_asset', asset: 'BTCB', amount_usd: '500' };
    expect(await modern(url, data)).toEqual(expected.ok && expected.value);
    expect(await legacy(url, data)).toEqual(expected.ok && expected.value);
    expect(await modern(url, { skill: 'check_asset', asset: 'DOGE' })).toEqual({
      error: '"DOGE" is not listed. Listed: BTCB, USDT.',
      code: 'unknown_asset',
      retryable: false,
      skill: 'check_asset',
    });
  });
});

test('the card is of 0.3 and of 1.0 for whoever names no version, and of 1.0 alone for whoever names that', async () => {
  const { url } = await start();
  const plain = await fetch(`${url}/.well-known/agent-card.json`);
  const card = (await plain.json()) as { skills: { id: string; tags: string[] }[]; supportedInterfaces: unknown[] };
  expect(card).toMatchObject({
    name: 'Bowline',
    url: `${url}/a2a`,
    preferredTransport: 'JSONRPC',
    protocolVersion: '0.3',
  });
  expect(card.skills.map(({ id }) => id)).toEqual([
    'negotiate',
    'notify_funded',
    'ask',
    ...tools.map(({ name }) => name),
  ]);
  expect(card.skills[0]?.tags).toContain('erc8183');
  expect(card.supportedInterfaces).toHaveLength(2);
  expect(plain.headers.get('vary')).toBe('A2A-Version');
  const headers = { 'a2a-version': '1.0' };
  const modernCard = await (await fetch(`${url}/.well-known/agent-card.json`, { headers })).json();
  expect(modernCard).not.toHaveProperty('protocolVersion');
});

test('methods tell the version where the header is missing, or says a patch version', async () => {
  const { url } = await start();
  const data = [{ kind: 'data', data: { skill: 'notify_funded', job_id: 7 } }];
  const modernData = [{ data: { skill: 'notify_funded', job_id: 7 } }];
  const said = { status: 'accepted', job_id: 7 };
  for (const version of [undefined, '0.3', '0.3.0', '1.0', '1.0.1']) {
    const headers = version === undefined ? {} : { 'a2a-version': version };
    const { body } = await post(`${url}/a2a`, old(data), headers);
    expect(body, version).toMatchObject({ result: { kind: 'message', parts: [{ data: said }] } });
  }
  for (const version of [undefined, '1.0', '1.0.1']) {
    const headers = version === undefined ? {} : { 'a2a-version': version };
    const { body } = await post(`${url}/`, now(modernData), headers);
    expect(body, version).toMatchObject({ result: { message: { role: 'ROLE_AGENT', parts: [{ data: said }] } } });
  }
  const { body } = await post(`${url}/a2a`, now(modernData), { 'a2a-version': '2.0' });
  expect(body).toMatchObject({ id: 1, error: { code: -32009 } });
});

test('text is a question; nothing, other skills and data that is none are told what there is', async () => {
  const { url } = await start();
  expect(await oldData(`${url}/a2a`, [{ kind: 'text', text: 'Is BTCB fair?' }])).toMatchObject({
    result: 'You said Is BTCB fair?',
  });
  const skills = ['negotiate', 'notify_funded', 'ask', ...tools.map(({ name }) => name)];
  const hint = expect.stringContaining('data part');
  expect(await oldData(`${url}/a2a`, [{ kind: 'data', data: { skill: 'steal' } }])).toEqual({
    error: 'unknown skill: "steal"',
    skills,
    hint,
  });
  expect(await oldData(`${url}/a2a`, [{ kind: 'text', text: ' ' }])).toEqual({
    error: 'unknown skill: ""',
    skills,
    hint,
  });
  expect(
    await oldData(`${url}/a2a`, [{ kind: 'data', data: { skill: 'ask', prompt: 'x'.repeat(4_001) } }]),
  ).toMatchObject({
    code: 'invalid_prompt',
  });
});

test('where questions are paid for elsewhere, they are no skill here', async () => {
  const { url, call } = await start();
  const app = express();
  const other = await serve(app);
  const { card, rpc } = createA2a({
    tools,
    call,
    seller,
    log: keepLog(),
    version: '0.1.0',
    publicUrl: url,
  });
  app.use('/card', card);
  app.use('/a2a', rpc);
  const { skills } = (await (await fetch(`${other}/card`)).json()) as { skills: { id: string }[] };
  expect(skills.map(({ id }) => id)).not.toContain('ask');
  expect(await oldData(`${other}/a2a`, [{ kind: 'text', text: 'Is BTCB fair?' }])).toHaveProperty('hint');
});

test('what has a price is answered with its terms and the endpoint that sells it, whatever payment comes with it', async () => {
  const called = vi.fn();
  const known = callTool(tools, world, vi.fn());
  const call: typeof known = (name, input) => {
    called(name);
    return known(name, input);
  };
  const terms = vi.fn(async (resource: object) => ({ x402Version: 2, resource, accepts: [{ amount: '20' }] }));
  const asked = vi.fn(answer);
  const quote = createQuote({
    terms,
    read: (tool, input) => readPriced(tool, input, world.assets),
    isFree: (prompt) => prompt === 'hello',
    sold: { ask: endpoints.ask, check_asset: endpoints.verdict, draft_swap: endpoints.swapDraft },
    publicUrl: 'https://agent.example',
  });
  const { url } = await start({ call, quote, answer: asked });
  const sold = (method: string, path: string) => ({
    error: expect.stringContaining(`${method} https://agent.example${path}`),
    code: 'payment_required',
    retryable: false,
    endpoint: { method, url: `https://agent.example${path}` },
    required: { x402Version: 2, resource: { url: `https://agent.example${path}`, description: expect.any(String) } },
  });
  const owner = `0x${'1'.repeat(40)}`;
  const priced: readonly [object, object][] = [
    [{ kind: 'data', data: { skill: 'check_asset', asset: 'BTCB' } }, sold('GET', '/verdict')],
    [
      { kind: 'data', data: { skill: 'draft_swap', asset: 'BTCB', side: 'buy', amount_usd: 5, owner } },
      sold('POST', '/swap-draft'),
    ],
    [{ kind: 'data', data: { skill: 'ask', prompt: 'Is BTCB fair?' } }, sold('POST', '/x402')],
    [{ kind: 'text', text: 'Is BTCB fair?' }, sold('POST', '/x402')],
  ];
  for (const [part, expected] of priced) {
    const { params, ...rest } = old([part]);
    const metadata = { 'x402.payment.payload': { x402Version: 2 } };
    const { body } = await post(`${url}/a2a`, { ...rest, params: { message: { ...params.message, metadata } } });
    expect(body, JSON.stringify(part)).toMatchObject({ result: { kind: 'message', parts: [{ data: expected }] } });
  }
  expect(called).not.toHaveBeenCalled();
  expect(asked).not.toHaveBeenCalled();
  // A wrong request is reported before the terms; a free one is answered.
  const wrong = await modern(url, { skill: 'check_asset', asset: 'DOGE' });
  expect(wrong).toMatchObject({ code: 'unknown_asset', skill: 'check_asset' });
  expect(await modern(url, { skill: 'list_assets' })).toHaveProperty('assets');
  expect(await modern(url, { skill: 'ask', prompt: 'hello' })).toMatchObject({ result: 'You said hello' });
  expect(terms).toHaveBeenCalledTimes(priced.length);

  terms.mockRejectedValueOnce(
    new BowlineError('payment_unavailable', 'Payments are switched off.', { retryable: true }),
  );
  expect(await modern(url, { skill: 'check_asset', asset: 'BTCB' })).toEqual({
    status: 'retry',
    error: 'Payments are switched off.',
    code: 'payment_unavailable',
    retryable: true,
  });
  const { capabilities } = (await (await fetch(`${url}/.well-known/agent-card.json`)).json()) as Record<string, never>;
  expect(JSON.stringify(capabilities)).not.toContain('x402');
});

test('what goes wrong inside is logged, and told without its words', async () => {
  const broken = { ...seller, negotiate: () => Promise.reject(new Error('key 0xsecret')) };
  const { url, log } = await start({ seller: broken, answer: async () => failure('timeout', 'Too late.', true) });
  expect(await oldData(`${url}/a2a`, [{ kind: 'data', data: { skill: 'negotiate' } }])).toEqual({
    error: 'Internal error. It has been logged.',
    code: 'internal',
    retryable: false,
  });
  expect(JSON.stringify(log.lines)).toContain('0xsecret');
  expect(await oldData(`${url}/a2a`, [{ kind: 'text', text: 'hello' }])).toEqual({
    status: 'retry',
    error: 'Too late.',
    code: 'timeout',
    retryable: true,
    skill: 'ask',
  });
});

test('a message without parts, or with an empty one, is refused in both versions', async () => {
  const { url } = await start();
  for (const parts of [[], [{}], [{ kind: 'text' }], undefined]) {
    expect((await post(`${url}/a2a`, old(parts))).body, JSON.stringify(parts)).toMatchObject({
      error: { code: -32602 },
    });
    expect((await post(`${url}/a2a`, now(parts))).body, JSON.stringify(parts)).toMatchObject({
      error: { code: -32602 },
    });
  }
});

test('a file is refused, alone or beside what could be answered', async () => {
  const { url } = await start();
  const text = { kind: 'text', text: 'hi' };
  for (const file of [
    { kind: 'file', file: { uri: 'https://example.org/plan.pdf', mimeType: 'application/pdf' } },
    { kind: 'file', file: { bytes: 'aGk=', mimeType: 'text/plain' } },
  ]) {
    expect((await post(`${url}/a2a`, old([file]))).body).toMatchObject({ error: { code: -32005 } });
    expect((await post(`${url}/a2a`, old([text, file]))).body).toMatchObject({ error: { code: -32005 } });
  }
  for (const file of [{ url: 'https://example.org/plan.pdf' }, { raw: 'aGk=', mediaType: 'text/plain' }]) {
    expect((await post(`${url}/a2a`, now([{ text: 'hi' }, file]))).body).toMatchObject({
      error: { code: -32005, data: [{ reason: 'CONTENT_TYPE_NOT_SUPPORTED' }] },
    });
  }
});

test('a client that takes none of our formats is told so before any work; one that takes text gets text', async () => {
  const { url } = await start({ answer: async (prompt) => (prompt === 'never' ? Promise.reject() : answer(prompt)) });
  const asking = (acceptedOutputModes: string[], text = 'hi') => {
    const configuration = { acceptedOutputModes };
    const [legacyBody, modernBody] = [old([{ kind: 'text', text }]), now([{ text }])];
    return Promise.all([
      post(`${url}/a2a`, { ...legacyBody, params: { ...legacyBody.params, configuration } }),
      post(`${url}/a2a`, { ...modernBody, params: { ...modernBody.params, configuration } }),
    ]);
  };
  for (const { body } of await asking(['image/png'], 'never')) expect(body).toMatchObject({ error: { code: -32005 } });
  const reason = [{ reason: 'CONTENT_TYPE_NOT_SUPPORTED', domain: 'a2a-protocol.org' }];
  expect((await asking(['image/png']))[1]?.body).toMatchObject({ error: { data: reason } });
  for (const modes of [
    ['application/json'],
    ['text/plain', 'application/json; charset=utf-8'],
    ['*/*'],
    ['application/*'],
    [],
  ]) {
    const [legacyAnswer, modernAnswer] = await asking(modes);
    expect(legacyAnswer?.body, String(modes)).toMatchObject({ result: { parts: [{ kind: 'data' }] } });
    expect(modernAnswer?.body).toMatchObject({
      result: { message: { parts: [{ data: { answeredBy: 'embedded' } }] } },
    });
  }
  for (const modes of [['text/plain'], ['text', 'image/png']]) {
    const [legacyAnswer, modernAnswer] = await asking(modes);
    expect(legacyAnswer?.body, String(modes)).toMatchObject({
      result: { parts: [{ kind: 'text', text: 'You said hi' }] },
    });
    expect(modernAnswer?.body).toMatchObject({ result: { message: { parts: [{ text: 'You said hi' }] } } });
  }
});

test('the members of an answer in words are named as JSON of A2A is', async () => {
  const { url } = await start();
  const answered = await oldData(`${url}/a2a`, [{ kind: 'text', text: 'hi' }]);
  expect(Object.keys(answered as object).filter((name) => name.includes('_'))).toEqual([]);
});

/** Not `fetch`: it adds a header that makes every cached copy count as stale. */
const statusOf = (url: string, headers: Record<string, string>): Promise<number | undefined> =>
  new Promise((resolve) => {
    get(url, { headers }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
  });

test('the card has the shape of the version that is asked for, with what caches need', async () => {
  const { url } = await start();
  const cardOf = async (version?: string) => {
    const headers: Record<string, string> = version === undefined ? {} : { 'a2a-version': version };
    const response = await fetch(`${url}/.well-known/agent-card.json`, { headers });
    for (const name of ['cache-control', 'etag', 'vary']) expect(response.headers.get(name)).not.toBeNull();
    const again = { ...headers, 'if-none-match': response.headers.get('etag') ?? '' };
    expect(await statusOf(`${url}/.well-known/agent-card.json`, again)).toBe(304);
    return (await response.json()) as Record<string, unknown>;
  };
  const required = [
    'name',
    'description',
    'version',
    'capabilities',
    'defaultInputModes',
    'defaultOutputModes',
    'skills',
  ];
  for (const version of [undefined, '0.3']) {
    expect(await cardOf(version)).toMatchObject({
      url: `${url}/a2a`,
      preferredTransport: 'JSONRPC',
      protocolVersion: '0.3',
    });
  }
  const modernCard = await cardOf('1.0');
  expect(Object.keys(modernCard)).toEqual(expect.arrayContaining([...required, 'supportedInterfaces']));
  const ofOld = [
    'url',
    'protocolVersion',
    'preferredTransport',
    'additionalInterfaces',
    'supportsAuthenticatedExtendedCard',
  ];
  for (const name of ofOld) expect(modernCard).not.toHaveProperty(name);
  // A client that names no version can read the fields of either one.
  expect(Object.keys(await cardOf())).toEqual(expect.arrayContaining([...required, 'supportedInterfaces', 'url']));
});

test('bodies that are no request are refused in the words of JSON-RPC', async () => {
  const { url } = await start();
  const error = (code: number) => ({ error: { code } });
  expect((await post(`${url}/a2a`, '{')).body).toMatchObject(error(-32700));
  expect((await post(`${url}/a2a`, `"${'x'.repeat(70_000)}"`)).body).toMatchObject(error(-32700));
  expect(
    (await post(`${url}/a2a`, [old([{ kind: 'text', text: 'a' }]), old([{ kind: 'text', text: 'b' }])])).body,
  ).toMatchObject(error(-32600));
  expect((await post(`${url}/a2a`, { jsonrpc: '2.0', id: 1, method: 'tasks/steal', params: {} })).body).toMatchObject(
    error(-32601),
  );
  for (const body of ['5', 'null', '{}']) expect((await post(`${url}/a2a`, body)).body).toHaveProperty('error');
});

test('nothing is kept: there are no tasks to list', async () => {
  const { url } = await start();
  await modern(url, { skill: 'notify_funded', job_id: 1 });
  const list = { jsonrpc: '2.0', id: 1, method: 'ListTasks', params: {} };
  const { body } = await post(`${url}/a2a`, list, { 'a2a-version': '1.0' });
  expect(JSON.stringify(body)).not.toContain('notify_funded');
});

test('a question of a context is asked whole', async () => {
  const contexts = createContexts(
    assets,
    () => 'caller',
    () => 0,
  );
  const { url } = await start({ contexts });
  const say = async (text: string, contextId: string) => {
    const body = old([{ kind: 'text', text }]);
    const asked = { ...body, params: { message: { ...body.params.message, contextId } } };
    return JSON.stringify((await post(`${url}/a2a`, asked)).body);
  };
  const id = crypto.randomUUID();
  await say('should I sell?', id);
  expect(await say('WBNB', id)).toContain('You said Is WBNB fairly priced to sell?');
  expect(await say('WBNB', crypto.randomUUID())).toContain('You said WBNB');
});
