import { isWhole } from '@bowline/chain/find-own';
import { outstanding } from '@bowline/core/domain/owner-plans';
import type { BarePlan as Plan } from '@bowline/core/domain/permissions';
import { sameAddress } from '@bowline/core/domain/same-address';
import { smallest } from '@bowline/core/domain/units';
import type { OwnedPlans } from '../chain/read-plans.ts';

/**
 * The approval with which each active plan can pay for all of its buys. What paused plans have of the approval now
 * remains theirs, and is not raised.
 */
export function mendingApproval(plans: readonly Plan[], token: string, allowance: bigint, now: bigint): bigint {
  const paused = outstanding(plans, token, now, ['paused']);
  return outstanding(plans, token, now, ['active']) + smallest([paused, allowance]);
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
  const isToken = ({ tokenIn }: Plan) => sameAddress(tokenIn, token);
  return owned.allowances[token.toLowerCase()] === undefined && owned.plans.some(isToken);
}
