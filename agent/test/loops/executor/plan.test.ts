import { zeroAddress } from 'viem';
import { describe, expect, test } from 'vitest';
import type { Plan } from '../../../src/domain/permissions.ts';
import { reasonCodes } from '../../../src/domain/reasons.ts';
import { WAD } from '../../../src/domain/units.ts';
import { decide, duePlans, gasOfRecord, servedPlans } from '../../../src/loops/executor/plan.ts';
import { BTCB, NOW, USDT } from '../../guard/proposals.ts';
import { duePlan, executor, owner, priceSource, servingPolicy, snapshotOf } from './plans.ts';

const answerTo = (plan: Plan, changes = {}) => {
  const { due, skipped } = duePlans(snapshotOf([plan], changes));
  expect(due.length + skipped.length).toBe(1);
  return skipped[0]?.skip ?? 'due';
};

const elsewhere = '0x00000000000000000000000000000000000000ff';

describe('a plan is due', () => {
  test('from the first second of its slot', () => {
    const plan = { ...duePlan, startAt: NOW, cursor: 0n, runs: 0, records: 0 };
    const { due } = duePlans(snapshotOf([plan]));
    expect(due).toEqual([
      {
        plan,
        slotStart: NOW,
        route: {
          asset: BTCB,
          quoteAsset: USDT,
          side: 'buy',
          path: `0x${USDT.address.slice(2)}0001f4${BTCB.address.slice(2)}`.toLowerCase(),
        },
      },
    ]);
  });

  test.each<[string, Partial<Plan>]>([
    ['in the last second of its window', { startAt: NOW - 1_799n, cursor: 0n }],
    ['although earlier slots were missed', { cursor: NOW - 7_230n }],
    ['in the last second before it expires', { expiresAt: NOW + 1n }],
    ['for its last run', { runs: 9 }],
    ['with an executor written in other case', { executor: executor.toUpperCase().replace('X', 'x') as `0x${string}` }],
    ['at a limit price alone', { priceSource: zeroAddress, limitPriceWad: 1n }],
    [
      'with the price source in other case',
      { priceSource: priceSource.toUpperCase().replace('X', 'x') as `0x${string}` },
    ],
    ['after deferrals in the same slot', { deferrals: 4, lastReason: 3 }],
  ])('%s', (_, changes) => {
    expect(answerTo({ ...duePlan, ...changes })).toBe('due');
  });
});

// AG-3
describe('a plan is left alone', () => {
  test.each<[string, Partial<Plan>]>([
    ['not_ours', { executor: elsewhere }],
    ['plan_not_active', { status: 'paused' }],
    ['plan_not_active', { status: 'cancelled' }],
    ['plan_expired', { expiresAt: NOW }],
    ['runs_used_up', { runs: 10 }],
    ['plan_not_started', { startAt: NOW + 1n, cursor: 0n }],
    ['slot_used', { cursor: NOW - 30n + 3_600n }],
    ['slot_closed', { startAt: NOW - 1_800n, cursor: 0n }],
    ['not_served_token', { tokenOut: elsewhere }],
    ['not_served_token', { tokenIn: elsewhere }],
    ['not_served_price_source', { priceSource: elsewhere, limitPriceWad: 1n }],
    ['not_served_period', { periodSeconds: 59n, windowSeconds: 59n, cursor: 0n }],
    ['balance_too_low', { ownerBalance: 100n * WAD - 1n }],
    ['allowance_too_low', { ownerAllowance: 100n * WAD - 1n }],
  ])('%s', (skip, changes) => {
    expect(answerTo({ ...duePlan, ...changes })).toBe(skip);
  });

  test('when it has reverted in this slot, and not for an earlier one', () => {
    expect(answerTo(duePlan, { revertedSlots: new Map([[1n, NOW - 30n]]) })).toBe('reverted_before');
    expect(answerTo(duePlan, { revertedSlots: new Map([[1n, NOW - 3_630n]]) })).toBe('due');
    expect(answerTo(duePlan, { revertedSlots: new Map([[2n, NOW - 30n]]) })).toBe('due');
  });

  test('when its token is in the registry but not on the list', () => {
    const policy = { ...servingPolicy, tokens: ['USDT'] };
    expect(answerTo(duePlan, { policy })).toBe('not_served_token');
  });

  test('when no pool joins its tokens', () => {
    const eth = { ...BTCB, symbol: 'ETH', address: elsewhere } as const;
    const policy = { ...servingPolicy, tokens: ['BTCB', 'ETH', 'USDT'] };
    const plan = { ...duePlan, tokenIn: eth.address };
    expect(answerTo(plan, { policy, assets: [BTCB, USDT, eth] })).toBe('not_served_route');
  });

  test('without keeping the next one from its turn', () => {
    const { due, skipped } = duePlans(
      snapshotOf([
        { ...duePlan, status: 'paused' },
        { ...duePlan, id: 2n },
      ]),
    );
    expect(due.map(({ plan }) => plan.id)).toEqual([2n]);
    expect(skipped).toEqual([{ planId: 1n, skip: 'plan_not_active' }]);
  });
});

