import { WAD } from '@bowline/core/domain/units';
import { type Address, toHex } from 'viem';
import { book, keeperKey } from './addresses.ts';
import { startAgent } from './agent.ts';
import { blockMs, createChain } from './chain.ts';
import type { PlanTerms } from './contracts.ts';
import { newNetwork } from './network.ts';
import { createProcess } from './process.ts';
import { createRandom } from './random.ts';
import { createVirtualTime } from './virtual-time.ts';

// Strangers' plans that can never run, next to honest ones: what each costs, at the default settings of BNB Chain.

/** Unix seconds at the start: midnight UTC, so that a day of gas is a day of the simulation. */
const startsAt = 1_800_057_600n;
const hour = 3_600n;

/** Defaults of agent/src/settings.ts on BNB Chain. */
const bscSettings = {
  intervalSeconds: 900,
  policy: {
    tokens: ['BTCB', 'USDT'],
    minimumRunUsdWad: 5n * WAD,
    minimumPeriodSeconds: hour,
    gasPerOwnerPerDay: 20_000_000n,
  },
  gasBounds: { maxGasPriceWei: 5n * 10n ** 9n, rescueMaxGasPriceWei: 20n * 10n ** 9n, maxDayWei: WAD / 2n },
};

/**
 * Why a junk plan never runs. `below_fee`: its slippage is below the pool's fee of 5 bps. `below_cost`: the fee fits, and not
 * the 8 bps by which the pool is dearer than every source. `limit_missed`: the registry refuses its floor. `below_limit`: an order
 * whose limit price is half a per cent below the market, open for the whole of its period.
 */
export type Junk = 'below_fee' | 'below_cost' | 'limit_missed' | 'below_limit';

export interface JunkOptions {
  readonly junk: Junk;
  readonly owners: number;
  readonly plansPerOwner: number;
  readonly hours: number;
  readonly gasPriceGwei: bigint;
}

const termsOfJunk: Readonly<Record<Junk, Partial<PlanTerms>>> = {
  below_fee: { priceSource: book.own.chainlinkPriceSource, maxSlippageBps: 1 },
  below_cost: { priceSource: book.own.chainlinkPriceSource, maxSlippageBps: 6 },
  limit_missed: { isFloorMissed: true },
  below_limit: {
    amountPerRun: 1_000n * WAD,
    ownerBalance: 1_000n * WAD,
    windowSeconds: hour,
    limitPriceWad: 99_500n * WAD,
  },
};

const honestPlans = 5;

function plansOf({ junk, owners, plansPerOwner }: JunkOptions): PlanTerms[] {
  const count = owners * plansPerOwner;
  const honest = Array.from({ length: honestPlans }, (_, at) => ({
    id: BigInt(count + at + 1),
    owner: addressOf(at + 1_000),
    startAt: startsAt + 60n + BigInt(at * 700),
    periodSeconds: hour,
    windowSeconds: 300n,
  }));
  // Each owner's few dollars back all of that owner's plans. Slots start one after another, all round the hour.
  const strange = Array.from({ length: count }, (_, at) => ({
    id: BigInt(at + 1),
    owner: addressOf(at % owners),
    startAt: startsAt + BigInt(Math.floor((at * 3_600) / count)),
    periodSeconds: hour,
    windowSeconds: 60n,
    amountPerRun: 6n * WAD,
    ownerBalance: 6n * WAD,
    ...termsOfJunk[junk],
  }));
  return [...strange, ...honest];
}

const addressOf = (at: number): Address => toHex(0xa0_0000 + at, { size: 20 });

export interface JunkReport {
  readonly honestSlots: number;
  readonly honestMissed: number;
  /** Longest time from an honest slot's start to its run. */
  readonly honestDelaySeconds: number;
  /** Deferrals of junk plans on chain. */
  readonly deferrals: number;
  /** Outcomes of calls, by name: `confirmed defer`, `gas_day execute`. */
  readonly sent: Readonly<Record<string, number>>;
  /** Sums of the executor's counters. */
  readonly counts: Readonly<Record<string, number>>;
}

export async function simulateJunk(options: JunkOptions): Promise<JunkReport> {
  const time = createVirtualTime(createRandom(1));
  const plans = plansOf(options);
  const chain = createChain({ operator: keeperKey, plans, startsAt, keptBlocks: 300 });
  chain.setMinGasPrice(options.gasPriceGwei * 10n ** 9n);
  const sent: Record<string, number> = {};
  const counts: Record<string, number> = {};
  const more = (sums: Record<string, number>, name: string, count = 1) => {
    sums[name] = (sums[name] ?? 0) + count;
  };
  const block = () => {
    chain.mine(time.now());
    time.after(blockMs, block);
  };
  time.after(blockMs, block);
  const told = (event: string, fields: Record<string, unknown> = {}) => {
    if (event !== 'tick.end' || fields.loop !== 'executor') return;
    for (const [name, count] of Object.entries(fields)) if (typeof count === 'number') more(counts, name, count);
  };
  startAgent(
    {
      ...{ chain, network: newNetwork(), time, random: createRandom(2), rttMs: 30 },
      ...{ isWallet: false, knowsNodes: false, rescuers: 0, bundler: undefined, guardIds: [] },
      clock: () => startsAt + BigInt(Math.floor(time.now() / 1000)),
      guardInterval: 300,
      premiumBps: 8n,
      executorSettings: bscSettings,
    },
    createProcess(time),
    {
      log: { debug: told, info: told, warn: told, error: told },
      sending: () => {},
      sent: ({ label }, outcome) =>
        more(sent, `${'rule' in outcome ? outcome.rule : outcome.outcome} ${label.split(' ')[0]}`),
    },
  );
  await time.run(options.hours * 3_600_000);
  const { state } = chain.head();
  const honest = plans.slice(-honestPlans);
  const closed = (startAt: bigint) => Math.ceil(options.hours - Number(startAt + 300n - startsAt) / 3_600);
  const honestSlots = honest.reduce((sum, { startAt }) => sum + closed(startAt), 0);
  const runs = honest.flatMap(({ id }) => state.runs.get(id) ?? []);
  return {
    honestSlots,
    honestMissed: honestSlots - runs.length,
    honestDelaySeconds: Math.max(...runs.map((run) => Number(run.time - run.slotStart))),
    deferrals: [...state.records.values()].flat().filter(({ reasonCode }) => reasonCode !== 0).length,
    sent,
    counts,
  };
}
