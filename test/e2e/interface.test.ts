import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { hashManifest } from '../../agent/src/selling/jobs/offers.ts';
import { owner } from '../../lab/world/start/demo.ts';
import { freePort } from '../local/free-port.ts';

// Every row of the interface promised to others, checked on a running `npm start`, on a machine whose proxy is dead.

const deadProxy = Object.fromEntries(
  ['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY', 'https_proxy'].map((name) => [name, 'http://127.0.0.1:9']),
);
const { NO_PROXY: _, no_proxy: __, ...environment } = process.env;

let start: ChildProcess;
let agent: string;
let web: string;
let ports: { rpc: number; agent: number };
const record = '.cache/deployments/interface';

beforeAll(async () => {
  const [rpc, market, bundler, agentPort, webPort] = [
    await freePort(),
    await freePort(),
    await freePort(),
    await freePort(),
    await freePort(),
  ];
  ports = { rpc, agent: agentPort };
  agent = `http://127.0.0.1:${agentPort}`;
  web = `http://127.0.0.1:${webPort}`;
  const listen = ['--rpc-port', rpc, '--market-port', market, '--bundler-port', bundler, '--agent-port', agentPort];
  const own = [...listen.map(String), '--web-port', String(webPort), '--deployments', record];
  start = spawn(process.execPath, ['lab/world/start.ts', ...own], {
    env: { ...environment, ...deadProxy },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let printed = '';
  start.stdout?.on('data', (text) => (printed += text));
  while (!printed.includes('Ready after')) {
    if (start.exitCode !== null) throw new Error(`npm start has ended: ${printed}`);
    await sleep(100);
  }
}, 90_000);
afterAll(async () => {
  start?.kill('SIGINT');
  await once(start, 'close');
});

async function ask(url: string, body?: unknown, headers: Record<string, string> = {}) {
  const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
  const response = await fetch(url, { ...init, headers: { 'content-type': 'application/json', ...headers } });
  const text = await response.text();
  return { status: response.status, text, body: json(text) };
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const order = { asset: 'BTCB', side: 'buy', amount_usd: '100', owner };
const prompt = { prompt: 'Is BTCB fairly priced right now?' };
const streamed = { accept: 'application/json, text/event-stream' };
const message = { messageId: '1', role: 'ROLE_USER', parts: [{ text: 'Is ETH fairly priced?' }] };
const oldMessage = {
  messageId: '1',
  kind: 'message',
  role: 'user',
  parts: [{ kind: 'text', text: 'Is ETH fairly priced?' }],
};

test.each<[row: string, path: string, body: unknown, expected: object]>([
  [
    'POST /x402',
    '/x402',
    prompt,
    { result: expect.stringContaining('BTCB'), tools: ['check_asset'], answered_by: 'embedded' },
  ],
  ['GET /x402', '/x402', undefined, { price_usd: 0, limit: { requests: 20, seconds: 60 }, max_prompt_chars: 4000 }],
  ['the agent card', '/.well-known/agent-card.json', undefined, { name: 'Bowline' }],
  ['GET /ping', '/ping', undefined, { status: 'HEALTHY' }],
  ['the entry of the MCP registry', '/server.json', undefined, { remotes: [{ type: 'streamable-http' }] }],
  ['the server card of MCP', '/.well-known/mcp.json', undefined, { transport: { endpoint: '/mcp' } }],
  ['what is paid for', '/.well-known/x402', undefined, { version: 1, resources: [] }],
  [
    'A2A 1.0 at /a2a',
    '/a2a',
    { jsonrpc: '2.0', id: 1, method: 'SendMessage', params: { message } },
    { result: { message: { parts: [{ data: {} }] } } },
  ],
  [
    'A2A 0.3 at /',
    '/',
    { jsonrpc: '2.0', id: 1, method: 'message/send', params: { message: oldMessage } },
    { result: { kind: 'message', parts: [{ kind: 'data' }] } },
  ],
  [
    'GET /verdict',
    '/verdict?asset=BTCB&side=buy&amount_usd=1000',
    undefined,
    { verdict: expect.any(String), findings: expect.any(Array), ticket: {}, evidence: {} },
  ],
  ['GET /plans/:id/outlook', '/plans/1/outlook', undefined, { plan: '1', obstacles: expect.any(Array) }],
  ['POST /swap-draft', '/swap-draft', order, { verdict: expect.any(String), asset: 'BTCB' }],
  [
    'GET /ready',
    '/ready',
    undefined,
    {
      status: 'READY',
      dependencies: { chain: { ok: true }, wallet: { ok: true }, exchange: { ok: true }, pyth: { ok: true } },
    },
  ],
  ['GET /openapi.json', '/openapi.json', undefined, { openapi: '3.1.0' }],
])('the agent answers %s', async (_, path, body, expected) => {
  expect(await ask(agent + path, body)).toMatchObject({ status: 200, body: expected });
});

test('the agent answers POST /desk-quote where there is a desk: on the test network', async () => {
  expect(await ask(`${agent}/desk-quote`, order)).toMatchObject({ status: 404, body: { code: 'not_found' } });
});

test('the agent card has the skills of the escrow’s ecosystem', async () => {
  const { body } = await ask(`${agent}/.well-known/agent-card.json`);
  const ids = (body as { skills: { id: string }[] }).skills.map(({ id }) => id);
  expect(ids).toEqual(expect.arrayContaining(['negotiate', 'notify_funded']));
});

test('the agent answers /mcp and /metrics', async () => {
  const listed = await ask(`${agent}/mcp`, { jsonrpc: '2.0', id: 1, method: 'tools/list' }, streamed);
  expect(listed).toMatchObject({ status: 200, text: expect.stringContaining('"check_asset"') });
  expect(await ask(`${agent}/metrics`)).toMatchObject({
    status: 200,
    text: expect.stringContaining('bowline_events_total'),
  });
});

test('a job is hired, and its deliverable answers by its hash and by its number', async () => {
  const options = ['--agent-port', String(ports.agent), '--rpc-port', String(ports.rpc), '--deployments', record];
  const hire = spawn(process.execPath, ['lab/world/hire.ts', ...options], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let printed = '';
  hire.stdout.on('data', (text) => (printed += text));
  expect(await once(hire, 'close')).toEqual([0, null]);
  expect(printed).toContain('the agent has claimed 1 tokens');
  const byNumber = await ask(`${agent}/job/1/response`);
  expect(byNumber.status).toBe(200);
  const hash = hashManifest(byNumber.body as never);
  expect(await ask(`${agent}/deliverables/${hash}`)).toEqual(byNumber);
});

test.each<[row: string, path: string, body: unknown, expected: object]>([
  ['GET /api/quote', '/api/quote', undefined, { assets: expect.any(Array) }],
  [
    'POST /api/buy',
    '/api/buy',
    { asset: 'BTCB', amount_usd: '100', owner },
    { verdict: expect.any(String), asset: 'BTCB' },
  ],
  ['POST /api/agent', '/api/agent', prompt, { result: expect.stringContaining('BTCB') }],
])('the web server answers %s', async (_, path, body, expected) => {
  expect(await ask(web + path, body)).toMatchObject({ status: 200, body: expected });
});
