import { type PlanTerms, toBarePlan } from '@bowline/chain/plan';
import { reasonCodes } from '@bowline/core/domain/reasons';
import { pad, zeroAddress } from 'viem';
import type { Facts } from '../facts.ts';
import { bitcoin, ether, moment, now, owner, settings, silence, tether, WAD } from './basics.ts';

// One account: two plans, a loan with a guard, and their records.

type Plan = Facts['plans']['plans'][number];
type Guards = NonNullable<Facts['guarded']['guards']['data']>;
type Guard = Guards['guards'][number];
type Loan = NonNullable<Facts['guarded']['loans'][number]['data']>;

const DAY = 86_400;
const start = Number(now) - 9 * DAY;
const [venus] = settings.lending;
if (venus === undefined) throw new Error('no lending protocol');

function planOf(id: bigint, terms: Partial<PlanTerms>, state: Partial<Plan> = {}): Plan {
  const whole: PlanTerms = {
    ...{ owner, recipient: owner, executor: settings.contracts.swapExecutor, verdictSigner: zeroAddress },
    ...{ tokenIn: tether.address, tokenOut: bitcoin.address, amountPerRun: 25n * WAD, startAt: start },
    ...{ periodSeconds: DAY, windowSeconds: DAY / 2, maxRuns: 30, expiresAt: start + 31 * DAY },
    ...{ priceSource: settings.contracts.priceSource, limitPriceWad: 0n, maxSlippageBps: 100 },
    ...{ farLimit: false, triggerPriceWad: 0n, ...terms },
  };
  const at = {
    status: 1,
    cursor: start + 10 * DAY,
    runs: 8,
    records: 10,
    deferrals: 0,
    lastReason: 0,
    version: 1,
    epoch: 0n,
  };
  return { ...toBarePlan(id, { terms: whole, state: at, isRevoked: false }), ...state };
}

const bitcoins = planOf(3n, {});
const weekly = Number(now) - 66 * DAY;
const ethers = planOf(
  7n,
  {
    ...{ tokenOut: ether.address, amountPerRun: 100n * WAD, startAt: weekly, periodSeconds: 7 * DAY, maxRuns: 12 },
    expiresAt: weekly + 90 * DAY,
  },
  { status: 'paused', runs: 8, records: 10, cursor: BigInt(weekly + 70 * DAY) },
);

export const plans: Facts['plans'] = {
  plans: [ethers, bitcoins],
  allowances: { [tether.address]: 550n * WAD },
  balances: { [tether.address]: 1_420n * WAD },
  ...{ count: 12n, upTo: 12n, unread: [], cause: undefined, searchCause: undefined, readAt: moment, asked: [] },
};

/** A plan that is too large for its pool, and a limit order. */
export const plansThatWait: Facts['plans'] = {
  ...plans,
  plans: [
    planOf(
      4n,
      {
        ...{ amountPerRun: 250n * WAD, maxRuns: 1, limitPriceWad: 90_000n * WAD, windowSeconds: DAY },
      },
      { runs: 0, records: 0, cursor: 0n },
    ),
    { ...bitcoins, lastReason: reasonCodes.cost_high, deferrals: 1 },
  ],
  allowances: { [tether.address]: 1_000n * WAD },
};

export const noPlans: Facts['plans'] = { ...plans, plans: [], allowances: {}, balances: {} };

/** One plan, and the newest ids, could not be read. */
export const plansInPart: Facts['plans'] = {
  ...plans,
  ...{ unread: [3n], upTo: 9n, cause: silence, searchCause: silence },
};

const ran = (record: number, days: number) => ({
  ...{ record, time: start + days * DAY + 40, slotStart: start + days * DAY, outcome: 1, version: 1, reason: 0 },
  ...{ verdict: 3, isAttested: true, floor: 252_000_000_000_000n, amountIn: 25n * WAD },
  ...{ amountOut: 256_400_000_000_000n + BigInt(record) * 310_000_000_000n },
  evidencePrefix: `0x${String(record).padStart(38, 'e')}` as const,
});
const skipped = (record: number, days: number, reason: number, isAttested: boolean) => ({
  ...ran(record, days),
  ...{ outcome: 2, reason, isAttested, verdict: 1, floor: 0n, amountIn: 0n, amountOut: 0n },
});

/** Newest first. */
export const runs: Facts['runs'] = [
  ran(9, 9),
  ran(8, 8),
  skipped(7, 7, 7, true),
  ran(6, 6),
  ran(5, 5),
  ran(4, 4),
  skipped(3, 3, 5, false),
  ran(2, 2),
  ran(1, 1),
  ran(0, 0),
];

export const runsOfLate: Facts['runs'] = [
  skipped(9, 9, reasonCodes.cost_high, false),
  skipped(8, 8, reasonCodes.cost_high, false),
  ...runs.slice(3),
];

