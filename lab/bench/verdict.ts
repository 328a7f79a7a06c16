// Cost of a verdict: requests to the node, CPU, the duration of a whole check_asset next to one bare eth_call of the same
// run, with 0, 20 and 100 ms of added latency to the node, and verdicts a second over HTTP. The exchange, which is asked in
// parallel, answers from memory; Pyth is off.
//
//   npm run lab -- bench:verdict [--verdicts 100] [--record]

import { Agent, request } from 'node:http';
import { parseArgs } from 'node:util';
import { startDeployedChain } from '../../packages/chain/test/deployed-chain.ts';
import { startRpcProxy } from '../../packages/chain/test/rpc-proxy.ts';
import { figure, record, type Table } from './record.ts';
import { createAsker } from './verdict/asker.ts';
import { startSlowLine } from './verdict/slow-line.ts';
import { measureThroughput } from './verdict/throughput.ts';

const { values } = parseArgs({
  options: { verdicts: { type: 'string', default: '100' }, record: { type: 'boolean', default: false } },
});
/** Of each. */
const count = Number(values.verdicts);
/** What an agent that has run for a minute has compiled. */
const warmUp = 1_000;

/** What the last verdict asked the node. */
let asked = Buffer.alloc(0);

const world = await startDeployedChain();
try {
  const requests = await measureRequests();
  const direct = createAsker(world, world.url);
  for (let each = 0; each < warmUp; each++) await direct.verdict();
  const cpu = await measureCpu(direct.verdict);
  const ratios = await measureRatios(direct);
  const served = await measureThroughput(world);
  record(values.record, 'verdict', [['', 'measured', 'aim'], ...requests, ...cpu, ...ratios, ...served]);
} finally {
  await world.stop();
}

async function measureRequests(): Promise<Table> {
  const counted = await startRpcProxy(world.url);
  counted.fate = (_method, body) => {
    asked = Buffer.from(body);
    return 'answered';
  };
  const { call, verdict, question } = createAsker(world, counted.url);
  await verdict();
  counted.requests = 0;
  counted.methods.length = 0;
  for (let each = 0; each < count; each++) await verdict();
  const requests = counted.requests / count;
  const result = await call('check_asset', question);
  if (!result.ok) throw new Error(result.message);
  await counted.stop();
  return [
    [
      'requests to the node',
      `${requests}, a batch of ${[...new Set(counted.methods)].map((name) => `\`${name}\``).join(', ')}`,
      '1',
    ],
  ];
}

/** The least of several rounds: others' work on this machine only ever adds. */
async function measureCpu(verdict: () => Promise<unknown>): Promise<Table> {
  const rounds: number[] = [];
  for (let round = 0; round < 5; round++) {
    const before = process.cpuUsage();
    for (let each = 0; each < count; each++) await verdict();
    const { user, system } = process.cpuUsage(before);
    rounds.push((user + system) / 1000 / count);
  }
  return [['CPU, the least of five rounds', `${figure(Math.min(...rounds), 2)} ms`, '2 ms']];
}

async function measureRatios(direct: Pick<ReturnType<typeof createAsker>, 'bare' | 'verdict'>): Promise<Table> {
  const table: string[][] = [];
  for (const delayMs of [0, 20, 100]) {
    const line = delayMs === 0 ? undefined : await startSlowLine(world.url, delayMs);
    const { bare, verdict } = line ? createAsker(world, line.url) : direct;
    const alone = sender(line?.url ?? world.url, asked);
    await Promise.all([bare(), alone(), verdict()]);
    const [bareMs, aloneMs, wholeMs] = await medians(bare, alone, verdict);
    const way = delayMs === 0 ? 'node on the same machine' : `node ${delayMs} ms away`;
    const ofNode = figure(aloneMs / bareMs, 2);
    const measured = `${figure(wholeMs, 1)} ms, ${figure(wholeMs / bareMs, 2)} times a bare call; its request alone ${ofNode}`;
    table.push([`time, ${way}`, measured, delayMs === 20 ? '1.25 times' : '']);
    await line?.stop();
  }
  return table;
}

/** Sends those bytes to the node and reads the answer: what a verdict would take that cost the agent nothing. */
function sender(url: string, body: Buffer): () => Promise<void> {
  const agent = new Agent({ keepAlive: true });
  const headers = { 'content-type': 'application/json', 'content-length': body.length };
  return () =>
    new Promise((resolve, reject) => {
      const sent = request(url, { method: 'POST', agent, headers }, (response) => {
        response.on('error', reject).on('end', resolve).resume();
      });
      sent.on('error', reject).end(body);
    });
}

/** In turns, so that all see the same load on this machine. */
async function medians(...works: (() => Promise<unknown>)[]): Promise<[number, number, number]> {
  const times = works.map((): number[] => []);
  for (let each = 0; each < count; each++) {
    for (const [at, work] of works.entries()) {
      const from = performance.now();
      await work();
      times[at]?.push(performance.now() - from);
    }
  }
  const [first = 0, second = 0, third = 0] = times.map((each) => each.toSorted((a, b) => a - b)[Math.floor(count / 2)]);
  return [first, second, third];
}
