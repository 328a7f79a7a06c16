// The fixed grid of a plan's slots, computed as in PlanRegistry.

import type { BarePlan } from './permissions.ts';

type Grid = Pick<BarePlan, 'startAt' | 'periodSeconds'>;

/** Start of the slot that contains `now`, which must not be before the plan's start. Unix seconds. */
export const slotStartOf = ({ startAt, periodSeconds }: Grid, now: bigint): bigint =>
  now - ((now - startAt) % periodSeconds);

/**
 * Starts of the next slots in which the plan may still run, including the open one; at most `count`, and none after the
 * plan ends or its runs are used up.
 */
export function nextSlots(plan: BarePlan, now: bigint, count: number): bigint[] {
  const { startAt, periodSeconds, windowSeconds, cursor, expiresAt, runs, maxRuns } = plan;
  let start = now < startAt ? startAt : slotStartOf(plan, now);
  if (start < now && now - start >= windowSeconds) start += periodSeconds;
  // Used slots are before the cursor, which is on the grid.
  while (start < cursor) start += periodSeconds;
  const slots: bigint[] = [];
  const left = Math.min(count, maxRuns - runs);
  for (; slots.length < left && start < expiresAt; start += periodSeconds) slots.push(start);
  return slots;
}
