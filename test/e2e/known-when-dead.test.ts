import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readiness } from '@bowline/core/domain/readiness';
import { parseEther } from 'viem';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { planRegistryAbi } from '../../abis/index.ts';
import { metrics } from '../../agent/src/process/metrics.ts';
import { samplesIn } from '../../agent/test/process/promql.ts';
import { type Chain, connect } from '../../lab/world/chain.ts';
import { type LocalChain, startLocalChain } from '../../lab/world/fork.ts';
import { mineEvery } from '../../lab/world/miner.ts';
import { type Contracts, deployContracts, keeper } from '../../lab/world/start/contracts.ts';
import { planTerms } from '../../packages/chain/test/deployed-chain.ts';
import { type RpcProxy, startRpcProxy } from '../../packages/chain/test/rpc-proxy.ts';
import { approve, carol, give } from '../local/accounts.ts';
import { type Pyth, servePyth } from './pyth.ts';
import { notingModules, type Sidecar, startSidecar } from './sidecar.ts';

// What a running agent says of itself, and how it is stopped: AG-67, AG-70, AG-71.

const folder = '.cache/deployments/known-when-dead';
const scratch = mkdtempSync(join(tmpdir(), 'bowline-stop-'));
const stopFile = join(scratch, 'stop');
let local: LocalChain;
let line: RpcProxy;
let chain: Chain;
let own: Contracts;
let pyth: Pyth;
let stopMining: (() => Promise<void>) | undefined;
let agent: Sidecar | undefined;

beforeAll(async () => {
  local = await startLocalChain();
  line = await startRpcProxy(local.url);
  chain = connect(local.url);
  own = await deployContracts(local.url, folder, new AbortController().signal);
  pyth = await servePyth();
  await give(chain, carol, 'USDT', '100000');
  await approve(chain, carol, 'USDT', own.planRegistry, parseEther('100000'));
  await chain.setAutomine(false);
  stopMining = mineEvery(local.url, 0.45);
});
afterAll(async () => {
  await stopMining?.();
  await pyth?.stop();
  await line?.stop();
  await local?.stop();
  rmSync(scratch, { recursive: true });
});
afterEach(async () => {
  line.fate = () => 'answered';
  if (existsSync(stopFile)) rmSync(stopFile);
  await agent?.stop();
});

const settings = (changes: Record<string, string> = {}) => ({
  RPC_URL: line.url,
  MARKET_DATA_URL: 'off',
  PYTH_URL: pyth.url,
  DEPLOYMENTS_DIR: folder,
  EXECUTOR_INTERVAL_SECONDS: '1',
  DATA_DIR: scratch,
  ...changes,
});

/** A plan of carol's that is due now. */
async function createPlan(): Promise<bigint> {
  const { timestamp } = await chain.getBlock();
  const terms = { ...planTerms(own, carol, Number(timestamp)), windowSeconds: 3600 };
  const address = own.planRegistry;
  await chain.send(carol, address, { abi: planRegistryAbi, functionName: 'create', args: [terms] });
  return chain.readContract({ address, abi: planRegistryAbi, functionName: 'planCount' });
}

const records = async (planId: bigint) =>
  (
    await chain.readContract({
      address: own.planRegistry,
      abi: planRegistryAbi,
      functionName: 'runs',
      args: [planId, 0n, 9n],
    })
  ).length;

const sent = () => chain.getTransactionCount({ address: keeper, blockTag: 'pending' });
const ready = async () => {
  const response = await fetch(`${agent?.url}/ready`);
  return { code: response.status, ...((await response.json()) as Readiness) };
};
const scrape = async () => samplesIn(await (await fetch(`${agent?.url}/metrics`)).text());

