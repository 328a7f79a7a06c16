import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { parseEther } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type RpcProxy, startRpcProxy } from '../../agent/test/chain/rpc-proxy.ts';
import { walletOf } from '../../script/local/account-abstraction.ts';
import { connect } from '../../script/local/chain.ts';
import { type LocalChain, startLocalChain } from '../../script/local/fork.ts';
import { deployContracts, keeper } from '../../script/local/start/contracts.ts';
import { type Sidecar, startSidecar } from './sidecar.ts';

// The agent's start as a process: AG-42, AG-38.

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
  await deployContracts(local.url, folder, new AbortController().signal, wallet);
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
  const [first] = agent.log.filter(({ event }) => event === 'node.waiting');
  expect(first).toMatchObject({ level: 'warn', reason: 'chain_unavailable' });
  expect(agent.log.filter(({ event }) => event === 'node.answers').length).toBeGreaterThan(0);
  const ready = await (await fetch(`${agent.url}/ready`)).json();
  expect(ready).toMatchObject({ dependencies: { chain: { ok: true } } });
});

test('AG-43: whoever asks while the agent starts is told so, at once', async () => {
  let isOut = true;
  line.fate = () => (isOut ? 'lost' : 'answered');
  const url = `http://127.0.0.1:${await freePort()}`;
  const starting = startSidecar({ ...settings(), PORT: new URL(url).port });
  await expect.poll(() => fetch(`${url}/ping`).then(({ status }) => status, String)).toBe(200);
  const ready = await fetch(`${url}/ready`);
  expect([ready.status, await ready.json()]).toEqual([503, { status: 'NOT_READY', dependencies: {} }]);
  for (const path of ['/x402', '/mcp', '/verdict?asset=BTCB', '/nothing']) {
    const asked = await fetch(url + path);
    expect([asked.status, asked.headers.get('retry-after')], path).toEqual([503, '1']);
    expect(await asked.json(), path).toMatchObject({ code: 'starting' });
  }
  isOut = false;
  agent = await starting;
  expect((await fetch(`${url}/x402`)).status).toBe(200);
});

// AG-26
test('without an exchange and without Pyth no verdict is GO, and the start says so', async () => {
  line.fate = () => 'answered';
  agent = await startSidecar(settings());
  expect(agent.log.find(({ event }) => event === 'sources.none')).toMatchObject({ level: 'warn' });
  const answer = await fetch(`${agent.url}/verdict?asset=BTCB&amount_usd=1000`);
  expect(await answer.json()).toMatchObject({ verdict: 'NO_DATA', reason: 'reference_missing' });
});

test('an empty rescue key stops no start, and /ready lists it as without money', async () => {
  line.fate = () => 'answered';
  const key = generatePrivateKey();
  agent = await startSidecar({ ...settings(), RESCUE_PRIVATE_KEY: key });
  const { address } = privateKeyToAccount(key);
  const rescuer = {
    ok: false,
    needed: false,
    detail: expect.stringMatching(`^${address} holds 0 BNB, too little to pay`),
  };
  const ready = async () => (await fetch(`${agent?.url}/ready`)).json();
  await expect.poll(ready).toMatchObject({ status: 'READY', dependencies: { rescuer, keeper: { ok: true } } });
});

test('where nobody listens, the start ends with one line', { tags: 'long' }, async () => {
  const port = await freePort();
  await expect(startSidecar({ ...settings(), RPC_URL: `http://127.0.0.1:${port}` })).rejects.toThrow(
    /^The agent has ended: No node answers at RPC_URL\. Start a local chain first: [^\n]*\n$/,
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
