import { useState } from 'react';
import type { Address } from 'viem';
import { Link } from 'wouter';
import { isReadingOld } from '../api/freshness.ts';
import { useMoment } from '../api/use-moment.ts';
import { isWhole } from '../chain/find-own.ts';
import { ListGaps } from '../parts/list-gaps.tsx';
import { ReadFailed } from '../parts/read-failed.tsx';
import { Skeleton } from '../parts/skeleton.tsx';
import { NeedsWallet } from '../wallet/needs-wallet.tsx';
import { CreatePlan } from './create-plan.tsx';
import { PlanCard } from './plan-card.tsx';
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

interface Props {
  readonly owner: Address;
  /** The number of the one plan to show; undefined for all. */
  readonly only: bigint | undefined;
}

function OwnPlans({ owner, only }: Props) {
  const { data, isPending, error, refetch } = usePlans(owner);
  const moment = useMoment();
  const [isCreating, setCreating] = useState(false);
  if (isPending) return <Skeleton label="Reading your plans" />;
  const retry = () => void refetch();
  if (data === undefined) return <ReadFailed what="Your plans" error={error} retry={retry} />;
  if (only !== undefined) {
    const plan = data.plans.find(({ id }) => id === only);
    return (
      <>
        {error && <ReadFailed what="The newest state of your plans" error={error} retry={retry} />}
        {plan && <PlanCard plan={plan} owned={data} />}
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
      {isCreating ? (
        <CreatePlan
          owner={owner}
          owned={data}
          isStale={error !== null || isReadingOld(data, moment)}
          close={() => setCreating(false)}
        />
      ) : (
        !isNone && (
          <div className="buttons">
            <button type="button" className="button primary" onClick={() => setCreating(true)}>
              New plan
            </button>
          </div>
        )
      )}
      {isNone && !isCreating && (
        <div className="empty">
          <h2>No plan yet</h2>
          <p>Say what to buy, how much and how often. You will see what exactly can happen before you sign.</p>
          <button type="button" className="button primary" onClick={() => setCreating(true)}>
            New plan
          </button>
        </div>
      )}
      {data.plans.map((plan) => (
        <PlanCard key={String(plan.id)} plan={plan} owned={data} />
      ))}
    </>
  );
}