test('AG-67: a well agent is READY and has every metric, and loads nothing of Redis', async () => {
  const loaded = join(scratch, 'loaded');
  agent = await startSidecar(settings(notingModules(loaded)));
  await agent.logged('tick.end', { loop: 'executor' });
  await agent.logged('tick.end', { loop: 'loan-guard' });
  const well = { ok: true, needed: true };
  expect(await ready()).toMatchObject({
    code: 200,
    status: 'READY',
    dependencies: {
      chain: well,
      gas: well,
      operations: well,
      executor: well,
      'loan-guard': well,
      jobs: { ok: true, needed: false },
      stop_file: well,
      rescues: well,
      keeper: { ok: true, needed: false },
      pyth: { ok: true, needed: false },
    },
  });
  const text = await (await fetch(`${agent.url}/metrics`)).text();
  for (const [name, { type }] of Object.entries(metrics)) expect(text).toContain(`# TYPE ${name} ${type}\n`);
  // Nothing has been sent, no loan is in debt, nothing is wrong.
  await expect
    .poll(async () => {
      const has = new Set((await scrape()).map(({ name }) => name));
      return Object.keys(metrics).filter((name) => !has.has(name));
    })
    .toEqual([
      'bowline_unready_reason',
      'bowline_queue_open_operations',
      'bowline_queue_oldest_open_seconds',
      'bowline_not_served',
      'bowline_lowest_health_ratio',
      'bowline_guards_falling',
      'bowline_workers',
      'bowline_first_guards',
      'bowline_redis_silent_seconds',
    ]);
  await agent.stop();
  expect(readFileSync(loaded, 'utf8')).not.toMatch(/node_modules\/ioredis\//);
}, 150_000);

test('AG-67: a node that goes away makes it 503, with the reasons, until it is back', {
  tags: 'long',
  timeout: 150_000,
}, async () => {
  agent = await startSidecar(settings());
  await expect.poll(async () => (await ready()).code).toBe(200);
  line.fate = () => 'lost';
  await expect.poll(async () => (await ready()).code, { timeout: 40_000 }).toBe(503);
  await expect
    .poll(async () => (await ready()).dependencies, { timeout: 40_000 })
    .toMatchObject({
      chain: { ok: false, reason: 'chain_unavailable', detail: 'The chain does not answer.' },
      rescues: { ok: false, reason: 'guards_unread' },
    });
  const sick = await scrape();
  expect(sick).toContainEqual({ name: 'bowline_ready', labels: {}, value: 0 });
  expect(sick).toContainEqual({
    name: 'bowline_unready_reason',
    labels: { dependency: 'chain', reason: 'chain_unavailable' },
    value: 1,
  });
  line.fate = () => 'answered';
  await expect.poll(async () => (await ready()).code, { timeout: 30_000 }).toBe(200);
});

test('AG-71: while the stop file exists nothing begins, /ready says so, and it goes on when the file is gone', async () => {
  writeFileSync(stopFile, '');
  const planId = await createPlan();
  const before = await sent();
  agent = await startSidecar(settings());
  await agent.logged('stop_file.found', { level: 'warn' });
  await agent.logged('tick.end', { loop: 'executor', stopped: 1 });
  expect(await ready()).toMatchObject({
    code: 503,
    dependencies: { stop_file: { ok: false, needed: true, reason: 'stop_file' }, 'loan-guard': { ok: true } },
  });
  expect(await scrape()).toContainEqual({ name: 'bowline_stopped', labels: {}, value: 1 });
  expect([await records(planId), await sent()]).toEqual([0, before]);
  rmSync(stopFile);
  await agent.logged('run.executed', { planId: `${planId}` });
  await expect.poll(async () => (await ready()).code).toBe(200);
}, 150_000);

test('AG-71: told to stop while a transaction is in no block, it ends within five seconds and says what is left', async () => {
  await stopMining?.();
  stopMining = undefined;
  const planId = await createPlanMined();
  const before = await sent();
  agent = await startSidecar(settings());
  await expect.poll(sent, { timeout: 30_000 }).toBe(before + 1);
  const from = performance.now();
  expect(await agent.stop()).toBe(0);
  expect(performance.now() - from).toBeLessThan(5_500);
  expect(await agent.logged('agent.stopped')).toBeDefined();
  expect(await records(planId)).toBe(0);
}, 150_000);

async function createPlanMined(): Promise<bigint> {
  await chain.setAutomine(true);
  const planId = await createPlan();
  await chain.setAutomine(false);
  return planId;
}
