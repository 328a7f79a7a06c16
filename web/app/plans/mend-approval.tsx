import type { BarePlan as Plan } from '@bowline/core/domain/permissions';
import { useConnection } from 'wagmi';
import { useIsBusyWith } from '../acts/use-acts.tsx';
import { assetAt } from '../api/settings.ts';
import { approveStep } from '../chain/approve.ts';
import type { OwnedPlans } from '../chain/read-plans.ts';
import { useSteps } from '../chain/use-steps.ts';
import { Signing } from '../parts/signing.tsx';
import { useSettings } from '../settings.tsx';
import { exactAmount } from '../words/amounts.ts';
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
  const { chainId } = useConnection();
  const { progress, run } = useSteps(`approve-plan-${plan.id}`);
  // Another approval under way would replace this one, or this one that.
  const isSigning = useIsBusyWith(settings.contracts.planRegistry);
  const { tokenIn } = plan;
  const allowance = owned.allowances[tokenIn.toLowerCase()];
  if (allowance === undefined) return null;
  const isUnsure = mustWait(owned, tokenIn, isStale);
  const needed = mendingApproval(owned.plans, tokenIn, allowance, now);
  const pay = assetAt(settings, tokenIn);
  const shown = pay ? `${exactAmount(needed, pay.decimals)} ${pay.symbol}` : partWords.units(needed);
  const isShared = needed > plan.amountPerRun * BigInt(plan.maxRuns - plan.runs);
  const label = (isShared ? planWords.approveForAll : partWords.approveStep)(shown);
  return (
    <>
      <button
        type="button"
        className="button"
        disabled={isSigning || isUnsure || chainId !== settings.chainId}
        onClick={() => void run([approveStep(label, tokenIn, settings.contracts.planRegistry, needed)])}
      >
        {label}
      </button>
      {isUnsure && <p className="faint">{planWords.mustWait}</p>}
      {progress.state !== 'done' && <Signing progress={progress} done="" />}
    </>
  );
}
