import type { OwnedPlans, Plan } from '../chain/read-plans.ts';

/**
 * The status for a plan's badge. `unknown` if an active or paused plan could not be read recently: it may have been
 * cancelled or used up since. A final status stays.
 * @param now the chain's time, unix seconds.
 * @param isOld whether nothing was read recently.
 */
export function shownStatus(
  plan: Plan,
  { unread }: Pick<OwnedPlans, 'unread'>,
  now: bigint | undefined,
  isOld: boolean,
) {
  const { status } = plan;
  if (status !== 'active' && status !== 'paused') return status;
  const isOver = plan.runs >= plan.maxRuns || (now !== undefined && now >= plan.expiresAt);
  if (isOver && status === 'active') return 'over';
  return isOld || unread.includes(plan.id) ? 'unknown' : status;
}
