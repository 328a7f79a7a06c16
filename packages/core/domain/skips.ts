import type { BarePlan } from './permissions.ts';
import { hasEnded, isRunning, nextSlot, type Schedule } from './slots.ts';

// The registry takes up to four deferrals in a slot, and the plan may still run in it: a deferral is not a skipped buy.

type Plan = Schedule & Pick<BarePlan, 'status'>;

/** Whether the buy of a slot can still happen. @param now the chain's time, unix seconds. */
export const mayStillRun = (plan: Plan, slotStart: bigint, now: bigint): boolean =>
  !hasEnded(plan, now) && nextSlot(plan, now) === slotStart;

/** The owner is told after this many skipped buys in a row. */
const STREAK = 3;

/**
 * How many buys a running plan has skipped since its last run; undefined if they are too few to tell its owner.
 * @param records the plan's newest records, oldest first.
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
