import type { PlanReader } from '@bowline/chain/readers';
import type { Plan } from '@bowline/core/domain/permissions';
import { WAD } from '@bowline/core/domain/units';
import { BTCB } from '@bowline/core/test/verdict/proposals';
import { expect, test } from 'vitest';
import { gasToday, openLedger } from '../../../src/loops/executor/ledger.ts';
import { gasOfRecord } from '../../../src/loops/executor/plan.ts';
import { duePlan, executor, owner } from './plans.ts';

const plenty = { gasPerOwnerPerDay: 10n ** 12n };
const none = new Map<string, bigint>();
/** Money for two runs. */
const rich: Plan = { ...duePlan, ownerBalance: 200n * WAD, ownerAllowance: 300n * WAD };

// AG-12
test('money for two runs is two runs', () => {
  const ledger = openLedger(none, plenty);
  for (const id of [1n, 2n]) {
    expect(ledger.whyNot({ ...rich, id })).toBeUndefined();
    ledger.record({ ...rich, id, owner: owner.toUpperCase().replace('0X', '0x') as `0x${string}` }, 'executed');
  }
  expect(ledger.whyNot({ ...rich, id: 3n })).toBe('balance_taken');
  expect(ledger.whyNot({ ...rich, id: 3n, ownerBalance: 300n * WAD })).toBeUndefined();
  expect(ledger.whyNot({ ...rich, id: 3n, ownerBalance: 300n * WAD, ownerAllowance: 300n * WAD - 1n })).toBe(
    'allowance_taken',
  );
});

test("neither another owner's money nor another token is touched", () => {
  const ledger = openLedger(none, plenty);
  ledger.record(rich, 'executed');
  ledger.record(rich, 'executed');
  expect(ledger.whyNot({ ...rich, owner: executor })).toBeUndefined();
  expect(ledger.whyNot({ ...rich, tokenIn: BTCB.address })).toBeUndefined();
});

test.each(['deferred', 'reverted'] as const)('what is %s has taken no money', (outcome) => {
  const ledger = openLedger(none, plenty);
  ledger.record(rich, outcome);
  ledger.record(rich, outcome);
  expect(ledger.whyNot(rich)).toBeUndefined();
});

// AG-18
test('the gas of an owner and a day is kept to, what was before counted', () => {
  const limit = { gasPerOwnerPerDay: 2n * gasOfRecord.executed };
  expect(openLedger(new Map([[owner, gasOfRecord.executed]]), limit).whyNot(rich)).toBeUndefined();
  expect(openLedger(new Map([[owner, gasOfRecord.executed + 1n]]), limit).whyNot(rich)).toBe('not_served_gas');

  for (const outcome of ['executed', 'reverted'] as const) {
    const ledger = openLedger(none, limit);
    ledger.record(rich, outcome);
    expect(ledger.whyNot(rich)).toBeUndefined();
    ledger.record(rich, outcome);
    expect(ledger.whyNot({ ...rich, tokenIn: BTCB.address })).toBe('not_served_gas');
    expect(ledger.whyNot({ ...rich, owner: executor })).toBeUndefined();
  }

  const deferring = openLedger(none, limit);
  for (let times = 0n; times * gasOfRecord.deferred <= gasOfRecord.executed; times += 1n) {
    expect(deferring.whyNot(rich)).toBeUndefined();
    deferring.record(rich, 'deferred');
  }
  expect(deferring.whyNot(rich)).toBe('not_served_gas');
});

const midnight = 86_400n * 20_000n;
const hour = 3_600n;
/** A daily slot that stays open for twelve hours from `startsAt`. */
const daily = {
  ...duePlan,
  records: 1,
  periodSeconds: 24n * hour,
  windowSeconds: 12n * hour,
  deferrals: 0,
  version: 1,
};

test.each<[string, Partial<Plan>, boolean]>([
  ['no record', { records: 0, cursor: midnight }, false],
  ['a run in a slot that closed at midnight', { cursor: midnight + 12n * hour }, false],
  ['a run in a slot that closed after midnight', { cursor: midnight + 12n * hour + 1n }, true],
  ['a deferral in a slot that closed at midnight', { cursor: midnight - 12n * hour, deferrals: 1 }, false],
  ['a deferral in a slot that closed after midnight', { cursor: midnight - 12n * hour + 1n, deferrals: 1 }, true],
  // Edited since then: the period and window may have differed.
  ['a run one unknown period before the cursor', { cursor: midnight + 12n * hour, version: 2 }, true],
  ['a run before a cursor of yesterday', { cursor: midnight, version: 2 }, false],
  ['a deferral in an unknown window', { cursor: midnight - 30n * hour, deferrals: 1, version: 2 }, true],
])('records are read of a plan with %s: %o', async (_, changes, isRead) => {
  const asked: bigint[] = [];
  const runs: PlanReader['runs'] = async (id) => {
    asked.push(id);
    return [];
  };
  await gasToday({ runs } as PlanReader, [{ ...daily, ...changes }], duePlan.executor, [owner], midnight + 5n * hour);
  expect(asked).toEqual(isRead ? [daily.id] : []);
});

test('records of a thousand plans are read eight at a time', async () => {
  let open = 0;
  let most = 0;
  const runs: PlanReader['runs'] = async () => {
    open += 1;
    most = Math.max(most, open);
    await new Promise((resolve) => setImmediate(resolve));
    open -= 1;
    return [];
  };
  const plans = Array.from({ length: 1_000 }, (_, at) => ({ ...daily, id: BigInt(at), cursor: midnight + 24n * hour }));
  await gasToday({ runs } as PlanReader, plans, duePlan.executor, [owner], midnight + 5n * hour);
  expect(most).toBe(8);
});
