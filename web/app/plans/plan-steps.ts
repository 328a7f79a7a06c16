import type { PlanTerms } from '@bowline/chain/plan';
import { keptForOthers } from '@bowline/core/domain/owner-plans';
import type { BarePlan as Plan } from '@bowline/core/domain/permissions';
import { smallest } from '@bowline/core/domain/units';
import type { Address } from 'viem';
import type { Settings } from '../api/settings.ts';
import { approveStep } from '../chain/approve.ts';
import type { OwnedPlans } from '../chain/read-plans.ts';
import type { Step } from '../chain/step.ts';
import { exactAmount } from '../words/amounts.ts';
import { partWords } from '../words/en/parts.ts';
import { planWords } from '../words/en/plans.ts';
import { createCall, type PlanDraft, termsOf } from './draft-plan.ts';
import { editCall, editedTerms } from './edit-plan.ts';
import type { PlanForm } from './plan-form.ts';

interface Context {
  readonly owner: Address;
  readonly owned: OwnedPlans;
  /** The chain's time, unix seconds. */
  readonly now: bigint;
  /** The plan to edit, as its owner has seen it. */
  readonly edited: Plan | undefined;
  readonly form: PlanForm;
  /** The form as the plan's terms filled it. */
  readonly before: PlanForm;
}

interface Made {
  readonly terms: PlanTerms;
  /** What the registry may take then, in all. */
  readonly approved: bigint;
  readonly steps: readonly Step[];
}

/** What is signed: the exact approval, unless it already exists, and then the plan. */
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
  // A change that fails leaves its plan running as it was.
  const running = keptForOthers(owned.plans, pay.address, allowance, now);
  const left = smallest([running, approved]);
  const approval = approveStep(label, pay.address, settings.contracts.planRegistry, approved, left);
  return { terms, approved, steps: isApproved ? [last] : [approval, last] };
}
