import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { parseEther } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test } from 'vitest';
import { walletOf } from '../../lab/world/account-abstraction.ts';
import { connect } from '../../lab/world/chain.ts';
import { type LocalChain, startLocalChain } from '../../lab/world/fork.ts';
import { mineEvery } from '../../lab/world/miner.ts';
import { setPrice } from '../../lab/world/oracle.ts';
import { priceUsd8 } from '../../lab/world/prices.ts';
import { treasurer } from '../../lab/world/replica.ts';
import { deployContracts, keeper } from '../../lab/world/start/contracts.ts';
import { crippled } from '../../packages/chain/test/crippled.ts';
import { type RpcProxy, startRpcProxy } from '../../packages/chain/test/rpc-proxy.ts';
import { type Sidecar, startSidecar } from './sidecar.ts';

// The agent's start as a process: AG-38.

const folder = '.cache/deployments/agent-start';
let local: LocalChain;
let line: RpcProxy;
let agent: Sidecar | undefined;

beforeAll(async () => {
  local = await startLocalChain();
  line = await startRpcProxy(local.url);
  const chain = connect(local.url);
  // The agent creates its wallet at its first start.
  const wallet = await walletOf(chain, keeper);
  await chain.setBalance({ address: wallet, value: parseEther('10') });
  await deployContracts(local.url, folder, new AbortController().signal, { operator: wallet });
});
afterAll(async () => {
  await line?.stop();
  await local?.stop();
});
afterEach(() => agent?.stop());

const settings = () => ({ RPC_URL: line.url, MARKET_DATA_URL: 'off', PYTH_URL: 'off', DEPLOYMENTS_DIR: folder });

test('the agent waits for a node that loses the first answers of each kind, and says so', async () => {
  const asked = new Map<string, number>();
  line.fate = (method, body) => {
    if (method === 'eth_sendRawTransaction') return 'answered';
    const [{ to = '', data = '' } = {}] = JSON.parse(body).params ?? [];
    // The client tries three times before it gives up.
    const kind = method === 'eth_call' ? `${to} ${data.slice(0, 200)}` : method;
    const times = (asked.get(kind) ?? 0) + 1;
    asked.set(kind, times);
    return times <= 3 ? 'lost' : 'answered';
  };
  agent = await startSidecar(settings());
  expect(await agent.logged('wallet.created')).toBeDefined();
  expect(await agent.logged('entry_point.not_compared')).toMatchObject({
    entryPoint: '0x433709009B8330FDa32311DF1C2AFA402eD8D009',
    codeHash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
  });
  const [first] = agent.log.filter(({ event }) => event === 'node.waiting');
  expect(first).toMatchObject({ level: 'warn', reason: 'chain_unavailable' });
  expect(agent.log.filter(({ event }) => event === 'node.answers').length).toBeGreaterThan(0);
  const ready = await (await fetch(`${agent.url}/ready`)).json();
  expect(ready).toMatchObject({ dependencies: { chain: { ok: true } } });
});

