import { useMemo, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { Address } from 'viem';
import { Link } from 'wouter';
import { isReadingOld } from '../api/freshness.ts';
import { useMoment } from '../api/use-moment.ts';
import { isWhole } from '../chain/find-own.ts';
import type { Plan } from '../chain/read-plans.ts';
import { useChainTime } from '../chain/use-clock.ts';
import { ListGaps } from '../parts/list-gaps.tsx';
import { ReadFailed } from '../parts/read-failed.tsx';
import { Skeleton } from '../parts/skeleton.tsx';
import { NeedsWallet } from '../wallet/needs-wallet.tsx';
import { Calendar } from './calendar.tsx';
import { CreatePlan } from './create-plan.tsx';
import { PlanCard } from './plan-card.tsx';
import { Spare } from './spare.tsx';
import { fundedRuns } from './upcoming.ts';
import { usePlans } from './use-plans.ts';

export function Plans({ id }: { readonly id?: bigint | undefined }) {
  return (
    <>
      <div className="title-row">
        <div>
          <h1>Plans</h1>
          <p className="lead">A plan buys one asset, so much, so often, and only at a fair price.</p>
        </div>
      </div>
      <NeedsWallet to="see and create plans">{(owner) => <OwnPlans key={owner} owner={owner} only={id} />}</NeedsWallet>
    </>
  );
}

/** The open form: blank, or with a plan's values. */
interface Opened {
  readonly origin?: { readonly plan: Plan; readonly isEdit: boolean };
}

const keyOf = ({ origin }: Opened): string => `${origin?.isEdit ? 'edit' : 'new'}-${origin?.plan.id ?? ''}`;

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
  const retry = () => void refetch();
  const isStale = error !== null || isReadingOld(data, moment);
  const funded = useMemo(() => (data && now !== undefined ? fundedRuns(data, now) : undefined), [data, now]);
  if (isPending) return <Skeleton label="Reading your plans" />;
  if (data === undefined) return <ReadFailed what="Your plans" error={error} retry={retry} />;
  if (only !== undefined) {
    const plan = data.plans.find(({ id }) => id === only);
    return (
      <>
        {error && <ReadFailed what="The newest state of your plans" error={error} retry={retry} />}
        {form && <CreatePlan key={keyOf(form)} {...{ owner, owned: data, isStale, origin: form.origin, close }} />}
        {plan && (
          <PlanCard
            {...{ plan, owned: data, isStale }}
            funded={funded?.get(plan.id)}
            open={(isEdit) => setForm({ origin: { plan, isEdit } })}
          />
        )}
        {!plan && (
          <div className="empty">
            <h2>Plan {String(only)} is not listed</h2>
            <p>
              {isWhole(data) ? 'It is not a plan of this account.' : 'Not all plans of this account are known yet.'}
            </p>
          </div>
        )}
        <p>
          <Link href="/plans">All plans of this account</Link>
        </p>
      </>
    );
  }
  const isNone = data.plans.length === 0 && isWhole(data);
  return (
    <>
      {error && <ReadFailed what="The newest state of your plans" error={error} retry={retry} />}
      <ListGaps owned={data} noun="plan" retry={retry} />
      {form ? (
        <CreatePlan key={keyOf(form)} {...{ owner, owned: data, isStale, origin: form.origin, close }} />
      ) : (
        !isNone && (
          <div className="buttons">
            <button type="button" ref={newPlan} className="button primary" onClick={() => setForm({})}>
              New plan
            </button>
          </div>
        )
      )}
      {isNone && !form && (
        <div className="empty">
          <h2>No plan yet</h2>
          <p>Choose what to buy, how much and how often. You see exactly what you agree to before you sign.</p>
          <button type="button" ref={newPlan} className="button primary" onClick={() => setForm({})}>
            New plan
          </button>
        </div>
      )}
      <Calendar owned={data} />
      <Spare owned={data} isStale={isStale} />
      {data.plans.map((plan) => (
        <PlanCard
          key={String(plan.id)}
          {...{ plan, owned: data, isStale }}
          funded={funded?.get(plan.id)}
          open={(isEdit) => setForm({ origin: { plan, isEdit } })}
        />
      ))}
    </>
  );
}
