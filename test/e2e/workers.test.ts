import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Readiness } from '@bowline/core/domain/readiness';
import { type Address, parseEther } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { loanGuardAbi, planRegistryAbi } from '../../abis/index.ts';
import { rankOf } from '../../agent/src/workers/turns.ts';
import { borrow, introduce, setGuard, stranger } from '../../agent/test/loans.ts';
import { samplesIn } from '../../agent/test/process/promql.ts';
import { walletOf } from '../../lab/world/account-abstraction.ts';
import { tokens } from '../../lab/world/addresses.ts';
import { type Chain, connect } from '../../lab/world/chain.ts';
import { type LocalChain, startLocalChain } from '../../lab/world/fork.ts';
import { mineEvery } from '../../lab/world/miner.ts';
import { setPrice } from '../../lab/world/oracle.ts';
import { priceUsd8 } from '../../lab/world/prices.ts';
import { type Contracts, deployContracts, keeper } from '../../lab/world/start/contracts.ts';
import { planTerms } from '../../packages/chain/test/deployed-chain.ts';
import { approve, bob, give } from '../local/accounts.ts';
import { freePort } from '../local/free-port.ts';
import { type Pyth, servePyth } from './pyth.ts';
import { hasRedis, type RedisServer, startRedis } from './redis-server.ts';
import { notingModules, type Sidecar, startSidecar } from './sidecar.ts';

// AG-82: three agents as processes, which share guards, plans and the operator's wallet through a real Redis.

const folder = '.cache/deployments/workers';
const password = 'only-the-workers-know';
const kept = mkdtempSync(join(tmpdir(), 'bowline-workers-'));
/** Keys that carry rescues and the wallet's operations, one for each worker. */
const carriers = [2, 3, 4].map((digit) => `0x${`${digit}`.repeat(64)}` as const);
const addressOf = (at: number): string => privateKeyToAccount(carriers[at] as `0x${string}`).address.toLowerCase();

/** Loans against one BTCB. Each is below its trigger at the price of its crash, and at no earlier crash. */
const crashes = [
  { debt: '70000', priceUsd: 93_000n },
  { debt: '62000', priceUsd: 85_000n },
  { debt: '56000', priceUsd: 76_000n },
  { debt: '50000', priceUsd: 68_000n },
] as const;
const loansEach = 6;
const owners = Array.from({ length: 9 }, (_, at) => stranger(130 + at));
const period = 60;
/** As in PlanRegistry's enum. */
const executed = 1;

let local: LocalChain;
let chain: Chain;
let own: Contracts;
let pyth: Pyth;
let stopMining: (() => Promise<void>) | undefined;
let redisPort: number;
let redis: RedisServer;
const agents: Sidecar[] = [];

const readGuard = <Name extends 'rescues' | 'guardCount'>(functionName: Name, args: readonly unknown[]) =>
  chain.readContract({ address: own.loanGuard, abi: loanGuardAbi, functionName, args } as never);
const rescuesOf = async (guardId: number) =>
  ((await readGuard('rescues', [BigInt(guardId), 0n, 99n])) as readonly unknown[]).length;

/** The records of a plan, each with its slot, counted from the plan's start. */
async function slotsOf(planId: number, startAt: number) {
  const records = await chain.readContract({
    address: own.planRegistry,
    abi: planRegistryAbi,
    functionName: 'runs',
    args: [BigInt(planId), 0n, 99n],
  });
  return records.map(({ time, outcome }) => ({
    slot: Math.floor((Number(time) - startAt) / period),
    isRun: outcome === executed,
  }));
}

/** A plan that buys ETH for 100 USDT every minute. */
async function createPlan(owner: Address, startAt: number): Promise<void> {
  await give(chain, owner, 'USDT', '1000');
  await approve(chain, owner, 'USDT', own.planRegistry, parseEther('1000'));
  const terms = {
    ...planTerms(own, owner, startAt),
    tokenOut: tokens.ETH,
    periodSeconds: period,
    windowSeconds: period,
  };
  await chain.send(owner, own.planRegistry, { abi: planRegistryAbi, functionName: 'create', args: [terms] });
}

const settings = (at: number) => ({
  RPC_URL: local.url,
  RESCUE_PRIVATE_KEYS: carriers[at] as string,
  MARKET_DATA_URL: 'off',
  PYTH_URL: pyth.url,
  DEPLOYMENTS_DIR: folder,
  DATA_DIR: join(kept, `data-${at}`),
  ...notingModules(join(kept, `modules-${at}`)),
});
const start = (at: number) => startSidecar({ ...settings(at), REDIS_URL: redis.url });

const ready = async ({ url }: Sidecar) => {
  const response = await fetch(`${url}/ready`);
  return { code: response.status, ...((await response.json()) as Readiness) };
};
const countOf = ({ log }: Sidecar, event: string) => log.filter((line) => line.event === event).length;

