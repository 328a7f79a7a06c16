import type { BarePlan } from './permissions.ts';
import { hasEnded, isRunning, nextSlot, type Schedule } from './slots.ts';

// The registry takes up to four deferrals in a slot, in which the plan may still run: one deferral is no skipped buy.

type Plan = Schedule & Pick<BarePlan, 'status'>;

/** Whether the buy of a slot can still happen. @param now the chain's time, unix seconds. */
export const mayStillRun = (plan: Plan, slotStart: bigint, now: bigint): boolean =>
  !hasEnded(plan, now) && nextSlot(plan, now) === slotStart;

/** Buys skipped in a row of which the owner is told. */
const STREAK = 3;

/**
 * How many buys a running plan has skipped since its last run; undefined if they are too few to tell its owner.
 * @param records its newest, oldest first.
 */
export function skippedInARow<Each extends { readonly slotStart: bigint }>(
  plan: Plan,
  records: readonly Each[],
  isRun: (record: Each) => boolean,
  now: bigint,
): number | undefined {
  if (!isRunning(plan, now)) return undefined;
  const deferred = records.slice(records.findLastIndex(isRun) + 1).map(({ slotStart }) => slotStart);
  const skipped = new Set(deferred.filter((slotStart) => !mayStillRun(plan, slotStart, now)));
  return skipped.size < STREAK ? undefined : skipped.size;
}
