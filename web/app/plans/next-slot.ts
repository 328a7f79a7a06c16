import type { Plan } from '../chain/read-plans.ts';

type Grid = Pick<Plan, 'startAt' | 'periodSeconds' | 'windowSeconds' | 'cursor' | 'expiresAt' | 'runs' | 'maxRuns'>;

/** The start of the next slot in which a plan may run, or of the one that is open; undefined when it is over. Unix seconds. */
export function nextSlot(plan: Grid, now: bigint): bigint | undefined {
  const { startAt, periodSeconds, windowSeconds, cursor, expiresAt, runs, maxRuns } = plan;
  if (runs >= maxRuns) return undefined;
  let start = now < startAt ? startAt : now - ((now - startAt) % periodSeconds);
  if (start < now && now - start >= windowSeconds) start += periodSeconds;
  // The cursor stands on the grid, just after the last slot that was used.
  if (start < cursor) start = cursor;
  return start < expiresAt && now < expiresAt ? start : undefined;
}
