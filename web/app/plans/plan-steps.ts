import { type PlanTerms, toTerms } from '@bowline/chain/plan';
import { windowSecondsOf } from '@bowline/core/domain/defaults';
import { keptForOthers } from '@bowline/core/domain/owner-plans';
import type { BarePlan as Plan } from '@bowline/core/domain/permissions';
import { largest, smallest } from '@bowline/core/domain/units';
import { type Address, encodeFunctionData } from 'viem';
import { planRegistryAbi } from '../../../abis/index.ts';
import type { Settings } from '../api/settings.ts';
import { approveStep } from '../chain/approve.ts';
import { proofBy } from '../chain/proof.ts';
import type { OwnedPlans } from '../chain/read-plans.ts';
import type { Step } from '../chain/step.ts';
import { exactAmount } from '../words/amounts.ts';
import { partWords } from '../words/en/parts.ts';
import { planWords } from '../words/en/plans.ts';
import { createCall, endOf, type PlanDraft, pricesOf, termsOf } from './draft-plan.ts';
import type { PlanForm } from './plan-form.ts';

interface Context {
  readonly owner: Address;
  readonly owned: OwnedPlans;
  /** The chain's time, unix seconds. */
  readonly now: bigint;
  /** The plan to edit, as its owner has seen it. */
  readonly edited: Plan | undefined;
  readonly form: PlanForm;
  /** The form as filled from the plan's terms. */
  readonly before: PlanForm;
}

interface Made {
  readonly terms: PlanTerms;
  /** What the registry may then take in total. */
  readonly approved: bigint;
  readonly steps: readonly Step[];
}

/** The steps to sign: the exact approval, unless it already exists, and then the plan. */
export function planSteps(draft: PlanDraft, settings: Settings, context: Context): Made {
  const { owner, owned, now, edited, form, before } = context;
  const { pay, amountPerRun, maxRuns } = draft;
  const others = owned.plans.filter(({ id }) => id !== edited?.id);
  const allowance = owned.allowances[pay.address.toLowerCase()] ?? 0n;
  const kept = keptForOthers(others, pay.address, allowance, now);
  const own = amountPerRun * (maxRuns - BigInt(edited?.runs ?? 0));
  const approved = kept + own;
  const terms = edited ? editedTerms(edited, draft, form, before, now) : termsOf(draft, settings, owner, now);
  const label =
    partWords.approveStep(`${exactAmount(own, pay.decimals)} ${pay.symbol}`) +
    (kept > 0n ? planWords.keepForOthers(exactAmount(kept, pay.decimals)) : '');
  const last: Step = edited
    ? { label: planWords.editStep(edited.id), ...editCall(settings, edited, terms) }
    : { label: planWords.createStep, ...createCall(settings, terms) };
  const isApproved = edited !== undefined && allowance === approved;
  // A failed change leaves the plan running as it was.
  const running = keptForOthers(owned.plans, pay.address, allowance, now);
  const left = smallest([running, approved]);
  const approval = approveStep(label, pay.address, settings.contracts.planRegistry, approved, left);
  return { terms, approved, steps: isApproved ? [last] : [approval, last] };
}

/**
 * A plan's next terms. Terms that the form does not show stay. Unchanged values stay exact: the limit, which the
 * contract stores in another unit, and the time grid. A new rhythm begins after the last used slot, or now.
 * @param before the form as filled from the plan's terms.
 */
function editedTerms(plan: Plan, draft: PlanDraft, form: PlanForm, before: PlanForm, now: bigint): PlanTerms {
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

/** Names the version and number of runs that the owner has seen: the registry refuses if they have changed. */
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
