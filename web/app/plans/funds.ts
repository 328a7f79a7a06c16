import { isWhole } from '@bowline/chain/find-own';
import type { PlanTerms } from '@bowline/chain/plan';
import { type Funded, fundedRuns, type PayablePlan } from '@bowline/core/domain/funded-runs';
import { outstanding } from '@bowline/core/domain/owner-plans';
import type { BarePlan as Plan } from '@bowline/core/domain/permissions';
import { sameAddress } from '@bowline/core/domain/same-address';
import { smallest } from '@bowline/core/domain/units';
import type { OwnedPlans } from '../chain/read-plans.ts';

/**
 * The approval with which each active plan can pay for all of its buys. Paused plans keep their share of the current
 * approval; it is not raised.
 */
export function mendingApproval(plans: readonly Plan[], token: string, allowance: bigint, now: bigint): bigint {
  const paused = outstanding(plans, token, now, ['paused']);
  return outstanding(plans, token, now, ['active']) + smallest([paused, allowance]);
}

/**
 * Whether a new approval must wait. It replaces the previous one, so it could take from a plan that the page does not
 * know or knows only from a stale reading.
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

interface Planned {
  readonly terms: PlanTerms;
  /** What the registry may then take of the token for all plans, in base units. */
  readonly approved: bigint;
  /** The plan that the terms change; undefined for a new one. */
  readonly edited: Plan | undefined;
}

/**
 * How many runs of an unsigned plan would be funded, given the owner's other plans.
 * @param held the owner's balance of the token, in base units.
 */
export function fundedWith(
  owned: Pick<OwnedPlans, 'plans' | 'balances' | 'allowances' | 'count'>,
  { terms, approved, edited }: Planned,
  held: bigint,
  now: bigint,
): Funded | undefined {
  const token = terms.tokenIn.toLowerCase();
  const { tokenIn, amountPerRun, maxRuns } = terms;
  const plan: PayablePlan = {
    ...{ id: edited?.id ?? owned.count + 1n, status: 'active', tokenIn, amountPerRun, maxRuns },
    ...{ cursor: edited?.cursor ?? 0n, runs: edited?.runs ?? 0 },
    startAt: BigInt(terms.startAt),
    periodSeconds: BigInt(terms.periodSeconds),
    windowSeconds: BigInt(terms.windowSeconds),
    expiresAt: BigInt(terms.expiresAt),
  };
  const funded = fundedRuns(
    {
      plans: [...owned.plans.filter(({ id }) => id !== plan.id), plan],
      balances: { ...owned.balances, [token]: held },
      allowances: { ...owned.allowances, [token]: approved },
    },
    now,
  );
  return funded.get(plan.id);
}
