import { keptForOthers } from '@bowline/core/domain/owner-plans';
import type { BarePlan as Plan } from '@bowline/core/domain/permissions';
import { useState } from 'react';
import { encodeFunctionData } from 'viem';
import { useConnection } from 'wagmi';
import { Link } from 'wouter';
import { planRegistryAbi } from '../../../abis/index.ts';
import { useIsApproving } from '../acts/use-acts.tsx';
import { assetAt } from '../api/settings.ts';
import { approveStep } from '../chain/approve.ts';
import { proofBy } from '../chain/proof.ts';
import type { OwnedPlans } from '../chain/read-plans.ts';
import type { Step } from '../chain/step.ts';
import { useSteps } from '../chain/use-steps.ts';
import { Notice } from '../parts/notice.tsx';
import { Signing } from '../parts/signing.tsx';
import { useSettings } from '../settings.tsx';
import { exactAmount } from '../words/amounts.ts';
import { partWords } from '../words/en/parts.ts';
import { planWords } from '../words/en/plans.ts';
import { mustWait } from './committed.ts';

/** What of its owner's approval a plan leaves behind when it ends, in base units; undefined if that is not certain. */
function freedBy(plan: Plan, owned: OwnedPlans, now: bigint, isStale: boolean) {
  const allowance = owned.allowances[plan.tokenIn.toLowerCase()];
  if (allowance === undefined || mustWait(owned, plan.tokenIn, isStale)) return undefined;
  const others = owned.plans.filter(({ id }) => id !== plan.id);
  const kept = keptForOthers(others, plan.tokenIn, allowance, now);
  return { kept, freed: allowance - kept };
}

interface Props {
  readonly plan: Plan;
  readonly owned: OwnedPlans;
  readonly now: bigint | undefined;
  readonly isStale: boolean;
  /** Whether the plan can still be changed. */
  readonly isLive: boolean;
  readonly edit: (() => void) | undefined;
  readonly copy: (() => void) | undefined;
}

/** What its owner can do with a plan, and where anybody can check it. */
export function PlanButtons({ plan, owned, now, isStale, isLive, edit, copy }: Props) {
  const settings = useSettings();
  const { planRegistry } = settings.contracts;
  const { chainId } = useConnection();
  const { progress, isBusy, run } = useSteps(`plan-${plan.id}`);
  const [isCancelling, setCancelling] = useState(false);
  const [takesBack, setTakesBack] = useState(true);
  const [done, setDone] = useState('');
  const isStopped = isBusy || chainId !== settings.chainId;
  const pay = assetAt(settings, plan.tokenIn);
  const shown = (base: bigint) => (pay ? `${exactAmount(base, pay.decimals)} ${pay.symbol}` : partWords.units(base));
  // While the plan of an approval is still being created, none of the approval is left over.
  const isOtherApproving = useIsApproving(planRegistry) && !isBusy;
  const back = now === undefined || isOtherApproving ? undefined : freedBy(plan, owned, now, isStale);

  const call = (label: string, data: Step['data'], event: 'PlanPaused' | 'PlanResumed' | 'PlanCancelled'): Step => ({
    ...{ label, to: planRegistry, data },
    proof: proofBy(planRegistry, planRegistryAbi, event, { planId: plan.id }),
    ...(event !== 'PlanResumed' && { isEnd: true }),
  });
  const act = (sentence: string, steps: readonly Step[]) => {
    setDone(sentence);
    return run(steps);
  };
  const pause = () => {
    const data = encodeFunctionData({ abi: planRegistryAbi, functionName: 'pause', args: [plan.id] });
    return act(planWords.pausedNow, [call(planWords.pauseStep(plan.id), data, 'PlanPaused')]);
  };
  const resume = () => {
    const args = [plan.id, BigInt(plan.version), BigInt(plan.runs)] as const;
    const data = encodeFunctionData({ abi: planRegistryAbi, functionName: 'resume', args });
    return act(planWords.resumedNow, [call(planWords.resumeStep(plan.id), data, 'PlanResumed')]);
  };
  const cancel = () => {
    setCancelling(false);
    const data = encodeFunctionData({ abi: planRegistryAbi, functionName: 'cancel', args: [plan.id] });
    const label = back && partWords.takeBackStep(shown(back.freed));
    const takeBack =
      label && takesBack && back.freed > 0n ? [approveStep(label, plan.tokenIn, planRegistry, back.kept)] : [];
    const end = call(planWords.cancelStep(plan.id), data, 'PlanCancelled');
    return act(planWords.cancelledNow, [end, ...takeBack]);
  };
  return (
    <>
      {isCancelling && isLive && (
        <Notice kind="caution" title={planWords.cancelAsked(plan.id)} more={planWords.cancelMore}>
          {back && back.freed > 0n && (
            <label className="tick">
              <input type="checkbox" checked={takesBack} onChange={(event) => setTakesBack(event.target.checked)} />
              <span>
                {partWords.takeBackToo(shown(back.freed))}
                {back.kept > 0n && planWords.keepForOthers(shown(back.kept))}
              </span>
            </label>
          )}
          <div className="buttons">
            <button type="button" className="button danger" disabled={isStopped} onClick={() => void cancel()}>
              {planWords.cancelNow(plan.id)}
            </button>
            <button type="button" className="button compact" onClick={() => setCancelling(false)}>
              {planWords.keepIt}
            </button>
          </div>
        </Notice>
      )}
      <div className="spread">
        <div className="buttons">
          {isLive && plan.status === 'active' && (
            <button type="button" className="button compact" disabled={isStopped} onClick={() => void pause()}>
              {partWords.pause}
            </button>
          )}
          {isLive && plan.status !== 'active' && (
            <button type="button" className="button primary compact" disabled={isStopped} onClick={() => void resume()}>
              {planWords.resume}
            </button>
          )}
          {isLive && edit && (
            <button type="button" className="button compact" disabled={isBusy} onClick={edit}>
              {partWords.edit}
              <span className="unseen">{planWords.ofPlan(plan.id)}</span>
            </button>
          )}
          {copy && (
            <button type="button" className="button compact" disabled={isBusy} onClick={copy}>
              {planWords.duplicate}
              <span className="unseen">{planWords.ofPlan(plan.id)}</span>
            </button>
          )}
          {isLive && (
            <button
              type="button"
              className="button danger compact"
              disabled={isStopped}
              aria-expanded={isCancelling}
              onClick={() => setCancelling(!isCancelling)}
            >
              {partWords.cancel}
            </button>
          )}
        </div>
        <Link href={`/check/plan/${plan.id}`}>{planWords.audit}</Link>
      </div>
      <Signing progress={progress} done={done || planWords.confirmed} />
    </>
  );
}
