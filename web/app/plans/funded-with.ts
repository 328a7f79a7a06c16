import { type Funded, fundedRuns } from '@bowline/core/domain/funded-runs';
import type { OwnedPlans, Plan } from '../chain/read-plans.ts';
import type { PlanTerms } from '../chain/rehearse.ts';

interface Planned {
  readonly terms: PlanTerms;
  /** What the registry may take of the token then, for all plans, in base units. */
  readonly approved: bigint;
  /** The plan that the terms change; undefined for a new one. */
  readonly edited: Plan | undefined;
}

/**
 * How many runs of a plan that is not signed yet would be paid for, beside the owner's other plans.
 * @param held the owner's balance of the token, in base units.
 */
export function fundedWith(
  owned: Pick<OwnedPlans, 'plans' | 'balances' | 'allowances' | 'count'>,
  { terms, approved, edited }: Planned,
  held: bigint,
  now: bigint,
): Funded | undefined {
  const token = terms.tokenIn.toLowerCase();
  const plan: Plan = {
    ...{ cursor: 0n, runs: 0, records: 0, version: 1 },
    ...edited,
    ...terms,
    id: edited?.id ?? owned.count + 1n,
    ...{ terms, status: 'active' },
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
