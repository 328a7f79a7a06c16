import { expect, test } from 'vitest';
import type { BarePlan } from '../../domain/permissions.ts';
import { skippedInARow } from '../../domain/skips.ts';

/** Slots are open for 60 of every 100 seconds, and nothing has run yet. */
const plan = {
  ...{ startAt: 1_000n, periodSeconds: 100n, windowSeconds: 60n, expiresAt: 9_000n },
  ...{ cursor: 1_000n, runs: 0, maxRuns: 5, status: 'active' },
} as BarePlan;

/** The skips after records in these slots; a negative slot is one that ran. */
const skipped = (now: bigint, slots: readonly bigint[], changes: Partial<BarePlan> = {}) => {
  const records = slots.map((slot) => ({ slotStart: slot < 0n ? -slot : slot, ran: slot < 0n }));
  return skippedInARow({ ...plan, ...changes }, records, ({ ran }) => ran, now);
};

test('AG-78: three slots that closed after deferrals alone are told of, and no deferral in one that may still run', () => {
  expect(skipped(1_059n, [1_000n, 1_000n, 1_000n, 1_000n])).toBeUndefined();
  expect(skipped(1_060n, [1_000n, 1_000n, 1_000n, 1_000n])).toBeUndefined();
  expect(skipped(1_259n, [1_000n, 1_100n, 1_200n])).toBeUndefined();
  expect(skipped(1_260n, [1_000n, 1_100n, 1_200n])).toBe(3);
  expect(skipped(1_300n, [1_000n, 1_100n, 1_100n, 1_200n, 1_300n])).toBe(3);
});

test('a run begins the count anew, and only a plan with a run to come has one', () => {
  const slots = [1_000n, 1_100n, 1_200n];
  expect(skipped(1_400n, [...slots, -1_300n])).toBeUndefined();
  expect(skipped(1_700n, [-1_300n, 1_400n, 1_500n, 1_600n])).toBe(3);
  for (const status of ['paused', 'cancelled', 'revoked'] as const) {
    expect(skipped(1_300n, slots, { status })).toBeUndefined();
  }
  expect(skipped(9_000n, slots)).toBeUndefined();
});
