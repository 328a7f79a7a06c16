import type { Plan } from '@bowline/core/domain/permissions';
import { WAD } from '@bowline/core/domain/units';
import { BTCB } from '@bowline/core/test/verdict/proposals';
import { expect, test } from 'vitest';
import { openLedger } from '../../../src/loops/executor/ledger.ts';
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
  expect(ledger.whyNot({ ...rich, id: 3n })).toBe('balance_too_low');
  expect(ledger.whyNot({ ...rich, id: 3n, ownerBalance: 300n * WAD })).toBeUndefined();
  expect(ledger.whyNot({ ...rich, id: 3n, ownerBalance: 300n * WAD, ownerAllowance: 300n * WAD - 1n })).toBe(
    'allowance_too_low',
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

// AG-3
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