test('AG-71: told to stop while it waits for a node, the agent ends with 0', async () => {
  line.fate = () => 'lost';
  const child = spawn(process.execPath, ['agent/src/main.ts'], {
    env: { ...process.env, ...settings(), CHAIN: 'local', PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const ended = once(child, 'exit');
  let log = '';
  child.stdout.on('data', (text) => (log += text));
  await expect.poll(() => log).toContain('node.waiting');
  const from = performance.now();
  child.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
  expect(performance.now() - from).toBeLessThan(5_000);
});

test('whoever asks while the agent starts is told so, at once', async () => {
  let isOut = true;
  line.fate = () => (isOut ? 'lost' : 'answered');
  const url = `http://127.0.0.1:${await freePort()}`;
  const starting = startSidecar({ ...settings(), PORT: new URL(url).port });
  await expect.poll(() => fetch(`${url}/ping`).then(({ status }) => status, String)).toBe(200);
  const ready = await fetch(`${url}/ready`);
  expect([ready.status, await ready.json()]).toEqual([
    503,
    { status: 'NOT_READY', version: '0.1.0', dependencies: {} },
  ]);
  for (const path of ['/x402', '/mcp', '/verdict?asset=BTCB', '/nothing']) {
    const asked = await fetch(url + path);
    expect([asked.status, asked.headers.get('retry-after')], path).toEqual([503, '1']);
    expect(await asked.json(), path).toMatchObject({ code: 'starting' });
  }
  isOut = false;
  agent = await starting;
  expect((await fetch(`${url}/x402`)).status).toBe(200);
});

test('a start loads no SDK of a protocol, model or queue before somebody needs it', async () => {
  line.fate = () => 'answered';
  const counted = `
    import { registerHooks } from 'node:module';
    const urls = [];
    registerHooks({ load: (url, context, next) => (urls.push(url), next(url, context)) });
    process.on('SIGUSR2', () => console.log(JSON.stringify({ event: 'loaded', of: urls.length, urls })));`;
  const preload = `--import "data:text/javascript,${encodeURIComponent(counted)}"`;
  agent = await startSidecar({ ...settings(), OPENAI_API_KEY: 'unused', NODE_OPTIONS: preload });
  const { url, signal, logged, log } = agent;
  const packages = async () => {
    const before = log.filter(({ event }) => event === 'loaded').length;
    signal('SIGUSR2');
    await expect.poll(() => log.filter(({ event }) => event === 'loaded').length).toBe(before + 1);
    const { urls } = log.findLast(({ event }) => event === 'loaded') as unknown as { urls: string[] };
    return new Set(urls.flatMap((each) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(each)?.[1] ?? []));
  };
  await logged('agent.ready');
  const atStart = await packages();
  expect(atStart).toContain('express');
  for (const late of ['@modelcontextprotocol/server', '@a2a-js/sdk', 'openai', 'ioredis', '@bnb-chain/b402'])
    expect(atStart).not.toContain(late);
  expect((await fetch(`${url}/.well-known/agent-card.json`)).status).toBe(200);
  expect(await packages()).toContain('@a2a-js/sdk');
  const ping = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });
  const asked = await fetch(`${url}/mcp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'mcp-protocol-version': '2025-11-25' },
    body: ping,
  });
  expect([asked.status, await asked.text()]).toEqual([200, expect.stringContaining('"result":{}')]);
  expect(await packages()).toContain('@modelcontextprotocol/server');
});

// GD-14
test('without an exchange and without Pyth the sources on the chain decide', async () => {
  line.fate = () => 'answered';
  agent = await startSidecar(settings());
  // The feeds answered when the chain started, and nothing else updates them.
  for (const symbol of ['BTCB', 'USDT'] as const)
    await setPrice(connect(local.url), treasurer, symbol, priceUsd8[symbol]);
  const answer = await fetch(`${agent.url}/verdict?asset=BTCB&amount_usd=1000`);
  const { verdict, findings } = (await answer.json()) as { verdict: string; findings: { detail: string }[] };
  expect(verdict).toBe('GO');
  const said = findings.map(({ detail }) => detail).join(' ');
  for (const source of ['Chainlink', 'Binance Oracle', 'RedStone']) expect(said).toContain(`${source} says`);
});

test('an empty rescue key stops no start, and /ready lists it as without money', async () => {
  line.fate = () => 'answered';
  const key = generatePrivateKey();
  agent = await startSidecar({ ...settings(), RESCUE_PRIVATE_KEYS: key });
  const { address } = privateKeyToAccount(key);
  const rescuer = {
    ok: false,
    needed: false,
    detail: expect.stringMatching(`^${address} holds 0 BNB, too little to pay`),
  };
  const ready = async () => (await fetch(`${agent?.url}/ready`)).json();
  await expect.poll(ready).toMatchObject({ status: 'READY', dependencies: { rescuer, keeper: { ok: true } } });
});

// AG-38
test('without an operator the agent only guards loans, and says so', async () => {
  line.fate = () => 'answered';
  const key = generatePrivateKey();
  agent = await startSidecar({ ...settings(), KEEPER_PRIVATE_KEY: 'off', RESCUE_PRIVATE_KEYS: key });
  expect(await agent.logged('executor.off')).toMatchObject({ level: 'warn', reason: 'no_operator_key' });
  const { address } = privateKeyToAccount(key);
  expect(await agent.logged('agent.ready')).toMatchObject({
    version: expect.stringMatching(/^\d+\.\d+\.\d+/),
    rescuer: address,
  });
  // A loop that never starts is not a dependency.
  const { dependencies } = (await (await fetch(`${agent.url}/ready`)).json()) as { dependencies: object };
  expect(dependencies).not.toHaveProperty('executor');
  await agent.logged('tick.end', { loop: 'loan-guard' });
  await agent.logged('tick.end', { loop: 'loan-guard' });
  expect(agent.log.filter(({ loop }) => loop === 'executor')).toEqual([]);
});

test('where nobody listens, the start ends with one line', { tags: 'long' }, async () => {
  const port = await freePort();
  await expect(startSidecar({ ...settings(), RPC_URL: `http://127.0.0.1:${port}` })).rejects.toThrow(
    /^The agent has ended: node_unreachable: No node answers at RPC_URL\. Start a local chain first: [^\n]*\n$/,
  );
});

/** A port that nobody listens on. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

test('AG-67, AG-66: what a node or a seller lacks is named, and rescues go on without it', async () => {
  const chain = connect(local.url);
  // A chain without blocks is not ready.
  const stopMining = mineEvery(local.url, 1);
  line.fate = () => 'answered';
  for (const kind of ['refusesOverrides', 'refusesGas', 'knowsNoFinal', 'refusesBatches'] as const)
    crippled[kind](line);
  const { escrow } = JSON.parse(readFileSync(`${folder}/31337.json`, 'utf8'));
  const code = await chain.getCode({ address: escrow.commerce });
  await chain.setCode({ address: escrow.commerce, bytecode: '0x' });
  try {
    const nobody = 'http://127.0.0.1:9';
    const sold = {
      PRICE_USD: '1',
      X402_FACILITATOR_URL: nobody,
      PUBLIC_URL: nobody,
      BUNDLER_URL: `${nobody},${nobody}/2`,
    };
    agent = await startSidecar({ ...settings(), ...sold });
    expect(await agent.logged('selling.off', { level: 'error' })).toMatchObject({
      cause: `The chain has no code at the address of: escrow.commerce (${escrow.commerce}).`,
    });
    expect(await agent.logged('payments.off', { level: 'error' })).toBeDefined();
    // The loan guard has read the chain.
    const { url } = agent;
    const ready = async () => {
      const response = await fetch(`${url}/ready`);
      const body = (await response.json()) as { dependencies: { node: { detail: string }; jobs: unknown } };
      return { code: response.status, ...body };
    };
    await expect.poll(ready).toMatchObject({ code: 503, dependencies: { rescues: { ok: true }, chain: { ok: true } } });
    // The card is signed, and its reader can find the key.
    const read = async (path: string) => await (await fetch(`${url}/.well-known/${path}`)).json();
    const { signatures } = (await read('agent-card.json')) as { signatures: { protected: string }[] };
    const { kid, jku } = JSON.parse(Buffer.from(signatures[0]?.protected ?? '', 'base64url').toString());
    expect(jku).toBe(`${nobody}/.well-known/jwks.json`);
    expect(await read('jwks.json')).toMatchObject({ keys: [{ kid }] });
    expect(await read('agent-registration.json')).toMatchObject({ name: 'Bowline' });
    const { node, jobs } = (await ready()).dependencies;
    expect(jobs).toMatchObject({ ok: false, needed: false, reason: 'selling_off' });
    for (const check of ['state_override', 'call_gas', 'batches', 'finalized'])
      expect(node.detail).toContain(`${check}: `);
    expect(node.detail).toContain('Use a node that knows the block tag "finalized".');
    const asked = await fetch(`${url}/x402`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ prompt: 'Is BTCB fairly priced?' }),
    });
    expect(asked.status).toBe(503);
    expect(await asked.json()).toMatchObject({ code: 'payment_unavailable' });
    // Another node behind the same address.
    line.fate = () => 'answered';
    line.tell = () => {};
    await expect.poll(ready).toMatchObject({ code: 200, dependencies: { node: { ok: true } } });
  } finally {
    await stopMining();
    await chain.setCode({ address: escrow.commerce, bytecode: code ?? '0x' });
  }
});

// An outvoted node is skipped for a minute.
test('AG-59, AG-60: three nodes of which one lies and one goes: /ready says which, and why nothing is signed', {
  tags: 'long',
  timeout: 240_000,
}, async () => {
  const lines = await Promise.all([1, 2, 3].map(() => startRpcProxy(local.url)));
  const [liar, , gone] = lines;
  const stopMining = mineEvery(local.url, 1);
  try {
    agent = await startSidecar({ ...settings(), RPC_URL: lines.map(({ url }) => url).join() });
    const { url } = agent;
    const ready = async () => (await fetch(`${url}/ready`)).json();
    await expect.poll(ready).toMatchObject({
      status: 'READY',
      dependencies: { nodes: { ok: true, detail: '3 of 3 nodes are used' } },
    });
    if (liar) {
      liar.tell = ({ method }, answer) => {
        if (method === 'eth_call') answer.result = `0x${'0'.repeat(63)}1`;
      };
    }
    expect(await agent.logged('node.passed_over', { reason: 'outvoted' })).toMatchObject({ node: '1 (127.0.0.1)' });
    await expect.poll(ready).toMatchObject({
      status: 'READY',
      dependencies: { nodes: { ok: true, detail: '2 of 3 nodes are used; 1 (127.0.0.1) is outvoted' } },
    });
    if (gone) gone.fate = () => 'lost';
    await agent.logged('nodes.disagree');
    await expect.poll(ready).toMatchObject({ status: 'NOT_READY', dependencies: { nodes: { ok: false } } });
    if (gone) gone.fate = () => 'answered';
    await agent.logged('nodes.agree');
    await expect.poll(ready).toMatchObject({ status: 'READY' });
  } finally {
    await stopMining();
    await agent?.stop();
    await Promise.all(lines.map((each) => each.stop()));
  }
});
