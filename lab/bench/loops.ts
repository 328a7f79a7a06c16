// Time to judge ten thousand guarded loans: cold, at each new block, and with viem's multicall in the same run, all in turns.
// The loans are real ones on Venus, each of an account of its own with a guard of its own, in USDT against BTCB or ETH. What
// is not CPU of this process is the node's time and waiting for it.
//
//   npm run lab -- bench:loops [--guards 10000] [--rounds 3] [--record]

import { parseArgs } from 'node:util';
import { connectChain } from '@bowline/chain/chain-client';
import { createGuardReader } from '@bowline/chain/guard-reader';
import { createHealthReader } from '@bowline/chain/health-reader';
import { readByLens } from '@bowline/chain/lending/lens';
import { lensesOf } from '@bowline/chain/lending/lenses';
import { createVenusLens } from '@bowline/chain/lending/venus-lens';
import { healthWadOf } from '@bowline/core/domain/loan-health';
import type { Guard } from '@bowline/core/domain/permissions';
import { lendingMarketAbi } from '../../abis/index.ts';
import { keeper } from '../../agent/test/loops/world.ts';
import { startDeployedChain } from '../../packages/chain/test/deployed-chain.ts';
import { startRpcProxy } from '../../packages/chain/test/rpc-proxy.ts';
import { alice } from '../../test/local/accounts.ts';
import { figure, record } from './record.ts';
import { makeLoans, priceChange, type Terms } from './scale/loans.ts';

const { values: options } = parseArgs({
  options: {
    guards: { type: 'string', default: '10000' },
    rounds: { type: 'string', default: '3' },
    record: { type: 'boolean', default: false },
  },
});
const [count, rounds] = [options.guards, options.rounds].map(Number) as [number, number];
const all = Number.POSITIVE_INFINITY;
const headsEach = 5;

const world = await startDeployedChain({ forgets: true });
const proxy = await startRpcProxy(world.url);
try {
  const { chain, book } = world;
  const made = await spent(() =>
    makeLoans(
      world,
      Array.from({ length: count }, (_, at) => termsOf(at)),
    ),
  );
  console.log(`${count} loans and guards made in ${(made.ms / 1000).toFixed(0)} s`);

  const client = connectChain(world.url);
  const guarding = createGuardReader(client, book, keeper);
  const first = await spent(() => guarding.guards());
  const again = await spent(() => guarding.guards());
  const { guards, unread } = await guarding.guards();
  if (guards.length !== count || unread > 0) throw new Error(`${unread} guards could not be read.`);
  const tenth = guards.slice(0, Math.ceil(count / 10));

  const cold: Spent[] = [];
  const multicalls: Spent[] = [];
  const heads: Spent[] = [];
  for (let round = 0; round < rounds; round++) {
    const lens = createVenusLens(client, book.own.venusMarket);
    cold.push(await spent(() => readByLens(lens, guards, all)));
    // A tenth of them: all take minutes.
    const { ms, cpuMs } = await spent(() => byMulticall(tenth));
    multicalls.push({ ms: (ms * count) / tenth.length, cpuMs: (cpuMs * count) / tenth.length });
    const reader = createHealthReader(client, lensesOf(client, book.lending));
    await reader.healths(guards);
    for (let head = 0; head < headsEach; head++) {
      // A new price, and a new block.
      await chain.sendTogether(alice, [priceChange('BTCB', BigInt(100_000 + 100 * head) * 10n ** 8n)]);
      heads.push(await spent(() => reader.watch(guards)));
    }
  }

  const counted = connectChain(proxy.url);
  const lens = createVenusLens(counted, book.own.venusMarket);
  const coldRequests = await requestsOf(() => readByLens(lens, guards, all));
  const reader = createHealthReader(counted, lensesOf(counted, book.lending));
  await reader.healths(guards);
  const headRequests = await requestsOf(() => reader.watch(guards));
  const firstRequests = await requestsOf(() => createGuardReader(counted, book, keeper).guards());

  const { values } = await readByLens(lens, guards, all);
  const exact = await byMulticall(tenth);
  const differing = exact.filter((health, at) => {
    const read = values.get(tenth[at] as Guard);
    return health === undefined || read === undefined || health !== healthOf(read);
  }).length;

  const [coldOf, headOf, multicallOf] = [cold, heads, multicalls].map(median) as [Spent, Spent, Spent];
  if (differing > 0) process.exitCode = 1;
  const row = (what: string, { ms, cpuMs }: Spent, requests: number | '', aim = '') => {
    return [what, `${figure(ms)} ms`, `${figure(cpuMs)} ms`, requests, aim];
  };
  const [ofCold, ofHead] = [multicallOf.ms / coldOf.ms, multicallOf.ms / headOf.ms].map((ratio) => figure(ratio, 1));
  record(options.record, 'loops', [
    [`${figure(count)} guards on as many real loans`, 'time', 'CPU of the agent', 'requests', 'aim'],
    row('guards, first time', first, firstRequests),
    row('guards, again (each interval)', again, ''),
    row('all loans, cold', coldOf, coldRequests, '450 ms'),
    row('loans at a block', headOf, headRequests, '100 ms'),
    row("viem's multicall", multicallOf, '', `10 × cold; it was ${ofCold} ×, and ${ofHead} × a block`),
    [`healths that differ from \`accrueAndRead\`, of ${figure(exact.length)}`, differing, '', '', '0'],
  ]);

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

/** Far above their triggers. */
function termsOf(at: number): Terms {
  const debt = String(500 + (at % 100) / 2);
  return at % 2 === 0 ? { collateral: 'BTCB', amount: '0.01', debt } : { collateral: 'ETH', amount: '0.25', debt };
}

function healthOf(of: { readonly debtValue: bigint; readonly weightedCollateralValue: bigint }): bigint | undefined {
  return healthWadOf(of.weightedCollateralValue, of.debtValue);
}

interface Spent {
  readonly ms: number;
  /** Of this process. */
  readonly cpuMs: number;
}

async function spent(work: () => Promise<unknown>): Promise<Spent> {
  const [from, cpu] = [performance.now(), process.cpuUsage()];
  await work();
  const { user, system } = process.cpuUsage(cpu);
  return { ms: performance.now() - from, cpuMs: (user + system) / 1000 };
}

function median(of: readonly Spent[]): Spent {
  return of.toSorted((a, b) => a.ms - b.ms)[Math.floor(of.length / 2)] ?? { ms: 0, cpuMs: 0 };
}
