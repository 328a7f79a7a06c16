import { request as rawRequest } from 'node:http';
import { gzipSync } from 'node:zlib';
import type { Answer } from '@bowline/core/domain/answer';
import { type FailureCode, failure, type Result, success } from '@bowline/core/domain/result';
import { callerNow } from '@bowline/http/caller';
import type { Response as ExpressResponse } from 'express';
import { expect, test, vi } from 'vitest';
import { type Endpoint, endpoints } from '../../src/api/http/endpoints.ts';
import { createApp, type HttpParts } from '../../src/api/http.ts';
import type { Turn } from '../../src/ask/by-model.ts';
import { createContexts } from '../../src/ask/contexts.ts';
import { assets } from '../ask/assets.ts';
import { limitsOf } from './limits.ts';
import { keepLog } from './log.ts';
import { serve } from './serve.ts';

const choices = [{ label: 'Price of BTCB', prompt: 'What is the price of BTCB?' }];
const answered: Result<Answer> = success({
  text: 'Yes.',
  tools: ['get_price'],
  tickets: [],
  choices,
  answeredBy: 'embedded',
});

async function start({ nowMs, ...changes }: Partial<HttpParts> & { readonly nowMs?: () => number } = {}) {
  const answer = vi.fn(async (_prompt: string, _previous?: readonly Turn[]) => answered);
  const log = keepLog();
  const mcp: HttpParts['mcp'] = (_request, response) => void response.json({ mcp: true });
  const rpc: HttpParts['mcp'] = (_request, response) => void response.json({ a2a: true });
  const limits = limitsOf(nowMs && { nowMs });
  const a2a = { card: rpc, rpc };
  const allowedHosts = ['127.0.0.1', 'agent.example'];
  const url = await serve(createApp({ answer, limits, mcp, a2a, allowedHosts, log, ...changes }));
  const post = (
    body: string | Blob | Uint8Array<ArrayBuffer>,
    headers: Record<string, string> = { 'content-type': 'application/json' },
  ) => fetch(`${url}/x402`, { method: 'POST', body, headers });
  const ask = (prompt: unknown) => post(JSON.stringify({ prompt }));
  return { url, post, ask, answer, log };
}

async function expectProblem(response: Response, status: number, code: string) {
  const body = await response.text();
  expect(response.headers.get('content-type'), body).toMatch(/^application\/problem\+json/);
  expect(JSON.parse(body)).toEqual({
    type: `/docs/problems.html#${code}`,
    title: expect.stringMatching(/^[A-Z]/),
    status,
    code,
    detail: expect.stringMatching(/\.$/),
  });
  expect(response.status).toBe(status);
  return body;
}

test('GET /ping', async () => {
  const { url } = await start();
  const response = await fetch(`${url}/ping`);
  expect(response.status).toBe(200);
  expect(await response.json()).toEqual({ status: 'HEALTHY' });
  expect(response.headers.has('x-powered-by')).toBe(false);
});

test('GET /x402 says what it costs and how much one may ask', async () => {
  const { url } = await start();
  expect(await (await fetch(`${url}/x402`)).json()).toMatchObject({
    price_usd: 0,
    limit: { requests: 20, seconds: 60 },
    max_prompt_chars: 4_000,
  });
});

test('POST /x402 answers a prompt', async () => {
  const { ask, answer } = await start();
  const response = await ask('How much is BTCB?');
  expect(response.status).toBe(200);
  expect(await response.json()).toEqual({
    result: 'Yes.',
    facts: 'Yes.',
    comment: null,
    comment_left_out: null,
    tools: ['get_price'],
    tickets: [],
    choices,
    answered_by: 'embedded',
  });
  expect(answer).toHaveBeenCalledExactlyOnceWith('How much is BTCB?', undefined);
});

test('what is not a prompt', async () => {
  const { post, ask, answer } = await start();
  for (const prompt of [undefined, null, '', ' \n', 5, ['x'], {}, 'x'.repeat(4_001)]) {
    await expectProblem(await ask(prompt), 400, 'invalid_prompt');
  }
  for (const body of ['5', 'null', '"prompt"', '[]']) await expectProblem(await post(body), 400, 'invalid_prompt');
  expect(answer).not.toHaveBeenCalled();
});

