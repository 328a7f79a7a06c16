// All plans of one owner share its balance and its approval to the registry, even under different executors.

import { type Funded, fundedRuns, type PayablePlan } from './funded-runs.ts';
import type { BarePlan, Plan, PlanStatus } from './permissions.ts';
import { sameAddress } from './same-address.ts';
import { smallest } from './units.ts';

/**
 * The funded runs of one plan, given its owner's other plans. A paused plan counts as if it resumed now.
 * @param plan with its owner's funds.
 * @param plans the owner's plans, with or without this one.
 */
export function fundedRunsOf(plan: Plan, plans: readonly BarePlan[], now: bigint): Funded | undefined {
  const token = plan.tokenIn.toLowerCase();
  const status = plan.status === 'paused' ? 'active' : plan.status;
  const funded = fundedRuns(
    {
      plans: [...plans.filter(({ id }) => id !== plan.id), { ...plan, status }],
      balances: { [token]: plan.ownerBalance },
      allowances: { [token]: plan.ownerAllowance },
    },
    now,
  );
  return funded.get(plan.id);
}

/** What plans in one of these states may still take of a token, in base units. */
export function outstanding(
  plans: readonly PayablePlan[],
  token: string,
  now: bigint,
  states: readonly PlanStatus[],
): bigint {
  const live = plans.filter(
    ({ tokenIn, status, expiresAt }) =>
      states.some((state) => state === status) && expiresAt > now && sameAddress(tokenIn, token),
  );
  return live.reduce((sum, { amountPerRun, maxRuns, runs }) => sum + amountPerRun * BigInt(maxRuns - runs), 0n);
}

/**
 * What an approval for another plan must leave to the owner's running plans: what they may still take, but no more than
 * is approved now, so that their approval is kept but not raised.
 */
export const keptForOthers = (plans: readonly PayablePlan[], token: string, allowance: bigint, now: bigint): bigint =>
  smallest([outstanding(plans, token, now, ['active', 'paused']), allowance]);
