import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { Excuse } from '../../agent/test/sim/excuses.ts';
import { type Agents, startAgents } from './agents.ts';
import { cases } from './cases.ts';
import { bundlerFaults, nodeFaults } from './faults.ts';
import { lateOf, readyOf, startJudge } from './judge.ts';
import { type Line, startLine } from './line.ts';
import { type Living, startLiving } from './living.ts';

// The agent as a process, on a living chain, through lines to its node and its bundler that fail in every way we know.
// Each loan is rescued once and in time, each slot is run once, and both are reported. CH-11.

/** The promise is the outage plus 5 s. The other 5 s allow for polling the chain and for a shared machine. */
const rescueMs = 10_000;
/** A run that was handed over is given up after 30 s, and judged again. */
const runMs = 45_000;
const folder = '.cache/deployments/faults';
const scratch = mkdtempSync(join(tmpdir(), 'bowline-faults-'));
const clockFile = join(scratch, 'clock');
let living: Living;
let node: Line;
let bundler: Line;
let agents: Agents;
let owner: Awaited<ReturnType<Living['owner']>>;
const guardIds: bigint[] = [];
const told: string[] = [];
let turn = 0;

beforeAll(async () => {
  living = await startLiving(folder, (trouble) => told.push(`market: ${trouble}`));
  node = await startLine(living.chain.url);
  bundler = await startLine(living.bundlerUrl);
  for (let at = 0; at < 3; at++) guardIds.push(await living.guardedLoan());
  owner = await living.owner();
  agents = await startAgents({
    RPC_URL: node.url,
    BUNDLER_URL: bundler.url,
    MARKET_DATA_URL: living.marketUrl,
    PYTH_URL: living.marketUrl,
    DEPLOYMENTS_DIR: folder,
    RESCUE_PRIVATE_KEYS: living.rescuerKey,
    EXECUTOR_INTERVAL_SECONDS: '2',
    DATA_DIR: scratch,
    LOG_LEVEL: 'info',
    NODE_OPTIONS: `--import ${new URL('clock.mjs', import.meta.url)}`,
    CLOCK_FILE: clockFile,
  });
}, 600_000);
afterAll(async () => {
  await agents?.end('SIGTERM');
  await node?.stop();
  await bundler?.stop();
  await living?.stop();
  rmSync(scratch, { recursive: true });
  console.log(told.join('\n'));
});
afterEach(() => {
  node.set(undefined);
  bundler.set(undefined);
});

interface Trial {
  readonly name: string;
  /** Causes the fault, makes a loan fall, and resolves when the fault is over. A slot opens within two seconds. */
  readonly goWrong: (fall: () => Promise<void>) => Promise<void>;
  readonly isUntold?: boolean;
  readonly unready?: readonly string[];
}

