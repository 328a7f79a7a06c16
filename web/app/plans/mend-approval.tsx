import type { BarePlan as Plan } from '@bowline/core/domain/permissions';
import { useIsBusyWith } from '../acts/use-acts.tsx';
import { approveStep } from '../chain/approve.ts';
import type { OwnedPlans } from '../chain/read-plans.ts';
import { useSteps } from '../chain/use-steps.ts';
import { Signing } from '../parts/signing.tsx';
import { useSettings } from '../settings.tsx';
import { exactOf } from '../words/amount-of.ts';
import { partWords } from '../words/en/parts.ts';
import { planWords } from '../words/en/plans.ts';
import { mendingApproval, mustWait } from './committed.ts';

interface Props {
  readonly plan: Plan;
  readonly owned: OwnedPlans;
  readonly now: bigint;
  readonly isStale: boolean;
}

/** Approves what this plan's buys lack, in its own card: all active plans that pay with the token share one approval. */
export function MendApproval({ plan, owned, now, isStale }: Props) {
  const settings = useSettings();
  const { progress, isOff, run } = useSteps(`approve-plan-${plan.id}`);
  // Another approval under way would replace this one, or this one that.
  const isSigning = useIsBusyWith(settings.contracts.planRegistry);
  const { tokenIn } = plan;
  const allowance = owned.allowances[tokenIn.toLowerCase()];
  if (allowance === undefined) return null;
  const isUnsure = mustWait(owned, tokenIn, isStale);
  const needed = mendingApproval(owned.plans, tokenIn, allowance, now);
  const isShared = needed > plan.amountPerRun * BigInt(plan.maxRuns - plan.runs);
  const label = (isShared ? planWords.approveForAll : partWords.approveStep)(exactOf(settings, tokenIn, needed));
  return (
    <>
      <button
        type="button"
        className="button"
        disabled={isOff || isSigning || isUnsure}
        onClick={() => void run([approveStep(label, tokenIn, settings.contracts.planRegistry, needed)])}
      >
        {label}
      </button>
      {isUnsure && <p className="faint">{planWords.mustWait}</p>}
      {progress.state !== 'done' && <Signing progress={progress} done="" />}
    </>
  );
}
