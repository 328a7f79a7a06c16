import type { GuardedLoan } from '@bowline/core/domain/guarded-loan';
import type { Funds, Guard, Plan, Rescue, Run } from '@bowline/core/domain/permissions';
import { BowlineError } from '@bowline/core/domain/result';
import { type Address, type Hex, WAD } from '@bowline/core/domain/units';
import { zeroAddress } from 'viem';
import { expect, test } from 'vitest';
import type { Notice } from '../../src/notify/deliveries.ts';
import { createNotices } from '../../src/notify/notices.ts';
import type { Webhook } from '../../src/notify/registrations.ts';
import { keepLog } from '../api/log.ts';

// AG-78: when an account is notified, and when it is not. told.test.ts has the same parts on a real chain.

const going = new AbortController().signal;
const owner: Address = `0x${'a'.repeat(40)}`;
const funder: Address = `0x${'b'.repeat(40)}`;
const listed: Address = `0x${'1'.repeat(40)}`;

const plan: Plan = {
  ...{ id: 7n, owner, recipient: owner, executor: zeroAddress, verdictSigner: zeroAddress },
  ...{ tokenIn: listed, tokenOut: zeroAddress, amountPerRun: 100n },
  ...{ startAt: 0n, periodSeconds: 60n, windowSeconds: 60n, maxRuns: 100, expiresAt: 2n ** 40n },
  ...{
    priceSource: zeroAddress,
    limitPriceWad: 0n,
    maxSlippageBps: 0,
    farLimit: false,
    triggerPriceWad: 0n,
    status: 'active',
    cursor: 0n,
  },
  ...{ runs: 0, records: 0, deferrals: 0, lastReason: 0, version: 1, ownerBalance: 0n, ownerAllowance: 0n },
};

const guard: Guard = {
  ...{ id: 3n, borrower: owner, funder, adapter: zeroAddress, market: '0x', repayToken: listed },
  ...{
    triggerHealthWad: (11n * WAD) / 10n,
    targetHealthWad: (125n * WAD) / 100n,
    capPerRescue: 500n,
    capPerDay: 500n,
    minRepay: 100n,
  },
  ...{ cooldownSeconds: 0n, expiresAt: 2n ** 40n, status: 'active', lastRescueAt: 0n, day: 0n },
  ...{ takenInDay: 0n, rescues: 0 },
};

/** A loan that is twice as healthy as it must be. A rescue at the trigger would need 12 % of the debt. */
const loanOf = (adapter: Address, market: Hex, owed: bigint): GuardedLoan => ({
  ...{ protocol: { adapter }, markets: [{ market, debt: owed }], prices: { [market]: WAD }, forcedMarkets: [] },
  ...{ debtUsdWad: owed, weightedUsdWad: 2n * owed, healthWad: owed === 0n ? undefined : 2n * WAD },
  chainlinkHealthWad: undefined,
});

interface World {
  plans: Plan[];
  guards: Guard[];
  held: Funds;
  owed: bigint;
  /** Overrides parts of the loans that `loanOf` gives. */
  loan: Partial<GuardedLoan>;
  records: Run[];
  /** Number of times that `records` was read. */
  reads: number;
  /** The chain's time. */
  now: bigint;
  /** The guard's rescues, from the first on; undefined: the node does not answer. */
  rescues: (Rescue & { time: bigint })[] | undefined;
  hasRoom: boolean;
  /** Plans of the owner that could not be read. */
  unread: number;
}

