import { isWhole } from '@bowline/chain/find-own';
import { fundedRuns } from '@bowline/core/domain/funded-runs';
import { keptForOthers } from '@bowline/core/domain/owner-plans';
import type { BarePlan as Plan } from '@bowline/core/domain/permissions';
import { hasEnded } from '@bowline/core/domain/slots';
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { Address } from 'viem';
import { Link } from 'wouter';
import { isReadingOld } from '../api/freshness.ts';
import { useMoment } from '../api/use-moment.ts';
import { approveStep } from '../chain/approve.ts';
import type { OwnedPlans } from '../chain/read-plans.ts';
import { useChainTime } from '../chain/use-clock.ts';
import { useBuyer } from '../chain/use-serving.ts';
import { ListGaps } from '../parts/list-gaps.tsx';
import { LongList } from '../parts/long-list.tsx';
import { OfferedStep } from '../parts/offered-step.tsx';
import { ReadFailed } from '../parts/read-failed.tsx';
import { Skeleton } from '../parts/skeleton.tsx';
import { Title } from '../parts/title.tsx';
import { useSettings } from '../settings.tsx';
import { useIsBusyWith } from '../transactions/use-transactions.tsx';
import { NeedsWallet } from '../wallet/needs-wallet.tsx';
import { exactOf } from '../words/amount-of.ts';
import { words } from '../words/en/frame.ts';
import { planWords } from '../words/en/plans.ts';
import { Calendar } from './calendar.tsx';
import { CreatePlan, type Origin } from './create-plan.tsx';
import { mustWait } from './funds.ts';
import { PlanCard } from './plan-card.tsx';
import { usePlans } from './readings.ts';

export function Plans({ id }: { readonly id?: bigint | undefined }) {
  return (
    <>
      <Title title={words.frame.sections.plans} lead={planWords.lead} />
      <NeedsWallet to={planWords.purpose}>{(owner) => <OwnPlans key={owner} owner={owner} only={id} />}</NeedsWallet>
    </>
  );
}

/** The open form: blank, or with a plan's values. */
interface Opened {
  readonly origin?: Origin;
}

const keyOf = ({ origin }: Opened): string =>
  `${origin?.isEdit ? 'edit' : 'new'}-${origin?.plan.id ?? ''}-${JSON.stringify(origin?.changes)}`;

interface Props {
  readonly owner: Address;
  /** The number of the one plan to show; undefined for all. */
  readonly only: bigint | undefined;
}

function OwnPlans({ owner, only }: Props) {
  const { data, isPending, error, refetch } = usePlans(owner);
  const moment = useMoment();
  const now = useChainTime();
  const [form, setForm] = useState<Opened>();
  const newPlan = useRef<HTMLButtonElement>(null);
  const close = () => {
    flushSync(() => setForm(undefined));
    (newPlan.current ?? document.getElementById('main'))?.focus();
  };
  const buyer = useBuyer(moment);
  const retry = () => void refetch();
  const isStale = error !== null || isReadingOld(data, moment);
  const funded = useMemo(() => (data && now !== undefined ? fundedRuns(data, now) : undefined), [data, now]);
  if (isPending) return <Skeleton label={planWords.readingPlans} />;
  if (data === undefined) return <ReadFailed what={planWords.yourPlans} error={error} retry={retry} />;
  const card = (plan: Plan) => (
    <PlanCard
      key={String(plan.id)}
      {...{ plan, owned: data, buyer, isStale }}
      funded={funded?.get(plan.id)}
      open={(isEdit, changes) => setForm({ origin: { plan, isEdit, changes } })}
    />
  );
  if (only !== undefined) {
    const plan = data.plans.find(({ id }) => id === only);
    return (
      <>
        {error && <ReadFailed what={planWords.newestPlans} error={error} retry={retry} />}
        {form && <CreatePlan key={keyOf(form)} {...{ owner, owned: data, isStale, origin: form.origin, close }} />}
        {plan && card(plan)}
        {!plan && (
          <div className="empty">
            <h2>{planWords.notListed(only)}</h2>
            <p>{isWhole(data) ? planWords.notOwn : planWords.notAllKnown}</p>
          </div>
        )}
        <p>
          <Link href="/plans">{planWords.allPlans}</Link>
        </p>
      </>
    );
  }
  const isNone = data.plans.length === 0 && isWhole(data);
  return (
    <>
      {!form && !isNone && (
        <div className="buttons page-action">
          <button type="button" ref={newPlan} className="button primary" onClick={() => setForm({})}>
            {planWords.newPlan}
          </button>
        </div>
      )}
      {error && <ReadFailed what={planWords.newestPlans} error={error} retry={retry} />}
      <ListGaps owned={data} noun="plan" retry={retry} />
      {form && <CreatePlan key={keyOf(form)} {...{ owner, owned: data, isStale, origin: form.origin, close }} />}
      {isNone && !form && (
        <div className="empty">
          <h2>{planWords.noPlan}</h2>
          <p>{planWords.noPlanMore}</p>
          <button type="button" ref={newPlan} className="button primary" onClick={() => setForm({})}>
            {planWords.newPlan}
          </button>
        </div>
      )}
      <Calendar owned={data} buyer={buyer} isStale={isStale} />
      <Spare owned={data} isStale={isStale} />
      <PlanList plans={data.plans} now={now} card={card} />
    </>
  );
}