// AG-3
describe('gas is spent on', () => {
  const usdWad = new Map([[USDT.address.toLowerCase(), WAD]]);
  const none = new Map<string, bigint>();
  const { due } = duePlans(snapshotOf([duePlan]));
  const policyOf = (changes: Partial<typeof servingPolicy>) => ({ ...servingPolicy, ...changes });

  test('a run of the least value, and not on less', () => {
    const least = policyOf({ minimumRunUsdWad: 100n * WAD });
    expect(servedPlans(due, { usdWad, gasToday: none }, least).served).toEqual([{ ...due[0], runUsdWad: 100n * WAD }]);
    const more = policyOf({ minimumRunUsdWad: 100n * WAD + 1n });
    expect(servedPlans(due, { usdWad, gasToday: none }, more)).toEqual({
      served: [],
      skipped: [{ planId: 1n, skip: 'not_served_run_value' }],
    });
  });

  test('a run whose value rounds up to a unit, in a token of few decimals', () => {
    const coarse = { ...USDT, decimals: 6 };
    const plan = { ...duePlan, amountPerRun: 1n };
    const small = duePlans(snapshotOf([plan], { assets: [BTCB, coarse] })).due;
    const price = new Map([[USDT.address.toLowerCase(), 999_999_999_999_999_999n]]);
    const { served } = servedPlans(small, { usdWad: price, gasToday: none }, policyOf({ minimumRunUsdWad: 0n }));
    expect(served[0]?.runUsdWad).toBe(1_000_000_000_000n);
  });

  test('a run whose price is missing: the checks will say so', () => {
    const { served } = servedPlans(due, { usdWad: none, gasToday: none }, servingPolicy);
    expect(served).toEqual(due);
    expect(served[0]?.runUsdWad).toBeUndefined();
  });

  test('as many runs of an owner as the day allows, those before counted', () => {
    const plans = [1n, 2n, 3n, 4n].map((id) => ({ ...duePlan, id, owner: id === 3n ? executor : owner }) as const);
    const many = duePlans(snapshotOf(plans)).due;
    const policy = policyOf({ gasPerOwnerPerDay: 2n * gasOfRecord.executed });
    const ids = (gasToday: Map<string, bigint>) =>
      servedPlans(many, { usdWad, gasToday }, policy).served.map(({ plan }) => plan.id);
    expect(ids(none)).toEqual([1n, 2n, 3n]);
    expect(ids(new Map([[owner, 1n]]))).toEqual([1n, 3n]);
    expect(servedPlans(many, { usdWad, gasToday: none }, policy).skipped).toEqual([
      { planId: 4n, skip: 'not_served_gas' },
    ]);
  });
});

// AG-2
describe('a verdict', () => {
  const [due] = duePlans(snapshotOf([duePlan])).due;
  const answer = (verdict: 'GO' | 'CAUTION' | 'NO_GO' | 'NO_DATA', plan: Partial<Plan> = {}) => {
    if (due === undefined) throw new Error('not due');
    const ruling = verdict === 'GO' ? { verdict } : { verdict, reason: 'spot_off_twap' as const };
    return decide({ ...due, plan: { ...due.plan, ...plan } }, ruling);
  };
  const code = reasonCodes.spot_off_twap;

  test('of GO executes, whatever was deferred before', () => {
    expect(answer('GO', { deferrals: 4, lastReason: code })).toEqual({ kind: 'execute', path: due?.route.path });
  });

  test.each(['CAUTION', 'NO_GO', 'NO_DATA'] as const)('of %s is put on record', (verdict) => {
    expect(answer(verdict)).toEqual({ kind: 'defer', reasonCode: code });
  });

  test('is not repeated in the slot', () => {
    const skip = { kind: 'skip', planId: 1n, skip: 'reason_repeated' };
    expect(answer('NO_GO', { deferrals: 1, lastReason: code })).toEqual(skip);
    // The registry asks for repetition before it counts.
    expect(answer('NO_GO', { deferrals: 4, lastReason: code })).toEqual(skip);
  });

  test('is repeated in the next slot', () => {
    const before = NOW - 30n - 3_600n;
    expect(answer('NO_GO', { deferrals: 4, lastReason: code, cursor: before }).kind).toBe('defer');
  });

  test('is heard four times in a slot', () => {
    expect(answer('NO_GO', { deferrals: 3, lastReason: 1 }).kind).toBe('defer');
    expect(answer('NO_GO', { deferrals: 4, lastReason: 1 })).toEqual({
      kind: 'skip',
      planId: 1n,
      skip: 'deferrals_used_up',
    });
  });

  test('without a reason is not put on record', () => {
    if (due === undefined) throw new Error('not due');
    expect(decide(due, { verdict: 'NO_DATA' })).toEqual({ kind: 'skip', planId: 1n, skip: 'reason_missing' });
  });
});