/** Runs of plan 7: as many, a week apart, each 100 USDT for ETH. */
export const weeklyRuns: Facts['weeklyRuns'] = runs.map((run) => {
  const slotStart = weekly + run.record * 7 * DAY;
  const bought = {
    ...{ amountIn: 100n * WAD, amountOut: 29_500_000_000_000_000n + BigInt(run.record) * 20_000_000_000_000n },
    floor: 29_200_000_000_000_000n,
  };
  return { ...run, slotStart, time: slotStart + 40, ...(run.outcome === 1 && bought) };
});

const vUsdt = pad('0xd1000000000000000000000000000000000000d1');
const vEth = pad('0xd2000000000000000000000000000000000000d2');
const etherUsd = 3_380n * WAD;

/** 3 ETH, weighted by 0.8, for a debt in USDT. */
function loanOf(debt: bigint, ethUsdWad = etherUsd): Loan {
  const weighted = (3n * ethUsdWad * 80n) / 100n;
  const market = (token: typeof tether, of: typeof vUsdt, owed: bigint, supplied: bigint, walletBalance: bigint) => ({
    ...{ market: of, token: token.address, symbol: token.symbol, decimals: token.decimals },
    ...{ debt: owed, supplied, walletBalance, allowance: token === tether ? 900n * WAD : 0n },
  });
  return {
    ...{ protocol: venus as Loan['protocol'], borrower: owner, readAt: moment },
    markets: [market(ether, vEth, 0n, 3n * WAD, WAD / 2n), market(tether, vUsdt, debt, 0n, 1_420n * WAD)],
    ...{ debtUsdWad: debt, weightedUsdWad: weighted, forcedMarkets: [] },
    healthWad: debt === 0n ? undefined : (weighted * WAD) / debt,
    chainlinkHealthWad: debt === 0n ? undefined : (weighted * WAD * 999n) / (1_000n * debt),
    prices: { [vUsdt]: WAD },
    parts: [
      {
        ...{ market: vEth, priceWad: ethUsdWad, debtAt: () => 0n },
        weightedAt: (price: bigint) => (3n * price * 80n) / 100n,
      },
      { market: vUsdt, priceWad: WAD, weightedAt: () => 0n, debtAt: (price: bigint) => (debt * price) / WAD },
    ],
  };
}

const loan = loanOf(6_100n * WAD);
const noLoan = { ...loanOf(0n), markets: [], parts: [] };

const guardOf = (changes: Partial<Guard> = {}): Guard => ({
  ...{ id: 1n, borrower: owner, funder: owner, adapter: venus.adapter, market: vUsdt },
  ...{ priceSource: settings.contracts.priceSource, repayToken: tether.address },
  ...{ triggerHealthWad: (WAD * 115n) / 100n, targetHealthWad: (WAD * 130n) / 100n },
  ...{ capPerRescue: 800n * WAD, capPerDay: 1_600n * WAD, minRepay: 10n * WAD },
  ...{ cooldownSeconds: 3_600n, expiresAt: now + 60n * 86_400n, status: 'active', rescues: 1 },
  ...{ lastRescueAt: now - 2n * 86_400n, day: now / 86_400n, takenInDay: 0n },
  means: { allowance: 900n * WAD, balance: 1_420n * WAD, marketToken: tether.address, isRepayPaused: false },
  ...changes,
});

export const guard = guardOf();
/** Nothing is approved, and the balance is low. */
const poorGuard = guardOf({
  means: { allowance: 0n, balance: 40n * WAD, marketToken: tether.address, isRepayPaused: false },
});

const guardsOf = (own: readonly Guard[]): Guards => ({
  ...{ guards: own, funded: [], count: 4n, upTo: 4n, unread: [], cause: undefined, searchCause: undefined },
  readAt: moment,
});

const [healthBeforeWad, healthAfterWad] = [(WAD * 1_098n) / 1_000n, (WAD * 1_301n) / 1_000n];
const rescued = { repaid: 412n * WAD, healthBeforeWad, healthAfterWad };
export const rescues: Facts['rescues'] = [{ ...rescued, time: guard.lastRescueAt, outcome: 'full' }];
export const allRescues: Facts['allRescues'] = [
  { guard, protocol: 'Venus', symbol: tether.symbol, decimals: tether.decimals, rescues, penaltyWad: WAD / 10n },
];
export const paymentPlace: Facts['paymentPlace'] = {
  place: {
    ...{ family: 'venus', spender: '0xd1000000000000000000000000000000000000d1', refusal: undefined },
    pay: (amount) => ({ call: { to: '0xd1000000000000000000000000000000000000d1', data: '0x00' }, approval: amount }),
  },
  allowance: 0n,
};
/** The same, as the contract stores it. */
export const rescueRecords = [{ ...rescued, time: Number(guard.lastRescueAt), outcome: 1 }];

const guardedBy = (own: readonly Guard[], of: Loan): Facts['guarded'] => ({
  loans: [{ data: of, error: undefined }],
  guards: { data: guardsOf(own), error: undefined },
  ...{ others: [], time: now, asked: [] },
});