/** One loan falls and one slot opens while something is wrong. */
async function tryIt({ name, goWrong, isUntold = false, unready = [] }: Trial): Promise<void> {
  const guardId = guardIds[turn++ % guardIds.length] as bigint;
  await expect.poll(async () => (await readyOf(agents.current().url))?.ready, { timeout: 60_000 }).toBe(true);
  // Time for two rounds, so that the agent knows the slot before it opens.
  const startAt = Math.ceil(Date.now() / 1000) + 6;
  const planId = await living.plan(owner, { buys: 'BTCB', amount: '100', periodSeconds: 3600, startAt });
  await sleep(startAt * 1000 - 1_500 - Date.now());
  const before = await living.rescues(guardId);
  const lines = agents.log().length;
  const judge = startJudge({ due: () => living.due([guardId]), ready: () => readyOf(agents.current().url) });
  const fallen = { ms: 0 };
  const excuse = { fromMs: Date.now(), toMs: 0 };
  await goWrong(async () => {
    await living.fall(guardId);
    fallen.ms = Date.now();
  });
  excuse.toMs = Date.now();
  const said = (event: string, id: object) =>
    agents
      .log()
      .slice(lines)
      .filter((line) => line.event === event && Object.entries(id).every(([k, v]) => line[k] === `${v}`));
  const executed = async () => (await living.runs(planId)).filter(({ outcome }) => outcome === 'executed');

  await expect.poll(async () => (await living.rescues(guardId)).length, { timeout: 60_000 }).toBe(before.length + 1);
  await expect.poll(executed, { timeout: 90_000 }).toHaveLength(1);
  const [run] = await executed();
  const ranMs = (run?.time ?? 0) * 1000;
  if (!isUntold) {
    await expect.poll(() => said('rescue.done', { guardId }), { timeout: 30_000 }).toHaveLength(1);
    await expect.poll(() => said('run.executed', { planId }), { timeout: 30_000 }).toHaveLength(1);
  }
  await expect.poll(async () => (await readyOf(agents.current().url))?.ready, { timeout: 60_000 }).toBe(true);
  await expect.poll(() => judge.isWaiting()).toBe(false);
  await judge.stop();

  const excuses: Excuse[] = [excuse];
  const lateMs = Math.max(...judge.waits.map((wait) => lateOf(wait, excuses, rescueMs)));
  const waitedMs = Math.max(...judge.waits.map(({ fromMs, toMs }) => toMs - fromMs));
  const runLateMs = Math.max(0, ranMs - excuse.toMs);
  const seconds = (ms: number) => (ms / 1000).toFixed(1).padStart(5);
  const warned = new Map<string, number>();
  for (const { event, level } of agents.log().slice(lines))
    if (level === 'warn' || level === 'error') warned.set(event, (warned.get(event) ?? 0) + 1);
  told.push(
    `${name.padEnd(24)} rescue ${seconds(waitedMs)} s, ${seconds(lateMs)} s beyond; run ${seconds(runLateMs)} s beyond  ` +
      `${[...judge.reasons.keys()].join(' ')}  ${[...warned].map(([event, count]) => `${event}×${count}`).join(' ')}`,
  );
  expect(said('tick.failed', {})).toEqual([]);
  // Once the agent sees the chain again, a rescue has only begun to wait for it.
  const isSeen = (atMs: number) => atMs >= excuse.toMs && atMs <= excuse.toMs + rescueMs;
  expect(judge.readyAlthough.filter(({ atMs }) => !isSeen(atMs))).toEqual([]);
  if (unready.length > 0) expect(unready).toContain([...judge.reasons.keys()].find((each) => unready.includes(each)));
  expect(lateMs, 'rescue too late').toBeLessThanOrEqual(rescueMs);
  expect(runLateMs, 'run too late').toBeLessThanOrEqual(runMs);
  expect(await living.rescues(guardId)).toHaveLength(before.length + 1);
}

for (const { fault, seconds, ...rest } of cases) {
  test(`CH-11: ${fault} for ${seconds} s`, { tags: 'long', timeout: 240_000 }, () =>
    tryIt({
      name: fault,
      ...rest,
      goWrong: async (fall) => {
        const line = fault in nodeFaults ? node : bundler;
        line.set({ ...nodeFaults, ...bundlerFaults }[fault]());
        await Promise.all([fall(), sleep(seconds * 1000)]);
        // Otherwise the fault was never met.
        expect(line.requests()).toBeGreaterThan(0);
        node.set(undefined);
        bundler.set(undefined);
      },
    }),
  );
}

for (const seconds of [7_200, -7_200]) {
  test(`CH-11: the clock jumps by ${seconds} s while it runs`, { tags: 'long', timeout: 240_000 }, () =>
    tryIt({
      name: `clock ${seconds} s`,
      unready: ['head_old', 'head_in_future'],
      goWrong: async (fall) => {
        writeFileSync(clockFile, `${seconds}`);
        agents.current().signal('SIGUSR2');
        await fall();
        const guard = guardIds[(turn - 1) % guardIds.length] as bigint;
        // Rescues follow the chain's time, so the jump excuses nothing.
        await expect.poll(() => living.due([guard]), { timeout: 15_000 }).toEqual([]);
        await sleep(10_000);
        writeFileSync(clockFile, '0');
        agents.current().signal('SIGUSR2');
      },
    }),
  );
}

test('CH-11: the process stands still for 15 s', { tags: 'long', timeout: 240_000 }, () =>
  tryIt({
    name: 'paused',
    goWrong: async (fall) => {
      agents.current().signal('SIGSTOP');
      await Promise.all([fall(), sleep(15_000)]);
      agents.current().signal('SIGCONT');
    },
  }),
);

// While it reads, simulates, has signed, waits for a block, reports.
for (const ms of [50, 200, 400, 700, 1_200, 2_500]) {
  test(`CH-11: killed ${ms} ms after a loan fell`, { tags: 'long', timeout: 240_000 }, () =>
    tryIt({
      name: `killed after ${ms} ms`,
      isUntold: true,
      goWrong: async (fall) => {
        await fall();
        await sleep(ms);
        await agents.restart('SIGKILL');
      },
    }),
  );
}
