import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { type Answer, answerJson } from '@bowline/core/domain/answer';
import { success } from '@bowline/core/domain/result';
import { callerNow, pageHeaders } from '@bowline/http/caller';
import { admits, limitedAnswer } from '@bowline/http/rate-limit';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createA2a } from '../../src/api/a2a.ts';
import { createApi } from '../../src/api/http/api.ts';
import type { Limits } from '../../src/api/http/limits.ts';
import type { HttpPayments } from '../../src/api/http/payment.ts';
import { createApp } from '../../src/api/http.ts';
import type { ChargeCall } from '../../src/api/mcp/call.ts';
import { createMcpRouter } from '../../src/api/mcp.ts';
import { callTool } from '../../src/tools/call.ts';
import { tools } from '../../src/tools/index.ts';
import { world } from '../tools/world.ts';
import { limitsOf, pageSecret } from './limits.ts';
import { keepLog } from './log.ts';
import { serve } from './serve.ts';

// The app under a flood, over real sockets: every address in 127.0.0.0/8 is a separate caller.

async function start(limits = limitsOf()) {
  const call = callTool(tools, world, vi.fn());
  const log = keepLog();
  const answered = success<Answer>({ text: 'Yes.', tools: [], tickets: [], choices: [], answeredBy: 'embedded' });
  const known: string[] = [];
  const note = (door: string) => known.push(`${door} ${callerNow().map(({ key }) => key)}`);
  const answer = vi.fn(async (_prompt: string) => {
    note('x402');
    return answered;
  });
  const charge: ChargeCall = (_call, free) => {
    note('mcp');
    return free();
  };
  const answerA2a = async () => {
    note('a2a');
    return answered;
  };
  const a2a = { tools, call, version: '0.1.0', publicUrl: 'http://agent', log };
  const url = await serve(
    createApp({
      answer,
      limits,
      mcp: createMcpRouter({ tools, call, version: '0.1.0', log, charge }),
      a2a: createA2a({ ...a2a, answer: answerA2a }),
      routes: [createApi({ call, assets: world.assets, limit: limits.door })],
      allowedHosts: ['127.0.0.1'],
      log,
    }),
  );
  return { url, answer, known };
}