test('no body at all has no prompt', async () => {
  const { url } = await start();
  await expectProblem(await fetch(`${url}/x402`, { method: 'POST' }), 400, 'invalid_prompt');
});

test('the longest prompt, counted in characters', async () => {
  const { ask, answer } = await start();
  expect((await ask('x'.repeat(4_000))).status).toBe(200);
  expect((await ask('😀'.repeat(4_000))).status).toBe(200);
  expect(answer).toHaveBeenCalledTimes(2);
});

test('what is not JSON', async () => {
  const { post } = await start();
  for (const body of ['{', '{"prompt": "x"', "{'prompt': 'x'}", 'prompt=x']) {
    const text = await expectProblem(await post(body), 400, 'invalid_json');
    expect(text).not.toMatch(/position|Unexpected|\bat\b/);
  }
  const badGzip = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
  await expectProblem(await post('not gzip', badGzip), 400, 'invalid_json');
});

test('other media types', async () => {
  const { post } = await start();
  const json = '{"prompt":"x"}';
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/jsonx']) {
    await expectProblem(await post(json, { 'content-type': type }), 415, 'unsupported_media_type');
  }
  await expectProblem(await post(new Blob([json]), {}), 415, 'unsupported_media_type');
  const odd = { 'content-type': 'application/json; charset=latin1' };
  await expectProblem(await post(json, odd), 415, 'unsupported_media_type');
  const encoded = { 'content-type': 'application/json', 'content-encoding': 'zip' };
  await expectProblem(await post(json, encoded), 415, 'unsupported_media_type');
  expect((await post(json, { 'content-type': 'application/json; charset=utf-8' })).status).toBe(200);
});

test('a body of 64 kB is read, one byte more is not', async () => {
  const { post } = await start();
  const body = (bytes: number) => `${' '.repeat(bytes - 14)}{"prompt":"x"}`;
  expect((await post(body(65_536))).status).toBe(200);
  await expectProblem(await post(body(65_537)), 413, 'body_too_large');
  // Small when compressed, but too large once decompressed.
  const gzip = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
  await expectProblem(await post(gzipSync(body(1_000_000)), gzip), 413, 'body_too_large');
});

test('other methods are told which there are', async () => {
  const { url } = await start();
  for (const method of ['PUT', 'DELETE', 'PATCH', 'OPTIONS']) {
    const response = await fetch(`${url}/x402`, { method });
    await expectProblem(response, 405, 'method_not_allowed');
    expect(response.headers.get('allow')).toBe('GET, HEAD, POST');
  }
  const response = await fetch(`${url}/ping`, { method: 'POST' });
  await expectProblem(response, 405, 'method_not_allowed');
  expect(response.headers.get('allow')).toBe('GET, HEAD');
});

test.each([...new Set(Object.values(endpoints).map(({ path }) => path))])('%s names its methods', async (path) => {
  const { url } = await start();
  const taken = Object.values(endpoints).filter((endpoint) => endpoint.path === path);
  const methods = taken.flatMap(({ method }) => (method === 'get' ? ['GET', 'HEAD'] : ['POST']));
  for (const method of ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS']) {
    const response = await fetch(url + path.replace(/:\w+/, '1'), { method });
    await response.body?.cancel();
    // This app has no tools or jobs behind some paths, so 404 is fine too.
    if (methods.includes(method)) expect([200, 400, 404, 415], method).toContain(response.status);
    else expect([method, response.status, response.headers.get('allow')]).toEqual([method, 405, methods.join(', ')]);
  }
});

