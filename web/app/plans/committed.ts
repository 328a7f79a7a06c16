import { isWhole } from '../chain/find-own.ts';
import type { OwnedPlans, Plan } from '../chain/read-plans.ts';

/**
 * The amount of a token that the owner's running plans may still take: an approval for another plan must not reduce it.
 * Never more than is approved now, so that the approval is kept but not raised.
 */
export function keptForOthers(plans: readonly Plan[], token: string, allowance: bigint, now: bigint): bigint {
  let left = 0n;
  for (const { tokenIn, status, amountPerRun, maxRuns, runs, expiresAt } of plans) {
    const isLive = (status === 'active' || status === 'paused') && expiresAt > now;
    if (isLive && tokenIn.toLowerCase() === token.toLowerCase()) left += amountPerRun * BigInt(maxRuns - runs);
  }
  return left < allowance ? left : allowance;
}

/**
 * Whether a new approval must wait. It replaces the one before it, so it could take from a plan that the page does not
 * know, or not as it is now.
 * @param isStale whether the newest reading failed or is old.
 */
export function mustWait(
  owned: Pick<OwnedPlans, 'plans' | 'allowances' | 'unread' | 'upTo' | 'count'>,
  token: string,
  isStale: boolean,
): boolean {
  if (isStale || !isWhole(owned)) return true;
  const isToken = ({ tokenIn }: Plan) => tokenIn.toLowerCase() === token.toLowerCase();
  return owned.allowances[token.toLowerCase()] === undefined && owned.plans.some(isToken);
}