export const guarded = guardedBy([guard], loan);
export const guardedPoorly = guardedBy([poorGuard], loanOf(6_900n * WAD));
export const guardedNothing = guardedBy([], noLoan);
export const unguarded = guardedBy([], loan);
export const guardedUnread: Facts['guarded'] = {
  loans: [{ data: undefined, error: silence }],
  guards: { data: undefined, error: silence },
  ...{ others: [], time: undefined, asked: [] },
};
/** Earlier readings that could not be refreshed; one guard's means are unknown. */
export const guardedInPart: Facts['guarded'] = {
  ...guarded,
  loans: [{ data: loan, error: silence }],
  guards: {
    data: { ...guardsOf([guardOf({ means: undefined })]), unread: [1n], upTo: 2n, cause: silence },
    error: undefined,
  },
};

export const guardById: Facts['guard'] = {
  ...{ guard: { ...guard, readAt: moment }, loan, time: now, asked: [] },
};

const part = <Data extends object>(data: Data) => ({ data: { ...data, readAt: moment }, error: undefined });
const prices = part({
  of: { BTCB: 97_412n * WAD, ETH: etherUsd, WBNB: 912n * WAD, USDT: WAD, USDC: (9_998n * WAD) / 10_000n },
});
const wallet = part({ of: { BTCB: WAD / 50n, ETH: WAD / 2n, WBNB: 0n, USDT: 1_420n * WAD, USDC: 0n } });

export const worth: Facts['worth'] = {
  ...{ prices, wallet, loans: [{ data: loan, error: undefined }], time: now, asked: [] },
};
export const worthOfNothing: Facts['worth'] = {
  ...worth,
  wallet: part({ of: { BTCB: 0n, ETH: 0n, WBNB: 0n, USDT: 0n, USDC: 0n } }),
  loans: [{ data: noLoan, error: undefined }],
};
export const worthUnread: Facts['worth'] = {
  ...worth,
  prices: { data: undefined, error: silence },
  wallet: { data: undefined, error: silence },
  loans: [{ data: undefined, error: silence }],
};
/** No feed gives a price of ETH, and the loan could not be read. */
export const worthInPart: Facts['worth'] = {
  ...worth,
  prices: part({ of: { BTCB: 97_412n * WAD, WBNB: 912n * WAD, USDT: WAD } }),
  loans: [{ data: undefined, error: silence }],
};

type ActivityItem = Facts['overview']['activity'][string]['items'][number];

/** Ten records of a plan, the oldest first: two skips, and buys. */
const tenOf = (plan: Plan, lastDay: number, everyDays: number, amountOut: bigint): readonly ActivityItem[] =>
  Array.from({ length: 10 }, (_, at): ActivityItem => {
    const time = BigInt(start + (lastDay - (9 - at) * everyDays) * DAY + 40);
    if (at === 3 || at === 7) return { kind: 'skip', plan, time, slotStart: time - 40n, reason: 7, isAttested: true };
    const floor = (amountOut * 97n) / 100n;
    return { kind: 'run', plan, time, slotStart: time - 40n, amountIn: plan.amountPerRun, amountOut, floor };
  });

const activity: Facts['overview']['activity'] = {
  'plan-3': { count: 10, items: tenOf(bitcoins, 9, 1, 259_190_000_000_000n) },
  'plan-7': { count: 10, items: tenOf(ethers, 0, 7, 29_100_000_000_000_000n) },
  'guard-1': {
    count: 1,
    items: [
      {
        ...{ kind: 'rescue', guard, time: guard.lastRescueAt, repaid: rescued.repaid },
        ...{ healthBeforeWad: rescued.healthBeforeWad, healthAfterWad: rescued.healthAfterWad },
      },
    ],
  },
};

const overviewOf = (
  of: Facts['guarded'],
  own: Facts['plans'],
  done: Facts['overview']['activity'],
): Facts['overview'] => ({
  ...of,
  plans: { data: own, error: undefined },
  activity: done,
});

export const overview = overviewOf(guarded, plans, activity);
export const overviewOfNothing = overviewOf(guardedNothing, noPlans, {});
/** A guard without means, and plans that their owner can no longer pay. */
export const overviewInNeed = overviewOf(
  guardedPoorly,
  { ...plans, allowances: { [tether.address]: 0n }, balances: { [tether.address]: 12n * WAD } },
  activity,
);
export const overviewUnread: Facts['overview'] = {
  ...guardedUnread,
  ...{ plans: { data: undefined, error: silence }, activity: {} },
};
export const overviewInPart = overviewOf(guardedInPart, plansInPart, activity);

export const approvals: Facts['approvals'] = {
  readAt: moment,
  left: [
    {
      ...{ token: tether.address, symbol: 'USDT', decimals: 18, of: 'plans', amount: 550n * WAD },
      spender: settings.contracts.planRegistry,
    },
    {
      ...{ token: tether.address, symbol: 'USDT', decimals: 18, of: 'guards', amount: 900n * WAD },
      spender: settings.contracts.loanGuard,
    },
  ],
  ...{ unread: [], unsearched: [], known: { plans, guards: guarded.guards.data } },
};
