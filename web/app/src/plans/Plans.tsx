import { useAccount } from 'wagmi';
import { Empty, Failed, Skeleton } from '../parts/States.tsx';
import { NewPlan } from './NewPlan.tsx';
import { PlanCard } from './PlanCard.tsx';
import { usePlans } from './usePlans.ts';

export function Plans() {
  const { address } = useAccount();
  const plans = usePlans(address);
  return (
    <section aria-labelledby="plans-title">
      <div className="section-head">
        <div>
          <h1 id="plans-title">Plans</h1>
          <p className="lead">
            Buy this, so much, so often, only at a fair price. The agent runs them; the contract holds it to them.
          </p>
        </div>
      </div>
      <div className="columns">
        <div>
          <h2>Yours</h2>
          {address === undefined && (
            <Empty title="No wallet is connected">
              <p>Connect one to see your plans and what has come of them.</p>
            </Empty>
          )}
          {plans.isLoading && <Skeleton />}
          {plans.isError && <Failed what="Your plans" again={plans.refetch} />}
          {plans.data?.length === 0 && (
            <Empty title="You have no plan yet">
              <p>Make one here: pick what to buy, how much and how often. Its runs appear in this list.</p>
            </Empty>
          )}
          {plans.data?.map((plan) => (
            <PlanCard key={String(plan.id)} plan={plan} />
          ))}
        </div>
        <NewPlan />
      </div>
    </section>
  );
}
