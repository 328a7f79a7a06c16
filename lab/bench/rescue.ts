// Blocks from a shortfall to its rescue, on a chain with BNB Chain's blocks, through a line that delays each request: one
// loan at a time by the price, or by what its borrower does; then a hundred by the price in one block, then a crowd. All
// guards that the agent watches are on real loans, each on one of its own. The agent runs in this process.
//
//   npm run lab -- bench:rescue [--rtt 0,30,100] [--keys 1,2] [--poll 450] [--guards 10000] [--trials 20] [--crash 100] [--crowd 1000]
//     [--block-ms 450] [--block-gas 55000000] [--record]
//
// The agent polls as its settings have it by default, and has as many rescue keys as each of `keys`, beside the keeper's.
// BEP-670, a draft: --block-ms 250 --block-gas 30000000

import { loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { getAbiItem } from 'viem';
import { loanGuardAbi } from '../../abis/index.ts';
import { startDeployedChain } from '../../packages/chain/test/deployed-chain.ts';
import { type Fate, startRpcProxy } from '../../packages/chain/test/rpc-proxy.ts';
import { alice } from '../../test/local/accounts.ts';
import { blockGas, blockSeconds } from '../world/block.ts';
import type { EncodedCall } from '../world/chain.ts';
import { mineEvery } from '../world/miner.ts';
import { priceUsd8 } from '../world/prices.ts';
import { figure, record } from './record.ts';
import { startGuardAgent } from './scale/guard-agent.ts';
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
const patienceMs = 120_000;
const [blockMs, gasLimit] = [Number(values['block-ms']), BigInt(values['block-gas'])];
const settingsOf = values.keys.split(',').map((keys) => ({ rescueKeys: Number(keys), pollMs: Number(values.poll) }));
const runs = settingsOf.flatMap((setting) => values.rtt.split(',').map((rtt) => ({ ...setting, rttMs: Number(rtt) })));

// Of 800 that count, and a trigger of 1.1. A fall of the price by 7 % endangers those with a debt of 700.
/** Endangered one after the other by as many falls of a thousandth. */
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

const world = await startDeployedChain({ forgets: true });
const { chain, book } = world;
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

/** What is told of it, by what it is. */
async function measure({ rttMs, ...setting }: (typeof runs)[number]): Promise<Record<string, string>> {
  const told: Record<string, string> = {};
  const proxy = await startRpcProxy(world.url);
  const stops: (() => unknown)[] = [() => proxy.stop()];
  try {
    if (rttMs > 0) {
      proxy.fate = async (): Promise<Fate> => {
        await sleep(rttMs);
        return 'answered';
      };
    }
    const began = performance.now();
    const agent = await startGuardAgent(world, proxy.url, setting);
    stops.push(agent.stop);
    const { rescueKeys, pollMs } = setting;
    console.log(`\n+${rttMs} ms a request, a poll every ${pollMs} ms, ${rescueKeys} rescue keys and the keeper's`);
    console.log(
      `a block of ${gasLimit} gas every ${blockMs} ms, ${loans.length} guards, load ${loadavg()[0]?.toFixed(1)}`,
    );
    line('first round', `${seconds(performance.now() - began)} s, ${proxy.requests} requests`);
    await chain.setAutomine(false);
    await chain.setBlockGasLimit({ gasLimit });
    stops.push(mineEvery(world.url, blockMs / 1000));
    await sleep(3_000);

    const rest = await during(() => blocksPass(restBlocks));
    line('at rest, a block', `${rest.requests} requests: ${rest.methods}`, 'aim 5');
    line('', `longest round ${rest.roundMs} ms, CPU of this process ${rest.cpuMs} ms a block`);
    told['at rest, requests a block (aim 5)'] = rest.requests;
    told['at rest, CPU of the agent a block'] = `${rest.cpuMs} ms`;

    const byPrice: number[] = [];
    for (let at = 0; at < trials; at++) {
      const fell = await act(priceChange('BTCB', (priceUsd8.BTCB * BigInt(999 - at)) / 1000n));
      byPrice.push(...(await rescued(fell, [at])));
      // At any moment of a block.
      await sleep(Math.random() * blockMs);
    }
    if (trials > 0) line('one, by the price', spread(byPrice), `aim p99 ${rttMs === 0 ? 1 : 2}`);
    told[`one loan by the price, ${trials} times: median, p99 (aim p99 1, then 2)`] = quantiles(byPrice, 0.5, 0.99);
    trouble();
    const byOwner: number[] = [];
    for (let at = trials; at < 2 * trials; at++) {
      const fell = await act(borrowMore(borrowerAt(at), '150'));
      byOwner.push(...(await rescued(fell, [at])));
      await sleep(Math.random() * blockMs);
    }
    if (trials > 0) line('one, by its borrower', spread(byOwner), 'CH-2: within 10 and the above');
    told[`one loan by its borrower's act, ${trials} times: median, p99 (aim 10 and the above)`] = quantiles(
      byOwner,
      0.5,
      0.99,
    );
    trouble();
    await fall('BTCB', crashed, 2 * trials, rttMs === 0 ? 2 : 3);
    await fall('ETH', crowd, 2 * trials + crashed, 12);
    return told;

    async function fall(symbol: 'BTCB' | 'ETH', count: number, first: number, aim: number): Promise<void> {
      if (count === 0) return;
      let blocks: number[] = [];
      const cost = await during(async () => {
        const fell = await act(priceChange(symbol, (priceUsd8[symbol] * 93n) / 100n));
        const ids = Array.from({ length: count }, (_, at) => first + at);
        blocks = await rescued(fell, ids);
      });
      line(`${count} in one block`, spread(blocks), `aim last ${aim}`);
      const aims = symbol === 'BTCB' ? '2, then 3' : '12';
      told[`${figure(count)} loans in one block: median, p90, last (aim last ${aims})`] = quantiles(
        blocks,
        0.5,
        0.9,
        1,
      );
      line('', `${cost.requests} requests a block, longest round ${cost.roundMs} ms, a block every ${cost.blockMs} ms`);
      trouble();
    }

    function trouble(): void {
      const said = Object.entries(agent.trouble()).map(([what, count]) => `${count} × ${what}`);
      if (said.length > 0) line('logged', said.join(', '));
    }

    /** What a block costs while something is done. */
    async function during(work: () => Promise<void>) {
      const before = { requests: proxy.methods.length, rounds: agent.rounds.length, cpu: process.cpuUsage() };
      const [block, began] = [await chain.getBlockNumber(), performance.now()];
      await work();
      const blocks = Number((await chain.getBlockNumber()) - block);
      const { user, system } = process.cpuUsage(before.cpu);
      const methods = proxy.methods.slice(before.requests);
      const byMethod = [...Map.groupBy(methods, (method) => method)].map(([method, of]) => {
        return `${(of.length / blocks).toFixed(1)} ${method}`;
      });
      return {
        requests: (methods.length / blocks).toFixed(1),
        methods: byMethod.join(', '),
        cpuMs: ((user + system) / 1000 / blocks).toFixed(0),
        roundMs: (sorted(agent.rounds.slice(before.rounds)).at(-1) ?? 0).toFixed(0),
        blockMs: ((performance.now() - began) / blocks).toFixed(0),
      };
    }
  } finally {
    for (const stop of stops.toReversed()) await stop();
  }
}

/** Sends one transaction and answers its block. */
async function act(call: EncodedCall): Promise<bigint> {
  const [receipt] = await chain.sendTogether(alice, [call]);
  if (receipt?.status !== 'success') throw new Error('The shortfall was not made.');
  return receipt.blockNumber;
}

/** Blocks from `fell` to the first rescue by each of these guards, which are numbered from 0 here. */
async function rescued(fell: bigint, of: readonly number[]): Promise<number[]> {
  const wanted = new Set(of.map((at) => BigInt(at + 1)));
  const event = getAbiItem({ abi: loanGuardAbi, name: 'LoanRescued' });
  const until = performance.now() + patienceMs;
  for (;;) {
    const logs = await chain.getLogs({ address: book.own.loanGuard, event, fromBlock: fell, strict: true });
    const at = new Map(
      logs.map(({ args, blockNumber }) => [args.guardId, blockNumber]).toReversed() as [bigint, bigint][],
    );
    if ([...wanted].every((id) => at.has(id)))
      return sorted([...wanted].map((id) => Number((at.get(id) as bigint) - fell)));
    if (performance.now() > until) {
      throw new Error(`${[...wanted].filter((id) => !at.has(id)).length} of ${of.length} loans were not rescued.`);
    }
    // The chain serves the agent meanwhile.
    await sleep(200);
  }
}

async function blocksPass(count: bigint): Promise<void> {
  const from = await chain.getBlockNumber();
  while ((await chain.getBlockNumber()) < from + count) await sleep(200);
}

function spread(blocks: readonly number[]): string {
  return `first ${quantile(blocks, 0)}, median ${quantile(blocks, 0.5)}, p90 ${quantile(blocks, 0.9)}, p99 ${quantile(blocks, 0.99)}, last ${quantile(blocks, 1)}`;
}

function quantiles(blocks: readonly number[], ...shares: number[]): string {
  return shares.map((share) => quantile(blocks, share)).join(', ');
}

function quantile(blocks: readonly number[], share: number): number | undefined {
  return sorted(blocks)[Math.max(0, Math.ceil(share * blocks.length) - 1)];
}

function sorted(numbers: readonly number[]): number[] {
  return numbers.toSorted((a, b) => a - b);
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(1);
}

function line(what: string, measured: string, aim = ''): void {
  console.log(`  ${what.padEnd(20)} ${measured}${aim && `   (${aim})`}`);
}
