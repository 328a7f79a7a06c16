import type { PlanTerms } from '@bowline/chain/plan';
import { type Funded, fundedRuns, type PayablePlan } from '@bowline/core/domain/funded-runs';
import type { BarePlan as Plan } from '@bowline/core/domain/permissions';
import type { OwnedPlans } from '../chain/read-plans.ts';

interface Planned {
  readonly terms: PlanTerms;
  /** What the registry may take of the token then, for all plans, in base units. */
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
