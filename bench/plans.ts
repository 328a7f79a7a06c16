// How long plans wait for their runs when many are due in one slot among many more: time, CPU and requests of a round that
// finds nothing to do, then the chain time from the slot's start to the first and to the last run. Every due plan really
// runs: through the agent's own loop and a plain key, on a chain with a block every 0.45 s.
//
//   npm run bench:plans -- [--plans 10000] [--due 1000] [--rtt 0] [--record]

import { loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { timers } from '@bowline/http/clock';
import { connectChain } from '../agent/src/chain/chain-client.ts';
import { createPlanReader } from '../agent/src/chain/plan-reader.ts';
import { executorTick } from '../agent/src/loops/executor/tick.ts';
import { startLoop } from '../agent/src/loops/runner.ts';
import { type DeployedChain, startDeployedChain } from '../agent/test/chain/deployed-chain.ts';
import { type Fate, startRpcProxy } from '../agent/test/chain/rpc-proxy.ts';
import { endSenders, executorDeps, keepLog } from '../agent/test/loops/world.ts';
import { mineEvery } from '../script/local/miner.ts';
import { setPrice } from '../script/local/oracle.ts';
import { priceUsd8 } from '../script/local/prices.ts';
import { bob } from '../test/local/accounts.ts';
import { figure, record, type Table } from './record.ts';
import { makePlans } from './scale/plans.ts';

const { values } = parseArgs({
  options: {
    plans: { type: 'string', default: '10000' },
    due: { type: 'string', default: '1000' },
    rtt: { type: 'string', default: '0' },
    record: { type: 'boolean', default: false },
  },
});
const [plans, due, rttMs] = [values.plans, values.due, values.rtt].map(Number) as [number, number, number];
const owners = Math.min(50, due);
/** The chain's clock is set on, to this long before the slot. */
const beforeSeconds = 15;
/** From the slot's start, before what has not run counts as not run. */
const patienceSeconds = 300;
const hour = 3_600;

const world = await startDeployedChain({ forgets: true });
const proxy = await startRpcProxy(world.url);
const stops: (() => unknown)[] = [() => world.stop(), () => proxy.stop()];
try {
  const { chain } = world;
  const startAt = Number((await chain.getBlock()).timestamp) + hour;
  const from = performance.now();
  await makePlans(world, owners, [
    { count: due, startAt },
    { count: plans - due, startAt: startAt + 24 * hour },
  ]);
  console.log(`${plans} plans made in ${((performance.now() - from) / 1000).toFixed(0)} s`);
  if (rttMs > 0) {
    proxy.fate = async (): Promise<Fate> => {
      await sleep(rttMs);
      return 'answered';
    };
  }
  const read = await readAll(world);
  const ran = await runDue(world, startAt);
  record(values.record, 'plans', [
    [`${figure(plans)} plans, of which ${figure(due)} are due at one time`, 'measured', 'aim'],
    ...read,
    ...ran,
  ]);
} finally {
  for (const stop of stops.toReversed()) await stop();
}

/** What a round costs that finds nothing to do: it reads every plan. */
async function readAll({ book }: DeployedChain): Promise<Table> {
  const reader = createPlanReader(connectChain(proxy.url), book.own, book.assets);
  const first = await measured(() => reader.plans());
  const later: Measured[] = [];
  for (let round = 0; round < 5; round++) later.push(await measured(() => reader.plans()));
  const again = later.toSorted((a, b) => a.ms - b.ms)[2] as Measured;
  console.log(`+${rttMs} ms a request, load ${loadavg()[0]?.toFixed(1)}`);
  for (const [what, { ms, cpuMs, requests }] of [
    ['first reading', first],
    ['a round', again],
  ] as const) {
    console.log(`  ${what.padEnd(16)} ${ms.toFixed(0)} ms, ${cpuMs.toFixed(0)} ms of CPU, ${requests} requests`);
  }
  console.log('                   (aim of a round: 1,000 ms, 10 requests)');
  const cell = ({ ms, cpuMs, requests }: Measured) => {
    return `${figure(ms)} ms, ${figure(cpuMs)} ms of CPU, ${requests} requests`;
  };
  return [
    ['first reading', cell(first), ''],
    ['a round without work', cell(again), '1,000 ms, 10 requests'],
  ];
}

async function runDue({ chain, book, url }: DeployedChain, startAt: number): Promise<Table> {
  await chain.setNextBlockTimestamp({ timestamp: BigInt(startAt - beforeSeconds) });
  await chain.mine({ blocks: 1 });
  // Prices are refused when they are older than three minutes.
  const answerAnew = async () => {
    for (const symbol of ['BTCB', 'USDT'] as const) await setPrice(chain, bob, symbol, priceUsd8[symbol]);
  };
  await answerAnew();
  await chain.setAutomine(false);
  stops.push(mineEvery(url, 0.45));
  const answering = setInterval(() => void answerAnew().catch(() => {}), 60_000);
  stops.push(() => clearInterval(answering));

  const log = keepLog();
  const loop = startLoop(
    'executor',
    executorTick(executorDeps({ ...world, url: proxy.url }, { log })),
    900,
    timers,
    log,
  );
  stops.push(endSenders, loop.stop);
  const executed = () => log.lines.filter(({ event }) => event === 'run.executed').length;
  const [cpu, requests] = [process.cpuUsage(), proxy.requests];
  for (;;) {
    const { timestamp } = await chain.getBlock();
    if (executed() >= due || Number(timestamp) > startAt + patienceSeconds) break;
    await sleep(500);
  }
  await loop.stop();
  const { user, system } = process.cpuUsage(cpu);

  const reader = createPlanReader(connectChain(url), book.own, book.assets);
  const waited: number[] = [];
  for (const { id, records, runs } of (await reader.plans()).plans) {
    if (runs === 0) continue;
    for (const { outcome, time } of await reader.runs(id, 0, records)) {
      if (outcome === 'executed') waited.push(Number(time) - startAt);
    }
  }
  waited.sort((a, b) => a - b);
  const median = waited[Math.floor(waited.length / 2)];
  console.log(`  ${waited.length} of ${due} due plans ran, load ${loadavg()[0]?.toFixed(1)}`);
  console.log(`  first after ${waited.at(0)} s (aim 5), median ${median} s, last ${waited.at(-1)} s (aim 60)`);
  const each = (total: number) => (total / due).toFixed(1);
  console.log(`  ${each((user + system) / 1000)} ms of CPU and ${each(proxy.requests - requests)} requests a run`);
  for (const { event, ...fields } of log.lines.filter((line) => line.event === 'tick.end'))
    console.log(' ', event, fields);
  if (waited.length < due) process.exitCode = 1;
  return [
    ['due plans that ran', figure(waited.length), figure(due)],
    ['from the slot to the first run', `${waited.at(0)} s`, '5 s'],
    ['to the median and the last run', `${median} s, ${waited.at(-1)} s`, 'last 60 s'],
    ['each run', `${each((user + system) / 1000)} ms of CPU, ${each(proxy.requests - requests)} requests`, ''],
  ];
}

interface Measured {
  readonly ms: number;
  readonly cpuMs: number;
  readonly requests: number;
}

async function measured(work: () => Promise<unknown>): Promise<Measured> {
  const [from, cpu, before] = [performance.now(), process.cpuUsage(), proxy.requests];
  await work();
  const { user, system } = process.cpuUsage(cpu);
  return { ms: performance.now() - from, cpuMs: (user + system) / 1000, requests: proxy.requests - before };
}