/** The readers say what `world` has; `got` is what was queued for the registered accounts. */
function desk(registered: readonly Address[], changes: Partial<World> = {}) {
  const held = { balance: 0n, allowance: 0n };
  const world: World = {
    plans: [],
    guards: [],
    held,
    owed: 5_000n,
    loan: {},
    records: [],
    reads: 0,
    now: 1_000n,
    rescues: [],
    hasRoom: true,
    unread: 0,
    ...changes,
  };
  const got: Notice[] = [];
  const block = () => ({ number: 1n, timestamp: world.now });
  const notUsed = () => Promise.reject(new Error('not used'));
  const webhooks = new Map<Address, Webhook>();
  const register = (account: Address) =>
    void webhooks.set(account, { owner: account, url: '', secret: '', expiresAt: 2n ** 40n });
  registered.forEach(register);
  const isOf = (account: Address) => (guard: Guard) => [guard.borrower, guard.funder].includes(account);
  const notices = createNotices({
    plans: {
      plans: notUsed,
      plan: notUsed,
      balances: notUsed,
      planWithFunds: async (id) => ({ block: block(), plan: world.plans.find((each) => each.id === id) as Plan }),
      newestPlans: async ({ owner: of }) => {
        const own = world.plans.filter((each) => each.owner === of);
        return { block: block(), plans: own, total: own.length, unread: world.unread };
      },
      runs: async (_, from, to) => {
        world.reads += 1;
        return world.records.slice(from, to);
      },
    },
    guards: {
      ...{ guards: notUsed, guard: notUsed, guardsOf: notUsed, loan: notUsed, healthOf: notUsed, preview: notUsed },
      guardedLoan: async ({ adapter, market }) => {
        if (world.owed === undefined) throw new BowlineError('market_unavailable', 'no');
        return { ...loanOf(adapter, market, world.owed), ...world.loan };
      },
      guardsFor: async (account) => {
        const guards = world.guards.filter(isOf(account));
        return { guards, total: guards.length, unread: 0 };
      },
    },
    funds: {
      guardFunds: async (guards) =>
        guards.map(({ repayToken: marketToken }) => world.held && { ...world.held, marketToken, isRepayPaused: false }),
    },
    rescues: {
      rescuesSince: async (_, from) => {
        if (world.rescues === undefined) throw new BowlineError('chain_unavailable', 'no');
        return world.rescues.slice(from);
      },
    },
    registrations: {
      of: (account) => [webhooks.get(account) ?? []].flat(),
      owners: () => [...webhooks.keys()],
      knows: () => true,
      isCurrent: () => true,
      isNewer: () => true,
      apply: notUsed,
    },
    deliveries: { send: (_, notice) => world.hasRoom && got.push(notice) > 0, stop: () => 0 },
    assets: [{ address: listed }] as never,
    chainId: 56,
    clock: () => 1_000n,
    timers: { now: () => 0, after: (_, call) => void queueMicrotask(call) as never },
    log: keepLog(),
  });
  return { world, register, got, notices, types: () => got.map(({ type }) => type) };
}

test('what cannot be read for a while ends no trouble, which is then not told again', async () => {
  const few = { balance: 100n, allowance: 100n };
  const { world, notices, types } = desk([owner], { guards: [guard], plans: [plan], held: few });
  await notices.round(going);
  const first = types();
  expect(first.toSorted()).toEqual(['funds_ending', 'funds_ending']);
  const { held, owed } = world;
  for (const unreadable of [{ held: undefined, unread: 1 }, { owed: undefined }]) {
    Object.assign(world, unreadable);
    await notices.round(going);
    Object.assign(world, { held, owed, unread: 0 });
    await notices.round(going);
    expect(types()).toEqual(first);
  }
});

test('a guard that cannot pay again is told of again, also if it could pay for a while and never for its cap', async () => {
  const { world, notices, types } = desk([owner], { guards: [guard] });
  for (const [amount, told] of [
    [99n, ['guard_cannot_pay']],
    // Topped up below the cap, and the same again.
    [200n, []],
    [200n, []],
    [99n, ['guard_cannot_pay']],
    [99n, []],
    [500n, []],
    [499n, ['funds_ending']],
  ] as const) {
    const before = types().length;
    world.held = { balance: amount, allowance: amount };
    await notices.round(going);
    expect([amount, types().slice(before)]).toEqual([amount, told]);
  }
});

test('each run fewer that a plan’s owner can pay for is told of, after a top-up as well', async () => {
  const { world, notices, got } = desk([owner], { plans: [plan] });
  for (const runs of [0n, 2n, 1n, 1n, 0n]) {
    world.plans = [{ ...plan, ownerBalance: 100n * runs, ownerAllowance: 1_000n }];
    await notices.round(going);
  }
  expect(got.map(({ data }) => data.runs_left)).toEqual([0, 1, 0]);
  expect(new Set(got.map(({ id }) => id)).size).toBe(3);
});

test('plans of one owner are paid from the same funds: each is told of what all together leave to it', async () => {
  const funds = { ownerBalance: 300n, ownerAllowance: 300n };
  const plans = [plan, { ...plan, id: 8n }].map((each) => ({ ...each, ...funds }));
  const { notices, got } = desk([owner], { plans });
  await notices.round(going);
  expect(got.map(({ type, data }) => [type, data.plan, data.runs_left])).toEqual([
    ['funds_ending', '7', 2],
    ['funds_ending', '8', 1],
  ]);
});

test('a run is told of for the owner’s other plans too, which have less since', async () => {
  const funds = { ownerBalance: 600n, ownerAllowance: 600n };
  const plans = [plan, { ...plan, id: 8n }].map((each) => ({ ...each, ...funds }));
  const { world, notices, got } = desk([owner], { plans });
  await notices.round(going);
  expect(got).toEqual([]);
  world.plans = plans.map((each) => ({ ...each, ownerBalance: 500n, cursor: each.id === 7n ? 1_020n : 0n }));
  notices.tell({ kind: 'run_executed', plan });
  await new Promise((resolve) => setImmediate(resolve));
  expect(got.map(({ data }) => [data.plan, data.runs_left])).toEqual([['7', 2]]);
});