/** Plans shown at first. */
const FIRST = 5;

interface ListProps {
  readonly plans: readonly Plan[];
  /** The chain's time, unix seconds. */
  readonly now: bigint | undefined;
  readonly card: (plan: Plan) => ReactNode;
}

/**
 * The plans that can still buy, and below them, folded, those that have ended. One that ends while it is shown stays
 * where it is, because its card reports the cancellation.
 */
function PlanList({ plans, now, card }: ListProps) {
  const [seen, setSeen] = useState<ReadonlySet<bigint>>(new Set());
  useEffect(() => {
    if (now === undefined) return;
    const more = plans.filter((plan) => !seen.has(plan.id) && !hasEnded(plan, now)).map(({ id }) => id);
    if (more.length > 0) setSeen(new Set([...seen, ...more]));
  }, [plans, now, seen]);
  const ended = plans.filter((plan) => hasEnded(plan, now) && !seen.has(plan.id));
  return (
    <>
      <LongList
        items={plans.filter((plan) => !ended.includes(plan))}
        first={FIRST}
        each="article"
        name={planWords.yourPlans}
      >
        {(shown) => shown.map(card)}
      </LongList>
      {ended.length > 0 && (
        <details className="card more">
          <summary>{planWords.ended(ended.length)}</summary>
          <LongList items={ended} first={FIRST} each="article" name={planWords.ended(ended.length)}>
            {(shown) => <div className="stack">{shown.map(card)}</div>}
          </LongList>
        </details>
      )}
    </>
  );
}

interface SpareProps {
  readonly owned: OwnedPlans;
  readonly isStale: boolean;
}

/** Approvals for plans that no plan needs any more, each with a button that takes back exactly that part. */
function Spare({ owned, isStale }: SpareProps) {
  const now = useChainTime();
  // An approval whose plan is not created yet only looks left over.
  const isSigning = useIsBusyWith(useSettings().contracts.planRegistry);
  if (now === undefined || isSigning) return null;
  const spare = Object.entries(owned.allowances).flatMap(([token, allowance]) => {
    const kept = keptForOthers(owned.plans, token, allowance, now);
    return kept === allowance || mustWait(owned, token, isStale) ? [] : [{ token: token as Address, allowance, kept }];
  });
  return spare.map((each) => <OneSpare key={each.token} {...each} />);
}

interface OneProps {
  readonly token: Address;
  readonly allowance: bigint;
  readonly kept: bigint;
}

function OneSpare({ token, allowance, kept }: OneProps) {
  const settings = useSettings();
  const amount = exactOf(settings, token, allowance - kept);
  const label = words.signing.takeBack(amount);
  return (
    <OfferedStep
      place={`spare-${token}`}
      step={approveStep(label, token, settings.contracts.planRegistry, kept)}
      title={planWords.spare(amount)}
      more={planWords.spareMore}
      done={words.signing.takenBack}
    />
  );
}
