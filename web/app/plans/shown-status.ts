import type { OwnedPlans, Plan } from '../chain/read-plans.ts';

/**
 * What a plan's badge may say. `unknown` when the newest reading of an active or paused plan gave no answer: it may have been
 * cancelled or used up since. What has ended for good stays so.
 * @param now the chain's time, unix seconds.
 * @param isOld whether nothing was read of late.
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
