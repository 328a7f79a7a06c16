import type { Plan } from '@bowline/core/domain/permissions';
import { reasonCodes } from '@bowline/core/domain/reasons';
import { WAD } from '@bowline/core/domain/units';
import { BTCB, NOW, USDT } from '@bowline/core/test/verdict/proposals';
import { zeroAddress } from 'viem';
import { describe, expect, test } from 'vitest';
import {
  type DuePlan,
  decide,
  duePlans,
  nextRunStart,
  nextSlotStart,
  servedPlans,
} from '../../../src/loops/executor/plan.ts';
import { duePlan, executor, owner, priceSource, servingPolicy, snapshotOf } from './plans.ts';

const answerTo = (plan: Plan, changes = {}) => {
  const { due, skipped } = duePlans(snapshotOf([plan], changes));
  expect(due.length + skipped.length).toBe(1);
  return skipped[0]?.skip ?? 'due';
};

const elsewhere = '0x00000000000000000000000000000000000000ff';
const route = [
  { pool: elsewhere, feeMillionths: 2500, tokenOut: elsewhere },
  { pool: elsewhere, feeMillionths: 100, tokenOut: BTCB.address },
] as const;

describe('a plan is due', () => {
  test('from the first second of its slot', () => {
    const plan = { ...duePlan, startAt: NOW, cursor: 0n, runs: 0, records: 0 };
    const { due } = duePlans(snapshotOf([plan]));
    expect(due).toEqual([
      {
        plan,
        slotStart: NOW,
        pairing: { asset: BTCB, quoteAsset: USDT, side: 'buy' },
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

// AG-18
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
    expect(answerTo(duePlan, { cancelledSlots: new Map([[1n, NOW - 30n]]) })).toBe('cancelled_before');
    expect(answerTo(duePlan, { cancelledSlots: new Map([[1n, NOW - 3_630n]]) })).toBe('due');
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

// AG-18
describe('gas is spent on', () => {
  const usdWad = new Map([[USDT.address.toLowerCase(), WAD]]);
  const { due } = duePlans(snapshotOf([duePlan]));
  const policyOf = (minimumRunUsdWad: bigint) => ({ ...servingPolicy, minimumRunUsdWad });

  test('a run of the least value, and not on less', () => {
    expect(servedPlans(due, usdWad, policyOf(100n * WAD)).served).toEqual(due);
    expect(servedPlans(due, usdWad, policyOf(100n * WAD + 1n))).toEqual({
      served: [],
      skipped: [{ planId: 1n, skip: 'not_served_run_value' }],
    });
  });

  test('a run in a token of few decimals, by whole tokens and not by base units', () => {
    const coarse = { ...USDT, decimals: 6 };
    const plan = { ...duePlan, amountPerRun: 5_000_000n };
    const small = duePlans(snapshotOf([plan], { assets: [BTCB, coarse] })).due;
    expect(servedPlans(small, usdWad, policyOf(5n * WAD)).served).toEqual(small);
    expect(servedPlans(small, usdWad, policyOf(5n * WAD + 1n)).served).toEqual([]);
  });

  test('a run whose price is missing: the checks will say so', () => {
    const { served } = servedPlans(due, new Map(), servingPolicy);
    expect(served).toEqual(due);
  });
});

// AG-12
describe('the order', () => {
  const idsAt = (plans: readonly Plan[], now: bigint) =>
    duePlans(snapshotOf(plans, { now })).due.map(({ plan }) => plan.id);

  test('is that in which the slots close', () => {
    const closing = (id: bigint, windowSeconds: bigint, expiresAt = NOW + 86_400n) => ({
      ...duePlan,
      id,
      windowSeconds,
      expiresAt,
    });
    const plans = [closing(1n, 1_800n), closing(2n, 31n), closing(3n, 3_600n), closing(4n, 3_600n, NOW + 600n)];
    expect(idsAt(plans, NOW)).toEqual([2n, 4n, 1n, 3n]);
    // A slot that began later may close sooner.
    const late = { ...closing(5n, 100n), startAt: NOW - 1n, cursor: 0n };
    expect(idsAt([closing(1n, 1_800n), late], NOW)).toEqual([5n, 1n]);
  });

  // AG-12
  test('is first that of plans that have run, whatever closes sooner', () => {
    const crowd = [3n, 4n, 5n].map((id) => ({ ...duePlan, id, runs: 0, records: 0, windowSeconds: 60n }));
    const honest = { ...duePlan, id: 9n, runs: 1, windowSeconds: 3_000n };
    const { due } = duePlans(snapshotOf([...crowd, honest]));
    expect(due[0]?.plan.id).toBe(9n);
    expect(due).toHaveLength(4);
  });

  test('gives each of those that close together the same chance, whatever their numbers, at whatever interval', () => {
    for (const interval of [1n, 900n, 3_600n]) {
      const ids = [1n, 2n, 3n, 4n, 1_000n, 1_001n, 2_048n, 99_999n];
      const first = new Map(ids.map((id) => [id, 0]));
      for (let tick = 0n; tick < 1_000n; tick += 1n) {
        const now = NOW + tick * interval;
        const plans = ids.map((id) => ({ ...duePlan, id, startAt: now, cursor: 0n, expiresAt: now + 86_400n }));
        const [winner = 0n, ...others] = idsAt(plans, now);
        expect(others).toHaveLength(7);
        first.set(winner, (first.get(winner) ?? 0) + 1);
      }
      for (const [id, times] of first) {
        expect(times, `plan ${id} at ${interval} s`).toBeGreaterThan(60);
        expect(times, `plan ${id} at ${interval} s`).toBeLessThan(250);
      }
    }
  });

  test('is the same for an agent that has just been started', () => {
    const plans = Array.from({ length: 20 }, (_, at) => ({ ...duePlan, id: BigInt(at + 1) }));
    expect(idsAt(plans, NOW)).toEqual(idsAt(plans.toReversed(), NOW));
  });
});

describe('the next slot begins', () => {
  const nextOf = (...plans: Partial<Plan>[]) =>
    nextSlotStart(snapshotOf(plans.map((changes) => ({ ...duePlan, ...changes }))));

  test('a period after the one that is open, used or not', () => {
    expect(nextOf({})).toBe(NOW - 30n + 3_600n);
    expect(nextOf({ cursor: NOW - 30n + 3_600n })).toBe(NOW - 30n + 3_600n);
  });

  test('at the first one that is not used up, after an edit has moved the time grid', () => {
    expect(nextOf({ cursor: NOW - 30n + 2n * 3_600n + 1n })).toBe(NOW - 30n + 3n * 3_600n);
  });

  test('at the start of a plan that has not begun', () => {
    expect(nextOf({ startAt: NOW + 1n, cursor: 0n })).toBe(NOW + 1n);
    expect(nextOf({ startAt: NOW, cursor: 0n })).toBe(NOW + 3_600n);
  });

  test('with whichever plan is first', () => {
    expect(nextOf({}, { startAt: NOW + 40n, cursor: 0n }, { startAt: NOW + 50n, cursor: 0n })).toBe(NOW + 40n);
  });

  test.each<[string, Partial<Plan>]>([
    ['is paused', { status: 'paused' }],
    ['is of another executor', { executor: owner }],
    ['has run as often as it may', { runs: 10 }],
    ['expires before', { expiresAt: NOW - 30n + 3_600n }],
    ['is not served', { priceSource: owner }],
    ['has too short a period', { periodSeconds: 59n, windowSeconds: 59n, cursor: 0n }],
    ['has no money', { ownerBalance: 0n }],
    ['has no allowance', { ownerAllowance: 100n * WAD - 1n }],
  ])('not with a plan that %s', (_, changes) => {
    expect(nextOf(changes)).toBeUndefined();
  });

  test('with the first that is served, whatever comes before', () => {
    const sooner = { startAt: NOW + 1n, cursor: 0n, status: 'paused' } as const;
    expect(nextOf(sooner, { startAt: NOW + 50n, cursor: 0n })).toBe(NOW + 50n);
  });

  test('in the last second before it expires', () => {
    expect(nextOf({ expiresAt: NOW - 30n + 3_601n })).toBe(NOW - 30n + 3_600n);
  });
});

// AG-2
describe('a verdict', () => {
  const [due] = duePlans(snapshotOf([duePlan])).due;
  const answer = (verdict: 'GO' | 'CAUTION' | 'NO_GO' | 'NO_DATA', plan: Partial<Plan> = {}) => {
    if (due === undefined) throw new Error('not due');
    const ruling = verdict === 'GO' ? { verdict, route } : { verdict, reason: 'cost_high' as const };
    return decide({ ...due, plan: { ...due.plan, ...plan } }, ruling);
  };
  const code = reasonCodes.cost_high;

  // AG-1
  test('of GO executes over the pools that were judged, whatever was deferred before', () => {
    const path = `0x${[USDT.address, '0009c4', elsewhere, '000064', BTCB.address].map((part) => part.replace('0x', '')).join('')}`;
    expect(answer('GO', { deferrals: 4, lastReason: code })).toEqual({ kind: 'execute', path: path.toLowerCase() });
  });

  test('of GO without a route executes nothing', () => {
    expect(decide(due as DuePlan, { verdict: 'GO' })).toEqual({ kind: 'skip', planId: 1n, skip: 'not_served_route' });
  });

  test.each(['CAUTION', 'NO_GO', 'NO_DATA'] as const)('of %s is put on record', (verdict) => {
    expect(answer(verdict)).toEqual({ kind: 'defer', reasonCode: code });
  });

  test('is not repeated in the slot', () => {
    const skip = { kind: 'skip', planId: 1n, skip: 'reason_repeated' };
    expect(answer('NO_GO', { deferrals: 1, lastReason: code })).toEqual(skip);
    // The registry checks for a repeated reason before it counts deferrals.
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

  test('that rests on the silence of our own sources is not put on record', () => {
    if (due === undefined) throw new Error('not due');
    const ruling = { verdict: 'NO_DATA', reason: 'reference_missing' } as const;
    const skip = { kind: 'skip', planId: 1n, skip: 'source_silent' };
    expect(decide(due, { ...ruling, silent: ['pyth'] })).toEqual(skip);
    expect(decide(due, { ...ruling, silent: [] }).kind).toBe('defer');
  });

  // AG-320
  test('that rests on a slippage below the pool’s fee is not put on record', () => {
    expect(decide(due as DuePlan, { verdict: 'NO_GO', reason: 'cost_high', isTermBelowFee: true })).toEqual({
      kind: 'skip',
      planId: 1n,
      skip: 'term_below_fee',
    });
  });

  // AG-342
  test('is neither tried nor put on record while the limit price is not reached', () => {
    const skip = { kind: 'skip', planId: 1n, skip: 'limit_not_reached' };
    for (const ruling of [{ verdict: 'GO' }, { verdict: 'NO_GO', reason: 'cost_high' }] as const) {
      expect(decide(due as DuePlan, { ...ruling, isBelowLimit: true })).toEqual(skip);
    }
  });

  test('without a reason is not put on record', () => {
    if (due === undefined) throw new Error('not due');
    expect(decide(due, { verdict: 'NO_DATA' })).toEqual({ kind: 'skip', planId: 1n, skip: 'reason_missing' });
  });
});

// AG-320
describe('deferrals end for the next slot of', () => {
  const first = (...plans: Partial<Plan>[]) => nextRunStart(snapshotOf(plans.map((plan) => ({ ...duePlan, ...plan }))));
  const next = NOW + 3_570n;

  test('a plan that has run, or has no record yet', () => {
    expect(first({})).toBe(next);
    expect(first({ runs: 0, records: 0 })).toBe(next);
  });

  test('no plan that has only been deferred, or would be by its own terms', () => {
    expect(first({ runs: 0, records: 1 })).toBeUndefined();
    expect(first({ runs: 0, records: 0, maxSlippageBps: 4 })).toBeUndefined();
    expect(first({ runs: 1, maxSlippageBps: 4 })).toBe(next);
    expect(first({ runs: 0, records: 1 }, {})).toBe(next);
  });
});
