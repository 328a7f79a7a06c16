import { keptForOthers } from '@bowline/core/domain/owner-plans';
import type { BarePlan as Plan } from '@bowline/core/domain/permissions';
import { type ReactNode, useState } from 'react';
import { type Address, encodeFunctionData } from 'viem';
import { Link } from 'wouter';
import { planRegistryAbi } from '../../../abis/index.ts';
import { approveStep } from '../chain/approve.ts';
import { proofBy } from '../chain/proof.ts';
import type { OwnedPlans } from '../chain/read-plans.ts';
import type { Step } from '../chain/step.ts';
import { useSteps } from '../chain/use-steps.ts';
import { CancelAsked } from '../parts/cancel-asked.tsx';
import { Signing } from '../parts/signing.tsx';
import { useSettings } from '../settings.tsx';
import { useIsApproving } from '../transactions/use-transactions.tsx';
import { exactOf } from '../words/amount-of.ts';
import { partWords } from '../words/en/parts.ts';
import { planWords } from '../words/en/plans.ts';
import { mustWait } from './funds.ts';

/** The part of the owner's approval that a plan frees when it ends, in base units; undefined if not certain. */
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

/** The owner's actions on a plan, and the link by which anyone can check it. */
export function PlanButtons({ plan, owned, now, isStale, isLive, edit, copy }: Props) {
  const settings = useSettings();
  const { planRegistry } = settings.contracts;
  const { progress, isBusy, isOff, run } = useSteps(`plan-${plan.id}`);
  const [isCancelling, setCancelling] = useState(false);
  const [done, setDone] = useState('');
  // While the plan for an approval is still being created, none of that approval is left over.
  const isOtherApproving = useIsApproving(planRegistry) && !isBusy;
  const back = now === undefined || isOtherApproving ? undefined : freedBy(plan, owned, now, isStale);
  const sign = (sentence: string, steps: readonly Step[]) => {
    setDone(sentence);
    void run(steps);
  };
  const cancel = (takesBack: boolean) => {
    setCancelling(false);
    const end = endStep(plan, planRegistry, 'cancel');
    if (!takesBack || back === undefined || back.freed === 0n) return sign(planWords.cancelledNow, [end]);
    const label = partWords.takeBackStep(exactOf(settings, plan.tokenIn, back.freed));
    sign(planWords.cancelledNow, [end, approveStep(label, plan.tokenIn, planRegistry, back.kept)]);
  };
  const of = <span className="unseen">{planWords.ofPlan(plan.id)}</span>;
  return (
    <>
      {isCancelling && isLive && (
        <CancelAsked
          {...{ id: plan.id, words: planWords, back, cancel }}
          isExact
          shown={(base) => exactOf(settings, plan.tokenIn, base)}
          isBusy={isOff}
          keep={() => setCancelling(false)}
        />
      )}
      <div className="spread">
        <div className="buttons">
          {isLive && plan.status === 'active' && (
            <Press isOff={isOff} press={() => sign(planWords.pausedNow, [endStep(plan, planRegistry, 'pause')])}>
              {partWords.pause}
            </Press>
          )}
          {isLive && plan.status !== 'active' && (
            <Press
              kind="primary"
              isOff={isOff}
              press={() => sign(planWords.resumedNow, [resumeStep(plan, planRegistry)])}
            >
              {planWords.resume}
            </Press>
          )}
          {isLive && edit && (
            <Press isOff={isBusy} press={edit}>
              {partWords.edit}
              {of}
            </Press>
          )}
          {copy && (
            <Press isOff={isBusy} press={copy}>
              {planWords.duplicate}
              {of}
            </Press>
          )}
          {isLive && (
            <Press kind="danger" isOff={isOff} isOpen={isCancelling} press={() => setCancelling(!isCancelling)}>
              {partWords.cancel}
            </Press>
          )}
        </div>
        <Link href={`/check/plan/${plan.id}`}>{planWords.audit}</Link>
      </div>
      <Signing progress={progress} done={done || planWords.confirmed} />
    </>
  );
}

interface PressProps {
  readonly kind?: 'primary' | 'danger';
  readonly isOff: boolean;
  /** Whether the part that the button opens is shown; absent if it opens nothing. */
  readonly isOpen?: boolean;
  readonly press: () => void;
  readonly children: ReactNode;
}

const Press = ({ kind, isOff, isOpen, press, children }: PressProps) => (
  <button
    type="button"
    className={['button', 'compact', kind].join(' ')}
    disabled={isOff}
    aria-expanded={isOpen}
    onClick={press}
  >
    {children}
  </button>
);

/** Ends a plan, or interrupts it. */
const endStep = ({ id: planId }: Plan, to: Address, functionName: 'pause' | 'cancel'): Step => ({
  ...{ label: planWords[`${functionName}Step`](planId), to, isEnd: true },
  data: encodeFunctionData({ abi: planRegistryAbi, functionName, args: [planId] }),
  proof: proofBy(to, planRegistryAbi, functionName === 'pause' ? 'PlanPaused' : 'PlanCancelled', { planId }),
});

/** Names the version and number of runs that the owner has seen: the registry refuses if they have changed. */
const resumeStep = ({ id: planId, version, runs }: Plan, to: Address): Step => ({
  ...{ label: planWords.resumeStep(planId), to },
  data: encodeFunctionData({
    ...{ abi: planRegistryAbi, functionName: 'resume' },
    args: [planId, BigInt(version), BigInt(runs)],
  }),
  proof: proofBy(to, planRegistryAbi, 'PlanResumed', { planId }),
});
