// Counts the blocks from a shortfall to its rescue, on a chain with BNB Chain's blocks, through a proxy that delays each
// request: one loan at a time, by the price or by its borrower; then a hundred by the price in one block; then a crowd.
// All guards that the agent watches are on real loans, each on its own.
//
//   npm run lab -- bench:rescue [--rtt 0,30,100] [--keys 1,2] [--poll 450] [--guards 10000] [--trials 20] [--crash 100] [--crowd 1000]
//     [--block-ms 450] [--block-gas 55000000] [--record]
//
// The agent polls at its default settings, and has as many rescue keys as each of `keys`, besides the keeper's.
// BEP-670, a draft: --block-ms 250 --block-gas 30000000

import { loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { blockGas, blockSeconds } from '../world/block.ts';
import type { EncodedCall } from '../world/chain.ts';
import { mineEvery } from '../world/miner.ts';
import { priceUsd8 } from '../world/prices.ts';
import { figure, record } from './record.ts';
import { act, rescued, startAgent, startWorld } from './scale/agent.ts';
import { borrowerAt, borrowMore, makeLoans, priceChange, type Terms } from './scale/loans.ts';

const { values } = parseArgs({
  options: {
    rtt: { type: 'string', default: '0,30,100' },
    keys: { type: 'string', default: '1,2' },
    poll: { type: 'string', default: '450' },
    'block-ms': { type: 'string', default: String(1000 * blockSeconds) },
    'block-gas': { type: 'string', default: String(blockGas) },
    guards: { type: 'string', default: '10000' },
    trials: { type: 'string', default: '20' },
    crash: { type: 'string', default: '100' },
    crowd: { type: 'string', default: '1000' },
    record: { type: 'boolean', default: false },
  },
});
const [watched, trials, crashed, crowd] = [values.guards, values.trials, values.crash, values.crowd].map(Number) as [
  number,
  number,
  number,
  number,
];
const restBlocks = 20n;
const [blockMs, gasLimit] = [Number(values['block-ms']), BigInt(values['block-gas'])];
const runs = values.keys
  .split(',')
  .flatMap((keys) => values.rtt.split(',').map((rtt) => ({ rescueKeys: Number(keys), rttMs: Number(rtt) })));

// Collateral counts 800, and the trigger is 1.1. A price fall of 7 % endangers loans with a debt of 700.
/** Endangered one after the other by price falls of a thousandth each. */
const falling = (at: number): Terms => ({
  collateral: 'BTCB',
  amount: '0.01',
  debt: ((800 * (1 - (at + 0.5) / 1000)) / 1.1).toFixed(6),
});
/** Endangered by borrowing more. */
const drawing: Terms = { collateral: 'ETH', amount: '0.25', debt: '600' };
const inCrash: Terms = { collateral: 'BTCB', amount: '0.01', debt: '700' };
const inCrowd: Terms = { collateral: 'ETH', amount: '0.25', debt: '700' };
const calm: Terms = { collateral: 'BTCB', amount: '0.01', debt: '500' };
const times = <Item>(count: number, item: Item): Item[] => Array.from({ length: count }, () => item);
const loans = [
  ...times(trials, calm).map((_, at) => falling(at)),
  ...times(trials, drawing),
  ...times(crashed, inCrash),
  ...times(crowd, inCrowd),
  ...times(watched - 2 * trials - crashed - crowd, calm),
];

const world = await startWorld();
const { chain } = world;
try {
  const from = performance.now();
  await makeLoans(world, loans);
  console.log(`${loans.length} loans and guards made in ${((performance.now() - from) / 1000).toFixed(0)} s`);
  const columns: Record<string, string>[] = [];
  for (const run of runs) {
    const made = await chain.snapshot();
    columns.push(await measure(run));
    await chain.revert({ id: made });
    await chain.setAutomine(true);
  }
  const rows = Object.keys(columns[0] ?? {}).map((what) => [what, ...columns.map((column) => column[what] ?? '')]);
  const titles = runs.map(({ rttMs, rescueKeys }) => `+${rttMs} ms, ${rescueKeys} key${rescueKeys === 1 ? '' : 's'}`);
  const header = ['blocks from a shortfall to its rescue', ...titles];
  record(values.record, 'rescue', [header, ...rows], blockMs === 1000 * blockSeconds ? 'rescue' : 'rescuefast');
} finally {
  await world.stop();
}

/** The measured values, by name. */
async function measure({ rttMs, rescueKeys }: (typeof runs)[number]): Promise<Record<string, string>> {
  const began = performance.now();
  const agent = await startAgent(world, { rttMs, rescueKeys, settings: { GUARD_BLOCK_POLL_MS: values.poll } });
  console.log(`\n+${rttMs} ms a request, a poll every ${values.poll} ms, ${rescueKeys} rescue keys and the keeper's`);
  console.log(
    `a block of ${gasLimit} gas every ${blockMs} ms, ${loans.length} guards, load ${loadavg()[0]?.toFixed(1)}`,
  );
  line('first round', `${((performance.now() - began) / 1000).toFixed(1)} s`);
  await chain.setAutomine(false);
  await chain.setBlockGasLimit({ gasLimit });
  const stopMining = mineEvery(world.url, blockMs / 1000);
  try {
    await sleep(3_000);
    const rest = await agent.during(() => blocksPass(restBlocks));
    const [node] = rest.nodes;
    line('at rest, a block', `${node?.calls} requests: ${node?.methods}`, 'aim 5');
    line('', `longest round ${rest.roundMs} ms, CPU of the agent ${rest.cpuMs} ms a block`);
    const byPrice = await oneByOne(0, (at) => priceChange('BTCB', (priceUsd8.BTCB * BigInt(999 - at)) / 1000n));
    line('one, by the price', spread(byPrice), `aim p99 ${rttMs === 0 ? 1 : 2}`, agent.trouble());
    const byOwner = await oneByOne(trials, (at) => borrowMore(borrowerAt(at), '150'));
    line('one, by its borrower', spread(byOwner), 'aim 10 and the above', agent.trouble());
    const inCrash = await fall(agent, 'BTCB', crashed, 2 * trials, rttMs === 0 ? 2 : 3);
    const inCrowd = await fall(agent, 'ETH', crowd, 2 * trials + crashed, 12);
    const one = (by: string, aim: string) => `one loan by ${by}, ${trials} times: median, p99 (aim ${aim})`;
    const many = (count: number, aim: string) =>
      `${figure(count)} loans in one block: median, p90, last (aim last ${aim})`;
    return {
      'at rest, requests a block (aim 5)': node?.calls ?? '',
      'at rest, CPU of the agent a block': `${rest.cpuMs} ms`,
      [one('the price', 'p99 1, then 2')]: quantiles(byPrice, 0.5, 0.99),
      [one("its borrower's act", '10 and the above')]: quantiles(byOwner, 0.5, 0.99),
      [many(crashed, '2, then 3')]: quantiles(inCrash, 0.5, 0.9, 1),
      [many(crowd, '12')]: quantiles(inCrowd, 0.5, 0.9, 1),
    };
  } finally {
    await stopMining();
    await agent.stop();
  }
}

/** Endangers the loans from `first` on one after the other. @returns the blocks to each rescue. */
async function oneByOne(first: number, shortfall: (at: number) => EncodedCall): Promise<number[]> {
  const blocks: number[] = [];
  for (let at = first; at < first + trials; at++) {
    blocks.push(...(await rescued(world, await act(world, shortfall(at)), [at])));
    // A random moment within a block.
    await sleep(Math.random() * blockMs);
  }
  return blocks;
}

/** Endangers `count` loans from `first` on at once. @returns the blocks to each rescue. */
async function fall(
  agent: Awaited<ReturnType<typeof startAgent>>,
  symbol: 'BTCB' | 'ETH',
  count: number,
  first: number,
  aim: number,
): Promise<number[]> {
  let blocks: number[] = [];
  const cost = await agent.during(async () => {
    const fell = await act(world, priceChange(symbol, (priceUsd8[symbol] * 93n) / 100n));
    blocks = await rescued(
      world,
      fell,
      Array.from({ length: count }, (_, at) => first + at),
    );
  });
  line(`${count} in one block`, spread(blocks), `aim last ${aim}`, agent.trouble());
  const asked = `${cost.nodes[0]?.calls} requests a block`;
  line('', `${asked}, longest round ${cost.roundMs} ms, a block every ${cost.blockMs} ms`);
  return blocks;
}

async function blocksPass(count: bigint): Promise<void> {
  const from = await chain.getBlockNumber();
  while ((await chain.getBlockNumber()) < from + count) await sleep(200);
}

function spread(blocks: readonly number[]): string {
  const shares = { first: 0, median: 0.5, p90: 0.9, p99: 0.99, last: 1 };
  return Object.entries(shares)
    .map(([name, share]) => `${name} ${quantiles(blocks, share)}`)
    .join(', ');
}

function quantiles(blocks: readonly number[], ...shares: number[]): string {
  const sorted = blocks.toSorted((a, b) => a - b);
  return shares.map((share) => sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)]).join(', ');
}

function line(what: string, measured: string, aim = '', logged = ''): void {
  console.log(`  ${what.padEnd(20)} ${measured}${aim && `   (${aim})`}`);
  if (logged !== '') console.log(`  ${'logged'.padEnd(20)} ${logged}`);
}