const guardsOf = (crash: number) => Array.from({ length: loansEach }, (_, at) => crash * loansEach + at + 1);
const rescued = async (crash: number) =>
  (await Promise.all(guardsOf(crash).map(rescuesOf))).reduce((sum, count) => sum + count, 0);

async function fall(crash: number): Promise<number> {
  await setPrice(chain, bob, 'BTCB', (crashes[crash]?.priceUsd ?? 0n) * 10n ** 8n);
  const fallen = performance.now();
  // The token that plans buy keeps its price, and has a fresh feed.
  await setPrice(chain, bob, 'ETH', priceUsd8.ETH);
  return fallen;
}

describe.skipIf(!hasRedis())('three workers', { tags: 'long' }, () => {
  beforeAll(async () => {
    local = await startLocalChain();
    chain = connect(local.url);
    const wallet = await walletOf(chain, keeper);
    own = await deployContracts(local.url, folder, new AbortController().signal, { operator: wallet });
    pyth = await servePyth();
    for (const address of [wallet, ...carriers.map((key) => privateKeyToAccount(key).address)]) {
      await chain.setBalance({ address, value: parseEther('10') });
    }
    for (const [at, { debt }] of crashes.entries()) {
      for (let loan = 0; loan < loansEach; loan++) {
        const borrower = stranger(at * loansEach + loan);
        await introduce(chain, borrower);
        await borrow(chain, borrower, debt);
        await setGuard({ chain, book: { own } }, borrower);
      }
    }
    for (const owner of owners) await introduce(chain, owner);
    redisPort = await freePort();
    redis = await startRedis(redisPort, password);
    await chain.setAutomine(false);
    stopMining = mineEvery(local.url, 0.45);
  }, 300_000);
  afterEach(async () => {
    await Promise.all(agents.map((agent) => agent.kill()));
  });
  afterAll(async () => {
    await redis?.kill();
    await stopMining?.();
    await pyth?.stop();
    await local?.stop();
    rmSync(kept, { recursive: true });
  });

  test('AG-82: each guard is rescued once and each slot run once, whoever is killed', async () => {
    // The first start deploys the wallet.
    const alone = await startSidecar(settings(0));
    expect(await alone.stop()).toBe(0);
    for (const at of [0, 1, 2]) agents.push(await start(at));
    const [a, b, c] = agents as [Sidecar, Sidecar, Sidecar];
    for (const agent of agents) await agent.logged('workers.changed', { workers: 3 });
    const { timestamp } = await chain.getBlock();
    const startAt = Number(timestamp) + 20;
    for (const owner of owners) await createPlan(owner, startAt);
    const plans = owners.map((_, at) => at + 1);
    const runIn = async (slot: number) =>
      (await Promise.all(plans.map((id) => slotsOf(id, startAt))))
        .flat()
        .filter((record) => record.slot === slot && record.isRun).length;
    /** Seconds after the slot's start. */
    const secondsInto = async (slot: number) => Number((await chain.getBlock()).timestamp) - startAt - slot * period;
    const untilSlot = async (slot: number) => sleep(Math.max(0, -(await secondsInto(slot))) * 1000);
    const secondsSince = (from: number) => Math.round(performance.now() - from) / 1000;
    const report: Record<string, unknown> = {};

    // All three are alive, and each has a share.
    const crashed = await fall(0);
    await expect.poll(() => rescued(0), { timeout: 40_000 }).toBe(loansEach);
    report.firstCrashSeconds = secondsSince(crashed);
    await untilSlot(0);
    await expect.poll(() => runIn(0), { timeout: 50_000 }).toBe(plans.length);
    report.firstSlotSeconds = await secondsInto(0);
    for (const agent of agents) {
      await agent.logged('run.executed');
      await agent.logged('rescue.done');
    }
    report.rescuesOf = agents.map((agent) => countOf(agent, 'rescue.done'));
    report.runsOf = agents.map((agent) => countOf(agent, 'run.executed'));

    // An emptied Redis changes nothing.
    await redis.client.flushall();
    await sleep(12_000);
    const lastCount = ({ log }: Sidecar) => log.findLast(({ event }) => event === 'workers.changed')?.workers;
    expect(agents.map(lastCount)).toEqual([3, 3, 3]);

    // Each worker ranks first for some of the loans that fall.
    for (const crash of [0, 1, 2]) {
      const ids = [0, 1, 2].map(addressOf);
      const firsts = guardsOf(crash).map((guard) =>
        ids.find(
          (id) =>
            rankOf(
              guard,
              id,
              ids.filter((each) => each !== id),
            ) === 0,
        ),
      );
      expect(new Set(firsts)).toEqual(new Set(ids));
    }

    // Two are killed while they work, and Redis with them. The third still believes that both are alive.
    await untilSlot(1);
    await a.kill();
    const again = await fall(1);
    await expect.poll(() => rescued(1), { interval: 20 }).toBeGreaterThan(0);
    await b.kill();
    await redis.kill();
    report.rescuedBeforeTheKill = await rescued(1);
    await expect.poll(() => rescued(1), { timeout: 40_000 }).toBe(loansEach);
    report.secondCrashSeconds = secondsSince(again);
    await expect.poll(() => runIn(1), { timeout: 60_000 }).toBe(plans.length);
    report.secondSlotSeconds = await secondsInto(1);

    // The third worker goes on, alone and without Redis, and says so.
    const third = await fall(2);
    await expect.poll(() => rescued(2), { timeout: 40_000 }).toBe(loansEach);
    report.thirdCrashSeconds = secondsSince(third);
    await untilSlot(2);
    await expect.poll(() => runIn(2), { timeout: 60_000 }).toBe(plans.length);
    report.thirdSlotSeconds = await secondsInto(2);
    expect(await ready(c)).toMatchObject({
      code: 200,
      dependencies: { workers: { ok: false, needed: false, reason: 'redis_silent' } },
    });
    const metrics = samplesIn(await (await fetch(`${c.url}/metrics`)).text());
    expect(metrics).toContainEqual({ name: 'bowline_workers', labels: {}, value: 3 });
    expect(metrics.find(({ name }) => name === 'bowline_redis_silent_seconds')?.value).toBeGreaterThan(30);

    // An empty Redis and a worker that has nothing but its settings.
    redis = await startRedis(redisPort, password);
    const back = await start(0);
    agents.push(back);
    await back.logged('workers.changed', { workers: 2 });
    const last = Math.ceil(((await secondsInto(0)) + 5) / period);
    await untilSlot(last);
    await back.logged('run.executed');
    await expect.poll(() => runIn(last), { timeout: 60_000 }).toBe(plans.length);
    expect(await ready(c)).toMatchObject({ code: 200, dependencies: { workers: { ok: true } } });

    for (const id of [0, 1, 2].flatMap(guardsOf)) expect(await rescuesOf(id)).toBe(1);
    for (const id of plans) {
      const each = Array.from({ length: last + 1 }, (_, slot) => ({ slot, isRun: true }));
      expect(await slotsOf(id, startAt)).toEqual(each);
    }
    expect(await c.stop()).toBe(0);
    expect(readFileSync(join(kept, 'modules-2'), 'utf8')).toMatch(/node_modules\/ioredis\//);
    for (const { log } of agents) expect(JSON.stringify(log)).not.toContain(password);
    report.reverted = agents.map((agent) => countOf(agent, 'call.reverted') + countOf(agent, 'rescue.failed'));
    console.log(report);
  }, 900_000);

  test('AG-82: a first worker and a Redis that stand still cost eight blocks at most', async () => {
    const alone = await startSidecar(settings(0));
    expect(await alone.stop()).toBe(0);
    for (const at of [0, 1, 2]) agents.push(await start(at));
    const [a, ...others] = agents.slice(-3) as [Sidecar, Sidecar, Sidecar];
    for (const agent of [a, ...others]) await agent.logged('workers.changed', { workers: 3 });
    const rescuesSince = async (fromBlock: bigint) => {
      const of = { address: own.loanGuard, abi: loanGuardAbi, eventName: 'LoanRescued', fromBlock } as const;
      const events = await chain.getContractEvents(of);
      return events.filter(({ args }) => guardsOf(3).includes(Number(args.guardId)));
    };
    redis.signal('SIGSTOP');
    a.signal('SIGSTOP');
    await fall(3);
    const fallen = await chain.getBlockNumber();
    await expect.poll(() => rescued(3), { timeout: 20_000 }).toBe(loansEach);
    const blocks = (await rescuesSince(fallen - 4n)).map(({ blockNumber }) => Number(blockNumber - fallen));
    console.log({ blocks });
    // A worker that is alone takes up to two.
    expect(Math.max(...blocks)).toBeLessThanOrEqual(2 + 8);
    a.signal('SIGCONT');
    redis.signal('SIGCONT');
    await sleep(12_000);
    for (const id of guardsOf(3)) expect(await rescuesOf(id)).toBe(1);
    const failed = (agent: Sidecar) => countOf(agent, 'call.reverted') + countOf(agent, 'rescue.failed');
    expect([a, ...others].map(failed).reduce((sum, count) => sum + count)).toBeLessThanOrEqual(loansEach);
    for (const { log } of [a, ...others])
      expect(log.findLast(({ event }) => event === 'workers.changed')?.workers).toBe(3);
  }, 300_000);
});