// AG-28
test('a page of an allowed origin may call every route and read what it needs', async () => {
  const { url } = await start();
  const origin = 'https://agent.example';
  const asks = {
    origin,
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'content-type,payment-signature,mcp-protocol-version',
  };
  for (const path of ['/mcp', '/a2a', '/', '/x402', '/verdict', '/swap-draft', '/evidence/0x12', '/llms.txt']) {
    const isForAll = ['/x402', '/verdict', '/llms.txt'].includes(path);
    const preflight = await fetch(url + path, { method: 'OPTIONS', headers: asks });
    expect(preflight.status, path).toBe(204);
    expect(preflight.headers.get('access-control-allow-origin')).toBe(origin);
    expect(preflight.headers.get('access-control-allow-methods')).toContain('POST');
    expect(preflight.headers.get('access-control-allow-headers')).toBe(asks['access-control-request-headers']);
    expect(preflight.headers.get('access-control-allow-credentials')).toBeNull();
    const answer = await fetch(url + path, { headers: { origin } });
    await answer.body?.cancel();
    expect(answer.headers.get('access-control-allow-origin'), path).toBe(isForAll ? '*' : origin);
    expect(answer.headers.get('vary')).toMatch(/\bOrigin\b/);
    const exposed = answer.headers.get('access-control-expose-headers')?.split(', ');
    for (const header of ['PAYMENT-REQUIRED', 'PAYMENT-RESPONSE', 'Mcp-Session-Id', 'Retry-After', 'ETag']) {
      expect(exposed).toContain(header);
    }
  }
});

