// What watching a hundred thousand loans costs the agent's own process, and how long a crash keeps it busy. The product's
// loan guard, its watch and its lens's decoding run in virtual time; the node, the contracts and the sender are modelled, so
// that no node's speed stands in the way. Times are virtual and count round trips and blocks; CPU is this process's own,
// with the model's. Fails if a loan of the crash is not handed over within two seconds.
//
//   npm run lab -- bench:crowd [--guards 100000] [--crash 1000] [--rtt 30] [--record]

import { parseArgs } from 'node:util';
import { createHealthReader } from '@bowline/chain/health-reader';
import { createVenusLens } from '@bowline/chain/lending/venus-lens';
import type { Log } from '@bowline/core/domain/log';
import type { Guard } from '@bowline/core/domain/permissions';
import type { Call } from '@bowline/core/domain/sending';
import { WAD } from '@bowline/core/domain/units';
import { readAssetRegistry } from '@bowline/core/registry/assets';
import { type Address, isAddress, zeroAddress, zeroHash } from 'viem';
import { createLoanGuard } from '../../agent/src/loops/loan-guard/tick.ts';
import { startLoop, type Tick } from '../../agent/src/loops/runner.ts';
import { createCalls } from '../../agent/src/sending/calls.ts';
import { createRandom } from '../../agent/test/sim/random.ts';
import { createVirtualTime } from '../../agent/test/sim/virtual-time.ts';
import { localChainId } from '../world/fork.ts';
import { figure, record } from './record.ts';
import { modelledVenus } from './scale/modelled-venus.ts';

const { values } = parseArgs({
  options: {
    guards: { type: 'string', default: '100000' },
    crash: { type: 'string', default: '1000' },
    rtt: { type: 'string', default: '30' },
    record: { type: 'boolean', default: false },
  },
});
const [count, crashed, rttMs] = [values.guards, values.crash, values.rtt].map(Number) as [number, number, number];
const blockMs = 450;
const heads = 5;
const patienceMs = 60_000;
const silent: Log = { debug() {}, info() {}, warn() {}, error() {} };
const usd = (amount: number) => BigInt(amount) * WAD;
const adapter: Address = `0x${'ad'.repeat(20)}`;
const loanGuard: Address = `0x${'1a'.repeat(20)}`;

const time = createVirtualTime(createRandom(1));
let requests = 0;
const travel = () => {
  requests += 1;
  return time.wait(rttMs);
};
// Of 800 that count. Those with 700 are endangered when the price falls by 7 %.
const venus = modelledVenus(
  Array.from({ length: count }, (_, at) => (at < crashed ? usd(700) : usd(500))),
  travel,
);
const assets = readAssetRegistry(localChainId, isAddress);
const repayToken = assets.find(({ symbol }) => symbol === 'USDT')?.address as Address;
const clock = () => BigInt(Math.floor(time.now() / 1000));
const guards = Array.from({ length: count }, (_, at): Guard => {
  const borrower = venus.accountAt(at);
  return {
    id: BigInt(at + 1),
    borrower,
    funder: borrower,
    adapter,
    market: zeroHash,
    repayToken,
    triggerHealthWad: (11n * WAD) / 10n,
    targetHealthWad: (125n * WAD) / 100n,
    capPerRescue: usd(1_000),
    capPerDay: usd(1_000),
    minRepay: 1n,
    cooldownSeconds: 600n,
    expiresAt: 10n ** 9n,
    status: 'active',
    lastRescueAt: 0n,
    day: 0n,
    takenInDay: 0n,
    rescues: 0,
  };
});

/** Virtual milliseconds at which each guard's rescue was handed to the sender. */
const sentAt = new Map<bigint, number>();
const idsIn = ({ label }: Call): bigint[] => (label.match(/\d+/g) ?? []).map(BigInt);
const notModelled = () => Promise.reject(new Error('not modelled'));
const block = () => ({ number: BigInt(Math.floor(time.now() / blockMs)), timestamp: clock() });
const guard = createLoanGuard({
  reader: {
    guards: async () => {
      await travel();
      return { block: block(), guards, unread: 0 };
    },
    balances: async () => [],
    ...{
      guard: notModelled,
      guardsOf: notModelled,
      guardsFor: notModelled,
      loan: notModelled,
      healthOf: notModelled,
      guardedLoan: notModelled,
      preview: notModelled,
    },
  },
  loans: createHealthReader(venus.client, new Map([[adapter, createVenusLens(venus.client, adapter)]])),
  assets,
  prices: { price: notModelled },
  serving: { maxTriggerHealthWad: 2n * WAD, minimumRepayUsdWad: 5n * WAD },
  calls: createCalls({ swapExecutor: zeroAddress, loanGuard }),
  previewer: {
    rescues: async (call) => {
      await travel();
      return idsIn(call).map(() => ({ repay: usd(105) }));
    },
  },
  sender: {
    address: zeroAddress,
    send: async (call) => {
      for (const id of idsIn(call)) sentAt.set(id, time.now());
      await time.wait(blockMs);
      for (const id of idsIn(call)) venus.debts[Number(id) - 1] = usd(595);
      return { outcome: 'confirmed', hash: '0xaa', block: block().number, gasUsed: 1n, events: [] };
    },
  },
  clock,
  log: silent,
});

interface Round {
  readonly cpuMs: number;
  readonly requests: number;
}
const rounds: Round[] = [];
const tick: Tick = async (...args) => {
  const [cpu, before] = [process.cpuUsage(), requests];
  const round = await guard.tick(...args);
  const { user, system } = process.cpuUsage(cpu);
  rounds.push({ cpuMs: (user + system) / 1000, requests: requests - before });
  return round;
};
const loop = startLoop('loan-guard', tick, 300, time, silent);
await time.run(200_000);
const [first] = rounds.splice(0) as [Round];
const nextHead = () => {
  time.after(blockMs, () => {
    loop.trigger();
    nextHead();
  });
};
nextHead();
await time.run(time.now() + heads * blockMs);
const calm = rounds.splice(0);
const fell = time.now();
venus.priceWad = (93n * WAD) / 100n;
while (sentAt.size < crashed && time.now() < fell + patienceMs) await time.run(time.now() + blockMs);
const stopped = loop.stop();
await time.run(time.now() + 10_000);
await stopped;

const median = calm.toSorted((a, b) => a.cpuMs - b.cpuMs)[Math.floor(calm.length / 2)] as Round;
const waits = [...sentAt.values()].map((at) => at - fell).sort((a, b) => a - b);
const megabytes = process.memoryUsage().rss / 2 ** 20;
record(values.record, 'crowd', [
  [`${figure(count)} guards, ${rttMs} ms a request`, 'measured'],
  ['first reading of all loans', `${first.requests} requests, ${figure(first.cpuMs)} ms of CPU`],
  [`a block (every ${blockMs} ms)`, `${median.requests} requests, ${figure(median.cpuMs)} ms of CPU`],
  [
    `${figure(waits.length)} loans of one crash, virtual time to the first and the last hand-over`,
    `${waits.at(0)} ms, ${waits.at(-1)} ms`,
  ],
  ['memory of the process', `${figure(megabytes)} MB`],
]);
// A loan that only the rotation finds is found much later.
if (waits.length < crashed || (waits.at(-1) ?? 0) > 2_000) process.exitCode = 1;