interface Asked {
  readonly path: string;
  readonly body?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sends each request from the given local address. */
function callers(url: string) {
  const agent = new Agent({ keepAlive: true, maxSockets: 32 });
  onTestFinished(() => agent.destroy());
  return async (from: string, { path, body, headers }: Asked): Promise<number> => {
    const json = { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers };
    const method = body === undefined ? 'GET' : 'POST';
    const sent = request(url + path, { agent, method, localAddress: from, headers: json }).end(body);
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    response.resume();
    await once(response, 'end');
    return response.statusCode ?? 0;
  };
}

const rpc = (method: string, params: object) => JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
const message = {
  kind: 'message',
  role: 'user',
  messageId: 'm',
  parts: [{ kind: 'data', data: { skill: 'get_price', asset: 'BTCB' } }],
};
const doors: readonly Asked[] = [
  { path: '/verdict?asset=BTCB' },
  { path: '/mcp', body: rpc('tools/call', { name: 'get_price', arguments: { asset: 'BTCB' } }) },
  { path: '/a2a', body: rpc('message/send', { message }) },
];

/** Sends requests, whatever the answers, until told to stop, and at least `atLeast` of them. */
async function flood(ask: () => Promise<number>, atLeast: number, isOver: () => boolean) {
  const seen: number[] = [];
  while (!isOver() || seen.length < atLeast) {
    seen.push(...(await Promise.all(Array.from({ length: 16 }, ask))));
  }
  return seen;
}

// AG-162
test.each(doors.map((door) => [door.path.replace(/\?.*/, ''), door] as const))(
  'whoever floods %s from three addresses leaves others 95 %%',
  { timeout: 120_000 },
  async (_, door) => {
    const { url } = await start(limitsOf({ door: 480 }));
    const ask = callers(url);
    let isOver = false;
    const floods = ['127.0.0.2', '127.0.0.3', '127.0.0.4'].map((from) =>
      // A malformed request costs its sender as much.
      flood(
        () => ask(from, Math.random() < 0.2 ? { ...door, body: door.body && '{' } : door),
        700,
        () => isOver,
      ),
    );
    const honest: number[] = [];
    for (let round = 0; round < 10; round++) {
      const asked = Array.from({ length: 6 }, (_, index) => ask(`127.0.1.${index + 1}`, door));
      honest.push(...(await Promise.all(asked)));
    }
    isOver = true;
    const flooded = (await Promise.all(floods)).flat();
    expect(flooded.filter((status) => status === 429).length).toBeGreaterThan(flooded.length / 3);
    expect(honest.filter((status) => status === 200).length).toBeGreaterThanOrEqual(0.95 * honest.length);
  },
);

// AG-162
test('the server of the page is not limited at the doors', async () => {
  const { url } = await start(limitsOf({ caller: 5, nowMs: () => 0 }));
  const ask = callers(url);
  const asked = (headers: Readonly<Record<string, string>>) =>
    Promise.all(Array.from({ length: 30 }, () => ask('127.0.0.1', { path: '/verdict?asset=BTCB', headers })));
  const ok = (statuses: number[]) => statuses.filter((status) => status === 200).length;
  expect(ok(await asked({}))).toBe(5);
  expect(ok(await asked(pageHeaders(pageSecret)))).toBe(30);
  expect(ok(await asked({ 'x-bowline-page': 'a guess at what the page may say' }))).toBe(0);
});

const question = (prompt: string): Asked => ({ path: '/x402', body: JSON.stringify({ prompt }) });

// AG-162
test('what is no question, and what was refused, uses up none of the answers', { timeout: 60_000 }, async () => {
  const { url, answer } = await start();
  const ask = callers(url);
  const junk = ['{', '{"prompt":""}', '{"prompt":5}', '[]'];
  const seen = await flood(
    () => ask('127.0.0.2', { path: '/x402', body: junk[Math.floor(Math.random() * junk.length)] }),
    500,
    () => true,
  );
  expect(new Set(seen)).toEqual(new Set([400]));
  for (let index = 0; index < 20; index++) expect(await ask('127.0.0.3', question('x'))).toBe(200);
  expect(await ask('127.0.0.3', question('x'))).toBe(429);
  expect(answer).toHaveBeenCalledTimes(20);
});

// AG-162
test('whoever is refused too often at /x402 is refused at once; others and answers are not counted', async () => {
  const { url } = await start(limitsOf({ refusals: 30, answers: 1_000, nowMs: () => 0 }));
  const ask = callers(url);
  for (let index = 0; index < 60; index++) expect(await ask('127.0.0.2', question('x'))).toBe(200);
  const seen = [];
  for (let index = 0; index < 40; index++) seen.push(await ask('127.0.0.2', { path: '/x402', body: '{' }));
  expect(seen).toEqual([...Array<number>(30).fill(400), ...Array<number>(10).fill(429)]);
  expect(await ask('127.0.0.2', question('x'))).toBe(429);
  expect(await ask('127.0.0.3', question('x'))).toBe(200);
});

test('the page has its share of the answers while somebody takes all others', async () => {
  const { url } = await start(limitsOf({ answersOfPage: 5, nowMs: () => 0 }));
  const ask = callers(url);
  const stranger = [];
  for (let index = 0; index < 30; index++) stranger.push(await ask('127.0.0.2', question('hi')));
  expect(stranger.filter((status) => status === 200)).toHaveLength(15);
  const page = { ...question('hi'), headers: pageHeaders(pageSecret) };
  for (let index = 0; index < 5; index++) expect(await ask('127.0.0.2', page)).toBe(200);
  expect(await ask('127.0.0.2', page)).toBe(429);
});

/** An agent whose answers have a price, but for "hi". */
async function startPriced(limits: Limits) {
  const said: Answer = { text: 'Yes.', tools: [], tickets: [], choices: [], answeredBy: 'embedded' };
  const answer = async () => success(said);
  const payments: HttpPayments = {
    isPage: limits.isPage,
    isPaying: (request) => request.get('payment-signature') !== undefined,
    ask: async (response) => void response.status(402).end(),
    pay: async (_request, response, _path, limit) =>
      admits(limit, limit.take(), response) ? { ok: true, value: answerJson(said) } : undefined,
  };
  const isFree = (prompt: string) => prompt === 'hi';
  const payment = { shown: { price_usd: 1 }, payments, isFree, answerFree: answer };
  const parts = { tools, call: callTool(tools, world, vi.fn()), version: '0.1.0', log: keepLog() };
  const free = limitedAnswer(answer, limits.free);
  const a2a = createA2a({ ...parts, publicUrl: 'http://agent', answer: free });
  const mcp = createMcpRouter(parts);
  const url = await serve(
    createApp({ answer, limits, payment, mcp, a2a, allowedHosts: ['127.0.0.1'], log: parts.log }),
  );
  return callers(url);
}

const paid = { ...question('Is BTCB fair?'), headers: { 'payment-signature': 'x' } };

test('AG-162: one caller with free questions leaves paid ones their limit, and others free ones', async () => {
  const ask = await startPriced(limitsOf({ nowMs: () => 0 }));
  const message = { kind: 'message', role: 'user', messageId: 'm', parts: [{ kind: 'text', text: 'hi' }] };
  const seen: number[] = [];
  for (let payer = 0; payer < 20; payer++) {
    for (let at = 0; at < 3; at++) seen.push(await ask('127.0.0.2', question('hi')));
    await ask('127.0.0.2', { path: '/a2a', body: rpc('message/send', { message }) });
    expect(await ask(`127.0.1.${payer + 1}`, paid), `payer ${payer}`).toBe(200);
  }
  expect(await ask('127.0.1.99', paid)).toBe(429);
  expect(new Set(seen)).toEqual(new Set([200, 429]));
  // Both doors share the limit.
  expect(seen.filter((status) => status === 200).length).toBeLessThan(10);
  for (let other = 0; other < 5; other++) expect(await ask(`127.0.2.${other + 1}`, question('hi'))).toBe(200);
});

test.each([0, 5])(
  'AG-162: a crowd on the page leaves payers all that is not kept for it (%i)',
  async (answersOfPage) => {
    const ask = await startPriced(limitsOf({ answersOfPage, nowMs: () => 0 }));
    const seen: number[] = [];
    for (const asked of ['hi', 'Is BTCB fair?']) {
      const byPage = { ...question(asked), headers: pageHeaders(pageSecret) };
      for (let visitor = 0; visitor < 30; visitor++) seen.push(await ask('127.0.0.2', byPage));
    }
    // Its share, and half of what costs nothing.
    expect(seen.filter((status) => status === 200)).toHaveLength(answersOfPage + 10);
    const ofPayers = 20 - answersOfPage;
    for (let payer = 0; payer < ofPayers; payer++) expect(await ask(`127.0.1.${payer + 1}`, paid)).toBe(200);
    expect(await ask('127.0.1.99', paid)).toBe(429);
  },
);

test('a conforming MCP client that is alone never meets the limit', { timeout: 60_000 }, async () => {
  const { url } = await start(limitsOf({ nowMs: () => 0 }));
  const ask = callers(url);
  const statuses = new Set<number>();
  for (let index = 0; index < 60; index++) {
    const listed = Array.from({ length: 20 }, () => ask('127.0.0.1', { path: '/mcp', body: rpc('tools/list', {}) }));
    for (const status of await Promise.all(listed)) statuses.add(status);
  }
  expect(statuses).toEqual(new Set([200]));
});

test('PY-11: whoever asks is known behind every door, each beside the others', async () => {
  const { url, known } = await start();
  const ask = callers(url);
  const message = { kind: 'message', role: 'user', messageId: 'm', parts: [{ kind: 'text', text: 'hi' }] };
  const doors = {
    x402: { path: '/x402', body: JSON.stringify({ prompt: 'hi' }) },
    mcp: { path: '/mcp', body: rpc('tools/call', { name: 'list_assets', arguments: {} }) },
    a2a: { path: '/a2a', body: rpc('message/send', { message }) },
  };
  const asked = Object.entries(doors).flatMap(([door, request]) =>
    [2, 3, 4].map(async (at) => {
      expect(await ask(`127.0.0.${at}`, request)).toBe(200);
      return `${door} 127.0.0.${at}`;
    }),
  );
  const expected = await Promise.all(asked);
  expect([...new Set(known)].toSorted()).toEqual(expected.toSorted());
});