// AG-28
test('other origins and callers without one are told nothing about it', async () => {
  const { url } = await start();
  const headers = { origin: 'https://evil.example', 'access-control-request-method': 'POST' };
  const preflight = await fetch(`${url}/mcp`, { method: 'OPTIONS', headers });
  await expectProblem(preflight, 403, 'host_not_allowed');
  for (const response of [preflight, await fetch(`${url}/ping`)]) {
    expect([...response.headers.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([]);
  }
});

// AG-28
test('a page of any origin may read documents of discovery and what a GET sells, and send nothing else', async () => {
  const { url } = await start();
  const page = { origin: 'https://evil.example' };
  const open = Object.values<Endpoint>(endpoints).filter(({ isOpen }) => isOpen);
  expect(open.map(({ path }) => path)).toEqual(
    expect.arrayContaining(['/.well-known/agent-card.json', '/openapi.json', '/llms.txt', '/x402', '/verdict']),
  );
  const asks = { ...page, 'access-control-request-headers': 'payment-signature' };
  for (const { path } of open) {
    const answer = await fetch(url + path, { headers: page });
    await answer.body?.cancel();
    expect(answer.status, path).not.toBe(403);
    expect(answer.headers.get('access-control-allow-origin'), path).toBe('*');
    expect(answer.headers.get('access-control-expose-headers')).toMatch(/PAYMENT-REQUIRED, PAYMENT-RESPONSE/);
    const get = { ...asks, 'access-control-request-method': 'GET' };
    const preflight = await fetch(url + path, { method: 'OPTIONS', headers: get });
    expect([preflight.status, preflight.headers.get('access-control-allow-origin')], path).toEqual([204, '*']);
    expect(preflight.headers.get('access-control-allow-headers')).toBe('payment-signature');
    const post = { ...asks, 'access-control-request-method': 'POST' };
    await expectProblem(await fetch(url + path, { method: 'OPTIONS', headers: post }), 403, 'host_not_allowed');
  }
  for (const [method, path] of [
    ['POST', '/x402'],
    ['POST', '/mcp'],
    ['POST', '/a2a'],
    ['POST', '/swap-draft'],
    ['GET', '/ready'],
    ['GET', '/evidence/0x12'],
    ['DELETE', '/llms.txt'],
  ] as const) {
    await expectProblem(await fetch(url + path, { method, headers: page }), 403, 'host_not_allowed');
  }
});

test('the agent card is found at its address of before, too', async () => {
  const { url } = await start();
  const moved = await fetch(`${url}/.well-known/agent.json`, { redirect: 'manual' });
  expect([moved.status, moved.headers.get('location')]).toEqual([308, '/.well-known/agent-card.json']);
});

test('every answer says that it is no page, errors too', async () => {
  const { url } = await start();
  const secure = await start({ publicUrl: 'https://agent.example' });
  for (const path of ['/ping', '/x402', '/nothing']) {
    const { headers } = await fetch(url + path);
    expect(headers.get('content-security-policy')).toBe("default-src 'none'; frame-ancestors 'none'");
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('cross-origin-resource-policy')).toBe('same-origin');
    expect(headers.get('strict-transport-security')).toBeNull();
    expect((await fetch(secure.url + path)).headers.get('strict-transport-security')).toBe('max-age=31536000');
  }
  // Also sent to a caller whose origin is refused.
  const stranger = await fetch(`${secure.url}/ping`, { headers: { origin: 'https://evil.example' } });
  expect(stranger.status).toBe(403);
  expect(Object.fromEntries(stranger.headers)).toMatchObject({
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-resource-policy': 'same-origin',
    'strict-transport-security': 'max-age=31536000',
    vary: 'Origin',
  });
  expect(stranger.headers.has('access-control-allow-origin')).toBe(false);
});

test('long answers are compressed where that is asked for, and streams never', async () => {
  const long = 'Yes. '.repeat(1_000);
  const sent: string[] = [];
  const stream: HttpParts['mcp'] = (request, response) => {
    response.set('content-type', 'text/event-stream').flushHeaders();
    response.write('data: first\n\n');
    request.socket.once('data', () => {
      sent.push('second');
      response.end('data: second\n\n');
    });
  };
  const answer = async () => success({ ...(answered.ok && answered.value), text: long } as Answer);
  const { url, post } = await start({ mcp: stream, answer });
  for (const encoding of ['gzip', 'br']) {
    const json = { 'content-type': 'application/json', 'accept-encoding': encoding };
    const response = await post('{"prompt":"x"}', json);
    expect(response.headers.get('content-encoding')).toBe(encoding);
    expect(response.headers.get('vary')).toMatch(/Accept-Encoding/);
    expect(((await response.json()) as { result: string }).result).toBe(long);
  }
  const plain = await post('{"prompt":"x"}', { 'content-type': 'application/json', 'accept-encoding': 'identity' });
  expect(plain.headers.get('content-encoding')).toBeNull();
  await plain.text();
  // The first event comes before the stream has ended.
  const first = await new Promise<[unknown, string]>((resolve, reject) => {
    const asking = rawRequest(`${url}/mcp`, { method: 'POST', headers: { 'accept-encoding': 'gzip' } }, (response) => {
      response.once('data', (chunk) => {
        resolve([response.headers['content-encoding'], String(chunk)]);
        asking.destroy();
      });
    }).on('error', reject);
    asking.end();
  });
  expect(first).toEqual([undefined, 'data: first\n\n']);
  expect(sent).toEqual([]);
});

test('elsewhere there is nothing', async () => {
  const { url } = await start();
  for (const path of ['/nothing', '/x402/no', '/%E0%A4%A'])
    await expectProblem(await fetch(url + path), 404, 'not_found');
});

test.for<[FailureCode, number, string]>([
  ['model_unavailable', 502, 'model_unavailable'],
  ['chain_unavailable', 503, 'chain_unavailable'],
  ['timeout', 504, 'timeout'],
  ['internal', 500, 'internal'],
  ['unknown_tool', 500, 'internal'],
])('a failure of %s is %i %s', async ([code, status, problem]) => {
  const { ask } = await start({ answer: async () => failure(code, 'Said by us.') });
  expect(await expectProblem(await ask('x'), status, problem)).toContain('Said by us.');
});

test('an error that nobody expected is told to the log and to nobody else', async () => {
  const answer = async () => {
    throw new Error('connect ECONNREFUSED 10.0.0.7');
  };
  const { ask, log } = await start({ answer });
  const text = await expectProblem(await ask('x'), 500, 'internal');
  expect(text).not.toMatch(/ECONNREFUSED|\.ts/);
  expect(log.lines.join()).toContain('ECONNREFUSED');
});

// AG-28
test('twenty prompts in sixty seconds, whoever asks, however they come', async () => {
  let now = 1_000_000;
  const { post, answer } = await start({ nowMs: () => now });
  const ask = (from: string) => post('{"prompt":"x"}', { 'content-type': 'application/json', 'x-forwarded-for': from });

  const together = await Promise.all(Array.from({ length: 50 }, (_, index) => ask(`10.0.0.${index}`)));
  expect(together.filter(({ status }) => status === 200)).toHaveLength(20);
  expect(together.filter(({ status }) => status === 429)).toHaveLength(30);
  expect(answer).toHaveBeenCalledTimes(20);

  now += 30_000;
  const refused = await ask('10.9.9.9');
  await expectProblem(refused, 429, 'rate_limited');
  expect(refused.headers.get('retry-after')).toBe('30');
  expect(refused.headers.get('ratelimit')).toBe('"x402";r=0;t=30');
  expect(refused.headers.get('ratelimit-policy')).toBe('"x402";q=20;w=60');

  now += 29_999;
  expect((await ask('10.0.0.1')).status).toBe(429);
  // Refused requests were not counted: all twenty are free at once.
  now += 1;
  const first = await ask('10.0.0.1');
  expect(first.status).toBe(200);
  expect(first.headers.get('ratelimit')).toBe('"x402";r=19;t=60');
  for (let index = 1; index < 20; index++) expect((await ask('10.0.0.1')).status).toBe(200);
  expect((await ask('10.0.0.1')).status).toBe(429);
});

test('no stretch of sixty seconds holds more than twenty', async () => {
  let now = 0;
  const { ask } = await start({ nowMs: () => now });
  now = 59_000;
  for (let index = 0; index < 20; index++) expect((await ask('x')).status).toBe(200);
  now = 61_000;
  expect((await ask('x')).status).toBe(429);
});

// AG-28
test('what is refused for what it says is not counted, and neither is reading the terms', async () => {
  const { url, post, ask } = await start({ nowMs: () => 0 });
  for (let index = 0; index < 30; index++) expect((await fetch(`${url}/x402`)).status).toBe(200);
  for (let index = 0; index < 10; index++) {
    expect((await ask('')).status).toBe(400);
    expect((await post('{')).status).toBe(400);
    expect((await post('{}', { 'content-type': 'text/plain' })).status).toBe(415);
  }
  for (let index = 0; index < 20; index++) expect((await ask('x')).status).toBe(200);
  expect((await ask('x')).status).toBe(429);
  // Still told what is wrong with it, rather than to retry the same request.
  expect((await ask('')).status).toBe(400);
  expect((await fetch(`${url}/x402`)).status).toBe(200);
});

// AG-28
test('another host name, or a page of another origin, is answered nowhere', async () => {
  const { url, answer } = await start();
  // fetch does not let callers set the host header.
  const call = (path: string, method: string, headers: Record<string, string>) =>
    new Promise<{ status: number; type: string; body: string }>((resolve, reject) => {
      const sent = rawRequest(url + path, { method, headers }, async (response) => {
        let body = '';
        for await (const chunk of response) body += chunk;
        resolve({ status: response.statusCode ?? 0, type: response.headers['content-type'] ?? '', body });
      });
      sent.on('error', reject).end(method === 'POST' ? '{"prompt":"x"}' : undefined);
    });
  const json = { 'content-type': 'application/json' };
  const paths: [string, string][] = [
    ['/ping', 'GET'],
    ['/x402', 'POST'],
    ['/mcp', 'POST'],
    ['/elsewhere', 'GET'],
  ];
  const strangers: Record<string, string>[] = [
    { host: 'evil.example' },
    { host: '127.0.0.1.evil.example' },
    { host: 'evil.example:4020' },
    { host: 'user@127.0.0.1:80@evil.example' },
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { origin: 'http://127.0.0.1.evil.example' },
  ];
  for (const [path, method] of paths) {
    for (const headers of strangers) {
      const { status, type, body } = await call(path, method, { ...json, ...headers });
      expect([status, JSON.parse(body).code], JSON.stringify([path, headers])).toEqual([403, 'host_not_allowed']);
      expect(type).toMatch(/^application\/problem\+json/);
    }
  }
  expect(answer).not.toHaveBeenCalled();
  const friends = [{ host: 'agent.example' }, { host: 'Agent.Example:443', origin: 'https://agent.example' }];
  for (const headers of friends) expect((await call('/x402', 'POST', { ...json, ...headers })).status).toBe(200);
  expect(answer).toHaveBeenCalledTimes(2);
});

test('any host name, where that is what is allowed', async () => {
  const { url } = await start({ allowedHosts: ['*'] });
  const status = await new Promise((resolve, reject) => {
    rawRequest(`${url}/ping`, { headers: { host: 'any.example' } }, (response) => resolve(response.resume().statusCode))
      .on('error', reject)
      .end();
  });
  expect(status).toBe(200);
});

// AG-162
test('/a2a takes 120 of one caller in sixty seconds, and /x402 goes on', async () => {
  const { url, ask } = await start({ nowMs: () => 0 });
  const calls = await Promise.all(Array.from({ length: 125 }, () => fetch(`${url}/a2a`, { method: 'POST' })));
  expect(calls.filter(({ status }) => status === 200)).toHaveLength(120);
  const refused = calls.find(({ status }) => status === 429);
  expect(refused?.headers.get('ratelimit-policy')).toBe('"a2a";q=120;w=60');
  expect(refused?.headers.get('retry-after')).toBe('1');
  if (refused) await expectProblem(refused, 429, 'rate_limited');
  expect((await ask('x')).status).toBe(200);
});

test('a caller that hangs up while sending leaves nothing behind', async () => {
  const { url, ask } = await start();
  await new Promise<void>((resolve) => {
    const headers = { 'content-type': 'application/json', 'content-length': '1000' };
    const half = rawRequest(`${url}/x402`, { method: 'POST', headers });
    half.on('error', () => resolve());
    half.write('{"prompt":', () => half.destroy(new Error('hung up')));
  });
  expect((await ask('x')).status).toBe(200);
});

test('a question of a context is asked whole, and so is what is looked at for its price', async () => {
  const contexts = createContexts(
    assets,
    () => callerNow()[0]?.key ?? '',
    () => 0,
  );
  const isFree = vi.fn((_prompt: string) => false);
  const payments = {
    isPage: () => false,
    isPaying: () => false,
    ask: async (response: ExpressResponse) => void response.status(402).end(),
    pay: vi.fn(),
  };
  const { post, answer } = await start({ contexts });
  const priced = await start({
    contexts,
    payment: { shown: { price_usd: 0.01 }, payments, isFree, answerFree: vi.fn() },
  });
  const say = (to: typeof post, prompt: string, context_id?: string) => to(JSON.stringify({ prompt, context_id }));
  const id = crypto.randomUUID();
  await say(post, 'should I sell?', id);
  expect((await say(priced.post, 'WBNB', id)).status).toBe(402);
  expect(isFree).toHaveBeenLastCalledWith('Is WBNB fairly priced to sell?');
  for (const context of [id, undefined, crypto.randomUUID()]) await say(post, 'WBNB', context);
  expect(answer.mock.calls.map(([prompt]) => prompt)).toEqual([
    'should I sell?',
    'Is WBNB fairly priced to sell?',
    'WBNB',
    'WBNB',
  ]);
  await expectProblem(await say(post, 'WBNB', 'short'), 400, 'invalid_prompt');
});

test('the last turns of a context, and of no other, are there for a model', async () => {
  const contexts = createContexts(
    assets,
    () => callerNow()[0]?.key ?? '',
    () => 0,
  );
  const { post, answer } = await start({ contexts });
  const id = crypto.randomUUID();
  const say = (prompt: string, context_id?: string) => post(JSON.stringify({ prompt, context_id }));
  const prompts = [1, 2, 3, 4, 5, 6].map((at) => `question ${at} ${'x'.repeat(1_000)}`);
  for (const prompt of prompts) await say(prompt, id);
  await say('another', crypto.randomUUID());
  await say('none');
  const turn = (prompt: string) => ({ question: prompt.slice(0, 1_000), answer: answered.ok && answered.value.text });
  expect(answer.mock.calls[1]?.[1]).toEqual([turn(prompts[0] ?? '')]);
  expect(answer.mock.calls[5]?.[1]).toEqual(prompts.slice(1, 5).map(turn));
  expect(answer.mock.calls.slice(6).map(([, previous]) => previous)).toEqual([[], []]);
});
