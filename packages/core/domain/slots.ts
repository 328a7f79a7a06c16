// The fixed grid of a plan's slots, as PlanRegistry reckons with it.

import type { BarePlan } from './permissions.ts';

type Grid = Pick<BarePlan, 'startAt' | 'periodSeconds'>;

/** The start of the slot that `now` lies in; `now` not before the plan's start. Unix seconds. */
export const slotStartOf = ({ startAt, periodSeconds }: Grid, now: bigint): bigint =>
  now - ((now - startAt) % periodSeconds);

/**
 * The starts of the next slots in which the plan may still run, the one that is open now among them; at most `count`, and
 * none that would begin when the plan is over or its runs are used up.
 */
export function nextSlots(plan: BarePlan, now: bigint, count: number): bigint[] {
  const { startAt, periodSeconds, windowSeconds, cursor, expiresAt, runs, maxRuns } = plan;
  let start = now < startAt ? startAt : slotStartOf(plan, now);
  if (start < now && now - start >= windowSeconds) start += periodSeconds;
  // Used slots lie before the cursor, which stands on the grid.
  while (start < cursor) start += periodSeconds;
  const slots: bigint[] = [];
  const left = Math.min(count, maxRuns - runs);
  for (; slots.length < left && start < expiresAt; start += periodSeconds) slots.push(start);
  return slots;
}
