// Time to judge ten thousand guarded loans: cold, at each new block, and with viem's multicall in the same run. The loans
// are real ones on Venus, with BTCB or ETH as collateral and a debt in USDT, and several guards on each. The agent reads an
// account once for all guards on it; so that this does not flatter the result, the first lines read it once for each.
//
//   npm run bench:loops -- [guards] [loans]

import { loadavg } from 'node:os';
import type { Guard } from '@bowline/core/domain/permissions';
import { mulDivDown, WAD } from '@bowline/core/domain/units';
import { type Address, pad, parseEther } from 'viem';
import { lendingMarketAbi } from '../abis/index.ts';
import { connectChain } from '../agent/src/chain/chain-client.ts';
import { createHealthReader } from '../agent/src/chain/health-reader.ts';
import { readByLens } from '../agent/src/chain/lending/lens.ts';
import { lensesOf } from '../agent/src/chain/lending/lenses.ts';
import { createVenusLens } from '../agent/src/chain/lending/venus.ts';
import { startDeployedChain } from '../agent/test/chain/deployed-chain.ts';
import { startRpcProxy } from '../agent/test/chain/rpc-proxy.ts';
import { borrow, introduce, stranger } from '../agent/test/loans.ts';
import { venus } from '../script/local/addresses.ts';
import { setPrice } from '../script/local/oracle.ts';
import { bob } from '../test/local/accounts.ts';

const count = Number(process.argv[2] ?? 10_000);
const loans = Number(process.argv[3] ?? 400);
const rounds = 3;

const world = await startDeployedChain();
const proxy = await startRpcProxy(world.url);
try {
  const { chain, book } = world;
  const borrowers = Array.from({ length: loans }, (_, at) => stranger(at));
  const madeMs = await msOf(async () => {
    for (const [at, borrower] of borrowers.entries()) {
      await introduce(chain, borrower);
      await borrow(chain, borrower, String(5_000 + (at % 100) * 5), at % 2 === 0 ? { BTCB: '0.1' } : { ETH: '2.5' });
    }
  });
  console.log(`${loans} loans made in ${(madeMs / 1000).toFixed(0)} s`);
  const guards = Array.from({ length: count }, (_, at) => guardOf(borrowers[at % loans] as Address, at));
  const tenth = guards.slice(0, count / 10);
  const client = connectChain(world.url);

  const all = Number.POSITIVE_INFINITY;
  const times = { cold: [] as number[], head: [] as number[], full: [] as number[], watch: [] as number[] };
  const multicalls: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const lens = createVenusLens(client, book.own.venusMarket);
    times.cold.push(await msOf(() => readByLens(lens, guards, all)));
    const reader = createHealthReader(client, lensesOf(client, book.lending));
    times.full.push(await msOf(() => reader.healths(guards)));
    for (let head = 0; head < 5; head++) {
      await setPrice(chain, bob, 'BTCB', BigInt(100_000 + 100 * head) * 10n ** 8n);
      times.head.push(await msOf(() => Promise.all([lens.estimate(guards), readByLens(lens, tenth, 3)])));
      times.watch.push(await msOf(() => reader.watch(guards)));
    }
    multicalls.push(10 * (await msOf(() => byMulticall(tenth))));
  }

  const counted = connectChain(proxy.url);
  const lens = createVenusLens(counted, book.own.venusMarket);
  const coldRequests = await requestsOf(() => readByLens(lens, guards, all));
  const headRequests = await requestsOf(() => Promise.all([lens.estimate(guards), readByLens(lens, tenth, 3)]));

  const { values } = await readByLens(lens, guards, all);
  const exact = await byMulticall(guards.slice(0, loans));
  const differing = exact.filter((health, at) => {
    const read = values.get(guards[at] as Guard);
    return health === undefined || read === undefined || health !== healthOf(read);
  }).length;

  const multicall = median(multicalls);
  console.log(`load ${loadavg()[0]?.toFixed(1)}; medians of ${rounds} rounds; ${count} guards on ${loans} loans`);
  line('cold', median(times.cold), 'aim 450 ms', `${coldRequests} requests`);
  line('at each block', median(times.head), 'aim 100 ms', `${headRequests} requests, aim 5 with the head's own`);
  line('viem multicall', multicall, '', `${(multicall / median(times.cold)).toFixed(1)} × cold, aim 10 ×`);
  line('agent, full', median(times.full), '', 'each account once for all its guards');
  line('agent, a block', median(times.watch), '', 'the same');
  console.log(`${differing} of ${exact.length} healths differ from accrueAndRead, aim 0`);

  async function requestsOf(work: () => Promise<unknown>): Promise<number> {
    const before = proxy.methods.length;
    await work();
    return proxy.methods.length - before;
  }

  /** Undefined where a reading failed. */
  async function byMulticall(of: readonly Guard[]): Promise<(bigint | undefined)[]> {
    const contracts = of.map(({ adapter: address, borrower, market }) => {
      return { address, abi: lendingMarketAbi, functionName: 'accrueAndRead', args: [borrower, market] } as const;
    });
    const answers = await client.multicall({ deployless: true, contracts });
    return answers.map(({ result }) => result && healthOf(result));
  }
} finally {
  await proxy.stop();
  await world.stop();
}

function healthOf(of: { readonly debtValue: bigint; readonly weightedCollateralValue: bigint }): bigint {
  return mulDivDown(of.weightedCollateralValue, WAD, of.debtValue);
}

function guardOf(borrower: Address, at: number): Guard {
  return {
    id: BigInt(at + 1),
    borrower,
    funder: borrower,
    adapter: world.book.own.venusMarket,
    market: pad(venus.markets.vUSDT),
    repayToken: borrower,
    triggerHealthWad: parseEther('1.05'),
    targetHealthWad: parseEther('1.25'),
    capPerRescue: 1n,
    capPerDay: 1n,
    minRepay: 1n,
    cooldownSeconds: 0n,
    expiresAt: 0n,
    status: 'active',
    lastRescueAt: 0n,
    day: 0n,
    takenInDay: 0n,
    rescues: 0,
  };
}

function line(what: string, ms: number, aim: string, more: string) {
  console.log(`${what.padEnd(16)}${ms.toFixed(0).padStart(7)} ms   ${aim.padEnd(12)}${more}`);
}

async function msOf(work: () => Promise<unknown>): Promise<number> {
  const from = performance.now();
  await work();
  return performance.now() - from;
}

function median(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;
}
