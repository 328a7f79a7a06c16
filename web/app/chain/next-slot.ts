import type { Plan } from './read-plans.ts';

type Grid = Pick<Plan, 'startAt' | 'periodSeconds' | 'windowSeconds' | 'cursor' | 'expiresAt' | 'runs' | 'maxRuns'>;

/**
 * Start of the next slot in which a plan may run, or of the open one; undefined if the plan has ended. Unix seconds.
 */
export function nextSlot(plan: Grid, now: bigint): bigint | undefined {
  const { startAt, periodSeconds, windowSeconds, cursor, expiresAt, runs, maxRuns } = plan;
  if (runs >= maxRuns) return undefined;
  let start = now < startAt ? startAt : now - ((now - startAt) % periodSeconds);
  if (start < now && now - start >= windowSeconds) start += periodSeconds;
  // The cursor is on the grid, at the end of the last used slot.
  if (start < cursor) start = cursor;
  return start < expiresAt && now < expiresAt ? start : undefined;
}

/** When a slot closes: its window's end, or the plan's own if that is sooner. Unix seconds. */
export const slotEnd = (
  { windowSeconds, expiresAt }: Pick<Grid, 'windowSeconds' | 'expiresAt'>,
  from: bigint,
): bigint => (from + windowSeconds < expiresAt ? from + windowSeconds : expiresAt);
