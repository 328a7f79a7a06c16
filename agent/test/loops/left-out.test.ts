import type { Health } from '@bowline/core/domain/loan-health';
import type { Guard, Plan } from '@bowline/core/domain/permissions';
import { BowlineError } from '@bowline/core/domain/result';
import { WAD } from '@bowline/core/domain/units';
import { BTCB, NOW, USDT } from '@bowline/core/test/verdict/proposals';
import { expect, test } from 'vitest';
import { createLeftOut, type LastReads, type LeftOutDeps } from '../../src/loops/left-out.ts';
import { duePlan, executor, priceSource, servingPolicy } from './executor/plans.ts';
import { guard, keeper, serving } from './loan-guard/guard.ts';

// AG-371: every plan and guard that the agent leaves out, with the reason, and those guards that are due.

const elsewhere = '0x00000000000000000000000000000000000000ff';
const cent = 10n ** 16n;

/** @param world what loans and simulations say, by guard. */
function listOf(world: {
  plans?: readonly Plan[];
  guards?: readonly Guard[];
  healths?: Readonly<Record<string, Health>>;
  refused?: readonly bigint[];
  repay?: bigint;
  changes?: Partial<LeftOutDeps>;
}) {
  const { plans = [], guards = [], healths = {}, refused = [], repay = 100n * WAD } = world;
  const read: bigint[] = [];
  const block = { number: 1n, timestamp: NOW };
  const list = createLeftOut({
    reads: { plans: { block, plans, unread: 0 }, guards: { block, guards, unread: 0 } },
    plans: { executor, policy: servingPolicy, priceSources: [priceSource] },
    guards: serving,
    assets: [BTCB, USDT],
    keeper,
    prices: { price: async () => ({ chainlink: { usdWad: WAD } }) as never },
    loans: {
      async healths(asked) {
        read.push(...asked.map(({ id }) => id));
        return asked.map(({ id }) => healths[String(id)] ?? 2n * WAD);
      },
    },
    calls: { rescue: ({ id }) => ({ label: String(id) }) as never },
    previewer: {
      rescues: async ({ label }) => [refused.includes(BigInt(label)) ? { error: 'balance_too_low' } : { repay }],
    },
    ...world.changes,
  });
  return { list, read, said: list.look.look() };
}

const planOf = (id: bigint, changes: Partial<Plan> = {}): Plan => ({ ...duePlan, id, ...changes });
const guardOf = (id: bigint, changes: Partial<Guard> = {}): Guard => ({
  ...{ ...guard, id, expiresAt: NOW + 1n, capPerRescue: 100n * WAD, capPerDay: 100n * WAD },
  ...changes,
});
/** Its trigger is above what the agent serves. */
const restless = { triggerHealthWad: 2n * WAD + 1n };

test('each is named once with its reason; what is served, or over, is not', async () => {
  const { list, said } = listOf({
    plans: [
      planOf(1n),
      planOf(2n, { executor: elsewhere }),
      planOf(3n, { verdictSigner: elsewhere }),
      planOf(4n, { verdictSigner: elsewhere, status: 'paused' }),
      planOf(5n, { periodSeconds: 59n }),
      planOf(6n, { amountPerRun: 4n * WAD }),
      planOf(7n, { maxSlippageBps: 1 }),
      planOf(8n, { executor: elsewhere, status: 'cancelled' }),
      planOf(9n, { executor: elsewhere, expiresAt: NOW }),
      planOf(10n, { executor: elsewhere, runs: 10 }),
      planOf(11n, { owner: elsewhere }),
    ],
    guards: [
      guardOf(1n),
      guardOf(2n, { keeper: elsewhere }),
      guardOf(3n, { repayToken: elsewhere }),
      guardOf(4n, { borrower: elsewhere }),
      guardOf(5n, restless),
      guardOf(6n, { capPerRescue: 4n * WAD }),
      guardOf(7n, { ...restless, status: 'cancelled' }),
      guardOf(8n, { ...restless, expiresAt: NOW }),
      guardOf(5n, { ...restless, sale: { funding: 'savings' } as Guard['sale'] & {} }),
    ],
    // AG-371
    changes: {
      plans: { executor, policy: { ...servingPolicy, owner: duePlan.owner }, priceSources: [priceSource] },
      guards: { ...serving, owner: guard.borrower },
    },
  });
  expect(await said).toBe(
    'Left out: plan not_ours 1, plan not_served_signer 2, plan not_served_period 1, plan not_served_run_value 1, ' +
      'plan term_below_fee 1, plan not_served_owner 1, guard not_keeper 1, guard not_served_token 1, guard not_served_owner 1, ' +
      'guard not_served_trigger 2, guard not_served_repay 1.',
  );
  expect(list.items()?.map(({ kind, id, reason }) => `${kind} ${id} ${reason}`)).toEqual([
    ...['plan 2 not_ours', 'plan 3 not_served_signer', 'plan 4 not_served_signer', 'plan 5 not_served_period'],
    ...[
      'plan 6 not_served_run_value',
      'plan 7 term_below_fee',
      'plan 11 not_served_owner',
      'guard 2 not_keeper',
      'guard 3 not_served_token',
    ],
    ...['guard 4 not_served_owner', 'guard 5 not_served_trigger', 'guard 6 not_served_repay'],
    'guard collateral-5 not_served_trigger',
  ]);
  expect(list.counts().guard).toMatchObject({ not_served_trigger: 2, not_served_repay: 1 });
  expect(await list.ofPlan(planOf(1n))).toBeUndefined();
  expect(await list.ofPlan(planOf(6n, { amountPerRun: 4n * WAD }))).toBe('not_served_run_value');
});

