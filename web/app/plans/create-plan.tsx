import type { PlanTerms } from '@bowline/chain/plan';
import type { BarePlan as Plan } from '@bowline/core/domain/permissions';
import { sameAddress } from '@bowline/core/domain/same-address';
import { nextSlot } from '@bowline/core/domain/slots';
import { useState } from 'react';
import type { Address } from 'viem';
import { useConnection } from 'wagmi';
import { isReadingOld } from '../api/freshness.ts';
import type { Settings } from '../api/settings.ts';
import { useMoment } from '../api/use-moment.ts';
import type { OwnedPlans } from '../chain/read-plans.ts';
import { type Buyer, isNotKnown, noBuyWords, whyUnserved } from '../chain/serving.ts';
import { useChainTime } from '../chain/use-clock.ts';
import { useHeld } from '../chain/use-held.ts';
import { useBuyer } from '../chain/use-serving.ts';
import { useSteps } from '../chain/use-steps.ts';
import { FormCard } from '../parts/form-card.tsx';
import { Notice } from '../parts/notice.tsx';
import { TransactionShown } from '../parts/transaction-shown.tsx';
import { WhatCanHappen } from '../parts/what-can-happen.tsx';
import { useSettings } from '../settings.tsx';
import { useIsApproving } from '../transactions/use-transactions.tsx';
import { words } from '../words/en/frame.ts';
import { planWords } from '../words/en/plans.ts';
import { servedWords } from '../words/en/served.ts';
import { formState } from '../words/form-state.ts';
import { when } from '../words/times.ts';
import { floorSource } from './draft-plan.ts';
import { Funding } from './funding.tsx';
import { fundedWith, mustWait } from './funds.ts';
import { PlanFields } from './plan-fields.tsx';
import { blankPlan, formOf, isOrderKind, type PlanForm, readPlanForm, tokensOf } from './plan-form.ts';
import { planSteps } from './plan-steps.ts';
import { useFloorPrices, useRunSimulation } from './readings.ts';
import { SimulatedRun } from './simulated-run.tsx';
import { summaryOf } from './summary.ts';

/** The plan to edit, or the one to copy. */
export interface Origin {
  readonly plan: Plan;
  readonly isEdit: boolean;
  /** Values proposed in place of the plan's own. */
  readonly changes?: Partial<PlanForm> | undefined;
}

interface Props {
  readonly owner: Address;
  readonly owned: OwnedPlans;
  /** Whether the newest reading of `owned` failed or is old. */
  readonly isStale: boolean;
  /** Absent for a blank form. */
  readonly origin?: Origin | undefined;
  readonly close: () => void;
}

/** The form that creates a plan, or edits one. */
export function CreatePlan({ owner, owned, isStale, origin, close }: Props) {
  const settings = useSettings();
  const { chainId } = useConnection();
  const moment = useMoment();
  const buyer = useBuyer(moment);
  const planned = usePlanned({ owner, owned, origin });
  const { form, setForm, edited, now, draft, errors, pay, source, made, key } = planned;
  const { progress, isBusy, isEarlier, run, reset } = useSteps(edited ? `edit-plan-${edited.id}` : 'create-plan');
  const { data: wallet } = useHeld(owner, pay?.address);
  // The readings do not contain yet what the other approval approves or ends.
  const isOtherApproving = useIsApproving(settings.contracts.planRegistry) && !isBusy;
  const isUnsure = mustWait(owned, pay?.address ?? '', isStale);
  // Without the page's oracle only a limit bounds the price, and the registry refuses terms with neither.
  const lacksLimit = made !== undefined && source !== 'oracle' && made.terms.limitPriceWad === 0n;
  const unserved = made && whyNotRun(made.terms, settings, buyer);
  const simulation = useRunSimulation(
    key ?? '',
    made && {
      terms: made.terms,
      before: made.steps,
      plan: edited && { id: edited.id, version: edited.version + 1, records: edited.records },
    },
  );
  const wasTried = key !== undefined && !simulation.isError ? simulation.data : undefined;
  const state = formState({
    action: edited ? planWords.save : planWords.approveAndCreate,
    isSigning: isBusy,
    isOtherNetwork: chainId !== settings.chainId,
    missing: errors.amount ?? errors.runs ?? errors.price ?? (lacksLimit ? planWords.needsLimit : undefined),
    waitsFor:
      now === undefined || isUnsure ? planWords.waiting : isOtherApproving ? words.signing.waitingForOther : undefined,
    pay,
    // An edit takes no tokens: an owner who holds too little for a buy may still want stricter terms.
    needed: edited ? undefined : draft?.amountPerRun,
    held: wallet?.held,
    fee: wasTried?.cost?.wei,
    native: wallet?.native,
    isRefused: wasTried?.run.state === 'refused',
  });

  const title = edited ? planWords.editTitle(edited.id) : planWords.newPlan;
  if (isEarlier || progress.state === 'done') {
    const done = edited ? planWords.changed : planWords.created;
    return (
      <TransactionShown {...{ title, progress, done, close }} again={reset}>
        {!edited && <p>{unserved ?? (typeof buyer === 'object' ? planWords.createdMore : planWords.createdUnseen)}</p>}
      </TransactionShown>
    );
  }
  const left = draft && draft.maxRuns - BigInt(edited?.runs ?? 0);
  const fundedOf = (held: bigint) =>
    made && now !== undefined ? fundedWith(owned, { ...made, edited }, held, now) : undefined;
  return (
    <FormCard
      {...{ title, close, isBusy, progress, state }}
      spender={settings.contracts.planRegistry}
      waits={isUnsure ? planWords.mustWait : isOtherApproving ? planWords.mustWaitForOther : undefined}
      submit={() => made && void run(made.steps)}
      beside={
        <>
          <WhatCanHappen sentences={planned.summary} />
          {draft && made && now !== undefined && (
            <SimulatedRun {...{ draft, simulation }} notDue={edited && notDue(edited, made.terms, now)} />
          )}
        </>
      }
    >
      <PlanFields
        {...{ form, errors, pay, source, held: wallet?.held, isNew: edited === undefined }}
        set={(changes) => setForm({ ...form, ...changes })}
        runsLeft={left ?? (isOrderKind(form.kind) ? 1n : runsIn(form.runs))}
      />
      {draft && left !== undefined && wallet && (
        <Funding {...{ owner, draft, left, ...wallet }} funded={fundedOf(wallet.held)} />
      )}
      {unserved && <Notice kind="caution" title={planWords.unserved} more={unserved} />}
    </FormCard>
  );
}