test('no plan is told of whose funds last until its end, however few its runs are', async () => {
  // Slots at 1,020 and 1,080, and none after.
  const ending = { ...plan, startAt: 1_020n, expiresAt: 1_100n, ownerBalance: 200n, ownerAllowance: 200n };
  const { notices, got } = desk([owner], { plans: [ending] });
  await notices.round(going);
  expect(got).toEqual([]);
});

test('a funder with no plan and no loan is told of the guards that its tokens pay for', async () => {
  const { notices, got } = desk([funder], { guards: [guard] });
  expect(await notices.round(going)).toEqual({ counts: { watched: 1 } });
  expect(got).toMatchObject([{ type: 'guard_cannot_pay', data: { guard: '3', account: funder } }]);
});

test('guards that one account pays for share its funds: all are told of that cannot be paid together', async () => {
  const held = { balance: 900n, allowance: 2_000n };
  const guards = [guard, { ...guard, id: 4n, borrower: funder }];
  const { world, notices, got } = desk([owner], { guards, held });
  await notices.round(going);
  // Only the other account is told of the other account's guard.
  expect(got).toMatchObject([
    { type: 'funds_ending', data: { guard: '3', needed: '1000', shared_with: ['4'], limited_by: 'balance' } },
  ]);
  world.held = { balance: 1_000n, allowance: 2_000n };
  await notices.round(going);
  world.guards = [guard];
  world.held = { balance: 900n, allowance: 2_000n };
  await notices.round(going);
  expect(got).toHaveLength(1);
});

test('a guard is told of by what its loan needs: neither for a cap that no rescue reaches, nor without a debt', async () => {
  const { world, notices, got } = desk([owner], { guards: [guard], held: { balance: 200n, allowance: 200n } });
  world.owed = 1_000n;
  await notices.round(going);
  world.owed = 0n;
  await notices.round(going);
  expect(got).toEqual([]);
  world.owed = 2_000n;
  await notices.round(going);
  expect(got).toMatchObject([{ type: 'funds_ending', data: { needed: '240' } }]);
});

test('a guard that Chainlink’s prices make due is told of by what it needs now, as the page does', async () => {
  const { world, notices, got } = desk([owner], { guards: [guard], held: { balance: 130n, allowance: 130n } });
  world.owed = 2_000n;
  const nearTarget = { weightedUsdWad: 2_350n, healthWad: (1_175n * WAD) / 1_000n };
  world.loan = { ...nearTarget, chainlinkHealthWad: (105n * WAD) / 100n };
  await notices.round(going);
  expect(got).toEqual([]);
  world.loan = nearTarget;
  await notices.round(going);
  expect(got).toMatchObject([{ type: 'funds_ending', data: { needed: '240' } }]);
});

test('who registers later is told of what lacks, and so is a new URL; the others are not told again', async () => {
  const { register, notices, got } = desk([funder], { guards: [guard] });
  await notices.round(going);
  register(owner);
  await notices.round(going);
  register(owner);
  await notices.round(going);
  expect(got.map(({ data }) => data.account)).toEqual([funder, owner, owner]);
});

test('a lack for whose notice there was no room is told of in the next round', async () => {
  const { world, notices, types } = desk([owner], { guards: [guard], hasRoom: false });
  await notices.round(going);
  world.hasRoom = true;
  await notices.round(going);
  await notices.round(going);
  expect(types()).toEqual(['guard_cannot_pay']);
});

test('nothing is said of a plan whose token is not listed: what its owner holds is not known', async () => {
  const other = { ...plan, tokenIn: zeroAddress };
  const { world, notices, types } = desk([owner], { plans: [other] });
  expect(await notices.round(going)).toEqual({ counts: { watched: 1 } });
  expect(types()).toEqual([]);
  world.plans = [plan];
  await notices.round(going);
  expect(types()).toEqual(['funds_ending']);
});

test('a plan that was paused while its funds lacked is told of when it goes on', async () => {
  const { world, notices, types } = desk([owner], { plans: [plan] });
  for (const status of ['active', 'paused', 'active'] as const) {
    world.plans = [{ ...plan, status }];
    await notices.round(going);
  }
  expect(types()).toEqual(['funds_ending', 'funds_ending']);
});

