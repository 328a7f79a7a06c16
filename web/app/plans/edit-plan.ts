import { type PlanTerms, toTerms } from '@bowline/chain/plan';
import { windowSecondsOf } from '@bowline/core/domain/defaults';
import type { BarePlan as Plan } from '@bowline/core/domain/permissions';
import { largest } from '@bowline/core/domain/units';
import { encodeFunctionData } from 'viem';
import { planRegistryAbi } from '../../../abis/index.ts';
import type { Settings } from '../api/settings.ts';
import { proofBy } from '../chain/proof.ts';
import { endOf, type PlanDraft, pricesOf } from './draft-plan.ts';
import type { PlanForm } from './plan-form.ts';

/**
 * A plan's next terms. What the form does not show stays, and what was not changed stays to the unit: the limit, which
 * the contract keeps in another unit, and the time grid. A new rhythm begins after the slot that was used last, or now.
 * @param before the form as the plan's terms filled it.
 */
export function editedTerms(plan: Plan, draft: PlanDraft, form: PlanForm, before: PlanForm, now: bigint): PlanTerms {
  const isSame = (...names: readonly (keyof PlanForm)[]) => names.every((name) => form[name] === before[name]);
  const isSameRhythm = isSame('period');
  const nextStart = largest([plan.cursor, now]);
  const left = { ...draft, maxRuns: draft.maxRuns - BigInt(plan.runs) };
  return {
    ...toTerms(plan),
    amountPerRun: draft.amountPerRun,
    ...(!isSameRhythm && {
      ...{ startAt: Number(nextStart), periodSeconds: Number(draft.periodSeconds) },
      windowSeconds: windowSecondsOf(Number(draft.periodSeconds), plan.triggerPriceWad + plan.limitPriceWad > 0n),
    }),
    maxRuns: Number(draft.maxRuns),
    ...(!isSame('period', 'runs', 'hasSpareTime', 'days') && { expiresAt: endOf(left, nextStart) }),
    ...(!isSame('price') && changedPrice(draft)),
    maxSlippageBps: Number(draft.maxSlippageBps),
  };
}

/** A plan's own trigger stays, unless it is a stop loss and has another price. */
const changedPrice = (draft: PlanDraft): Partial<PlanTerms> => {
  const { limitPriceWad, triggerPriceWad } = pricesOf(draft);
  return draft.stopPrice === undefined ? { limitPriceWad } : { triggerPriceWad };
};

/** The owner has seen this version and this many runs: the registry refuses if there are others by then. */
export const editCall = ({ contracts }: Settings, { id, version, runs }: Plan, terms: PlanTerms) => ({
  to: contracts.planRegistry,
  data: encodeFunctionData({
    ...{ abi: planRegistryAbi, functionName: 'edit' },
    args: [id, BigInt(version), BigInt(runs), terms],
  }),
  proof: proofBy(contracts.planRegistry, planRegistryAbi, 'PlanEdited', {
    planId: id,
    version: BigInt(version) + 1n,
    terms,
  }),
});