/** The plan that the fields describe, as it would be signed now. */
function usePlanned({ owner, owned, origin }: Pick<Props, 'owner' | 'owned' | 'origin'>) {
  const settings = useSettings();
  const now = useChainTime();
  const moment = useMoment();
  const [before] = useState(() => (origin && formOf(origin.plan, settings.assets)) ?? blankPlan);
  const [form, setForm] = useState({ ...before, ...origin?.changes });
  // An edit names the version and the runs that its owner has seen.
  const [edited] = useState(origin?.isEdit ? origin.plan : undefined);
  const { draft, errors } = readPlanForm(form, settings.assets, edited);
  const { pay } = tokensOf(settings.assets, form);
  const { data: prices } = useFloorPrices(draft?.pay, draft?.buy);
  const source = floorSource((edited ?? settings.contracts).priceSource, settings);
  const made =
    draft && now !== undefined ? planSteps(draft, settings, { owner, owned, now, edited, form, before }) : undefined;
  const key =
    made && JSON.stringify([form, String(made.approved), String(edited?.id), edited?.version, edited?.runs, owner]);
  const span = made && {
    endsAt: BigInt(made.terms.expiresAt),
    windowSeconds: BigInt(made.terms.windowSeconds),
    done: edited?.runs,
    approved: made.approved,
    recipient: sameAddress(made.terms.recipient, owner) ? undefined : made.terms.recipient,
    source,
  };
  const summary = draft && span && summaryOf(draft, span, isReadingOld(prices, moment) ? undefined : prices);
  return { form, setForm, edited, now, draft, errors, pay, source, made, key, summary };
}

/** The typed number of runs, used while the amount is still missing. */
const runsIn = (text: string): bigint | undefined =>
  /^[1-9]\d{0,4}$/.test(text.trim()) ? BigInt(text.trim()) : undefined;

/** Why the page's agent does not run a plan with these terms, in words; undefined if it may, or if not known. */
function whyNotRun(terms: PlanTerms, settings: Settings, buyer: Buyer): string | undefined {
  const why = whyUnserved({ ...terms, periodSeconds: BigInt(terms.periodSeconds) }, settings, buyer);
  if (why !== undefined) return servedWords.unserved[why];
  return typeof buyer === 'string' && !isNotKnown(buyer) ? noBuyWords(buyer) : undefined;
}

/** Why an edited plan has no buy to simulate now. */
function notDue(plan: Plan, terms: PlanTerms, now: bigint): string | undefined {
  if (plan.status !== 'active') return planWords.pausedNotDue;
  const grid = { ...plan, startAt: BigInt(terms.startAt), periodSeconds: BigInt(terms.periodSeconds) };
  const ends = {
    windowSeconds: BigInt(terms.windowSeconds),
    expiresAt: BigInt(terms.expiresAt),
    maxRuns: terms.maxRuns,
  };
  const slot = nextSlot({ ...grid, ...ends }, now);
  if (slot === undefined) return planWords.noBuyLeft;
  return slot > now ? planWords.nextDue(when(slot)) : undefined;
}