test('skipped buys are told of once, however many follow, and anew after a run', async () => {
  const first = desk([owner]);
  const { got } = first;
  const { records } = first.world;
  const { periodSeconds } = plan;
  const add = (outcome: Run['outcome']) => {
    const at = records.length;
    const slotStart = periodSeconds * BigInt(at);
    records.push({ planId: plan.id, record: at, outcome, slotStart, reasonCode: 16, reason: 'cost_high' } as Run);
  };
  /** In the slot of the newest record, or once that has closed. */
  const look = async ({ world, notices }: typeof first, hasClosed: boolean) => {
    const count = records.length;
    world.now = periodSeconds * BigInt(hasClosed ? count : count - 1);
    const lastReason = records.at(-1)?.outcome === 'deferred' ? 16 : 0;
    world.plans = [{ ...plan, records: count, lastReason, ownerBalance: 10_000n, ownerAllowance: 10_000n }];
    await notices.round(going);
  };
  const defer = async () => {
    add('deferred');
    await look(first, false);
  };
  add('executed');
  for (let count = 0; count < 3; count++) await defer();
  expect(got).toEqual([]);
  await look(first, true);
  expect(got.map(({ id }) => id)).toEqual(['deferral_streak:7:1']);
  for (let count = 0; count < 100; count++) await defer();
  add('executed');
  await look(first, false);
  for (let count = 0; count < 60; count++) await defer();
  expect(got.map(({ id }) => id)).toEqual(['deferral_streak:7:1', 'deferral_streak:7:105']);
  expect(got[1]?.data).toMatchObject({ deferrals: 4, reasons: ['cost_high', 'cost_high', 'cost_high', 'cost_high'] });

  // A desk that saw none of it names the oldest deferral that it reads, and also says so only once.
  const later = desk([owner], { records });
  for (let count = 0; count < 10; count++) {
    await look(later, false);
    add('deferred');
  }
  expect(later.got).toHaveLength(1);
});

test('the records of a plan are read again when one is added or a slot closes, and not in every round', async () => {
  const records = [0n, 60n, 120n].map(
    (slotStart, record) => ({ planId: 7n, record, outcome: 'deferred', slotStart, reasonCode: 16 }) as Run,
  );
  const plans = [{ ...plan, records: 3, lastReason: 16 }];
  const { world, notices } = desk([owner], { plans, records, now: 120n });
  const reads = async () => {
    world.reads = 0;
    for (let round = 0; round < 3; round++) await notices.round(going);
    return world.reads;
  };
  expect(await reads()).toBe(1);
  world.now = 180n;
  expect([await reads(), await reads()]).toEqual([1, 0]);
  world.plans = [{ ...plan, records: 4, lastReason: 0 }];
  expect(await reads()).toBe(0);
});

test('AG-78: a rescue that broke its guard’s terms is told to borrower and funder, once, whoever sent it', async () => {
  const rescue = { time: 1_000n, repaid: 501n, outcome: 'partial', healthBeforeWad: WAD } as const;
  const right = { ...rescue, repaid: 500n, healthAfterWad: (11n * WAD) / 10n };
  const held = { balance: 10_000n, allowance: 10_000n };
  const { world, notices, got } = desk([owner, funder], {
    guards: [{ ...guard, rescues: 1 }],
    held,
    rescues: [rescue],
  });
  // What happened before the agent started is left to the audit.
  await notices.round(going);
  expect(got).toEqual([]);
  const made = async (rescues: World['rescues'], count: number) => {
    [world.rescues, world.guards] = [rescues, [{ ...guard, rescues: count }]];
    return notices.round(going);
  };
  await made([rescue, right], 2);
  expect(got).toEqual([]);
  // A silent node hides nothing for long.
  expect(await made(undefined, 3)).toMatchObject({ counts: { chain_unavailable: 2 } });
  await made([rescue, right, rescue], 3);
  await notices.round(going);
  const irregularities = ['it took 501, above the cap of 500'];
  expect(got).toMatchObject(
    [owner, funder].map((account) => ({
      ...{ id: 'rescue_irregular:3:2', type: 'rescue_irregular' },
      data: { account, guard: '3', number: 2, repaid: '501', health_after: null, irregularities },
    })),
  );
});

test('a rescue is told of with what its receipt says, before what waits for an answer of the chain', async () => {
  const { world, notices, got } = desk([owner, funder]);
  world.plans = [plan];
  notices.tell({ kind: 'run_executed', plan });
  const rescue = { repaid: 5n, outcome: 'partial', healthBeforeWad: 10n ** 18n } as const;
  notices.tell({ kind: 'rescue_made', guard, hash: '0x12', block: 9n, rescue });
  expect(got).toMatchObject(
    [owner, funder].map((account) => ({
      id: 'rescue_made:3:0x12',
      data: { account, repaid: '5', outcome: 'partial', health_before: '1', health_after: null },
    })),
  );
  notices.tell({ kind: 'rescue_made', guard, hash: '0x13', block: 9n });
  expect(got[2]?.data).toMatchObject({ guard: '3', transaction: '0x13' });
  expect(got[2]?.data).not.toHaveProperty('repaid');
});