test('a guard that the settings leave out is named when it is below its trigger and could be rescued', async () => {
  const guards = [guardOf(1n, restless), guardOf(2n, restless), guardOf(3n)];
  const healths = { 1: 106n * cent, 2: 200n * cent, 3: 106n * cent };
  const { said, read } = listOf({ guards, healths });
  await expect(said).rejects.toMatchObject({
    reason: 'rescue_left_out',
    message: 'Below the trigger, and left out by the settings: guard 1 (not_served_trigger).',
  });
  // The loan guard itself reads those that are served.
  expect(read).toEqual([1n, 2n]);
});

test.each<[string, Parameters<typeof listOf>[0]]>([
  ['it has no debt', { healths: { 1: 'no_debt' } }],
  ['its loan cannot be read', { healths: { 1: 'unreadable' } }],
  ['the contract would refuse the rescue', { healths: { 1: cent }, refused: [1n] }],
  ['the rescue would repay dust', { healths: { 1: cent }, repay: 4n * WAD }],
  ['it serves another owner alone', { healths: { 1: cent }, changes: { guards: { ...serving, owner: elsewhere } } }],
  ['another keeper is named', { healths: { 1: cent }, guards: [guardOf(1n, { keeper: elsewhere })] }],
  [
    'it is below a trigger that no loan in danger has',
    { healths: { 1: 2n * WAD }, guards: [guardOf(1n, { triggerHealthWad: 3n * WAD })] },
  ],
])('it is no alarm if %s', async (_, world) => {
  const { said, list } = listOf({ guards: [guardOf(1n, restless)], ...world });
  expect(await said).toMatch(/^Left out: guard \w+ 1\.$/);
  expect(list.items()).toHaveLength(1);
});

test('while the node is silent the list stands, and nothing is left out for its worth', async () => {
  const silent = async () => Promise.reject(new BowlineError('chain_unavailable', 'No.', { retryable: true }));
  const { list, said } = listOf({
    plans: [planOf(1n, { executor: elsewhere }), planOf(6n, { amountPerRun: 4n * WAD })],
    guards: [guardOf(1n, restless)],
    changes: { prices: { price: silent }, loans: { healths: silent } },
  });
  await expect(said).rejects.toMatchObject({ code: 'chain_unavailable' });
  expect(list.counts()).toEqual({ plan: { not_ours: 1 }, guard: { not_served_trigger: 1 } });
});

test('nothing is claimed before the guards were read, and no plan where none is run', async () => {
  const { list, said } = listOf({ plans: [planOf(1n, { executor: elsewhere })], changes: { plans: undefined } });
  expect(await said).toBe('No plan and no guard is left out.');
  expect(list.items()).toEqual([]);
  const unread = createLeftOut({ reads: {} } as LeftOutDeps);
  expect(await unread.look.look()).toBe('The guards have not been read yet.');
  expect(unread.items()).toBeUndefined();
});

test('AG-371: the list is made again each second until guards and plans were read, then each minute', async () => {
  const reads: LastReads = {};
  const { list } = listOf({ changes: { reads } });
  const block = { number: 1n, timestamp: NOW };
  const { look, everySeconds } = list.look;
  expect(everySeconds()).toBe(1);
  reads.guards = { block, guards: [guardOf(1n, restless)], unread: 0 } as never;
  await look();
  expect([list.items()?.length, everySeconds()]).toEqual([1, 1]);
  reads.plans = { block, plans: [planOf(1n, { executor: elsewhere })], unread: 0 } as never;
  await look();
  expect([list.items()?.length, everySeconds()]).toEqual([2, 60]);
  // Where no plans are run, the list does not wait for them.
  const guardsAlone = listOf({ changes: { plans: undefined, reads: { guards: reads.guards } } }).list;
  expect(guardsAlone.look.everySeconds()).toBe(60);
});
