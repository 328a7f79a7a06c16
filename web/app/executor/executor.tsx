import { sumsOf } from '@bowline/core/audit/figures';
import type { PlanHistory } from '@bowline/core/audit/history';
import { planIrregularities } from '@bowline/core/audit/irregularities';
import { executorReport } from '@bowline/core/audit/report';
import { serviceFigures } from '@bowline/core/audit/service';
import { Link } from 'wouter';
import { Facts } from '../parts/facts.tsx';
import { Notice } from '../parts/notice.tsx';
import { ReadFailed } from '../parts/read-failed.tsx';
import { Skeleton } from '../parts/skeleton.tsx';
import { useSettings } from '../settings.tsx';
import { shortAmount } from '../words/amounts.ts';
import { count, exactly } from '../words/times.ts';
import { whyUnread } from '../words/why-unread.ts';
import { Figures } from './figures.tsx';
import { useOperator, useServed } from './use-executor.ts';

/** What the executor made of everybody's plans, from the chain alone. Needs no wallet. */
export function Executor() {
  const { data, error, isFetching, refetch, hasNextPage, fetchNextPage } = useServed();
  const { contracts, rpcUrl } = useSettings();
  const rounds = data?.pages ?? [];
  const [newest, oldest] = [rounds[0], rounds.at(-1)];
  const plans = rounds.flatMap((round) => round.plans).toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const unread = rounds.flatMap((round) => round.unread);
  const figures = newest && serviceFigures(plans, newest.timestamp);
  return (
    <>
      <div className="title-row">
        <div>
          <h1>Executor</h1>
          <p className="lead">
            {newest && oldest
              ? `Computed by this browser from state at block ${newest.blockNumber.toLocaleString('en')}, ${exactly(newest.timestamp)}, as the node ${new URL(rpcUrl).host} gives it. It covers ${covered(oldest.from, newest.to)}.`
              : 'Computed by this browser from the chain alone.'}
          </p>
        </div>
        {newest && (
          <button type="button" className="button" disabled={isFetching} onClick={() => void refetch()}>
            {isFetching ? 'Reading …' : 'Read again'}
          </button>
        )}
      </div>
      {error && <ReadFailed what="The executor’s plans" error={error} retry={() => void refetch()} />}
      {data === undefined && error === null && <Skeleton lines={5} label="Reading the chain" />}
      {unread.length > 0 && (
        <Notice
          kind="caution"
          title={`${count(unread.length, 'plan')} could not be read: the figures are without them`}
        >
          <p>{whyUnread(rounds.find(({ cause }) => cause !== undefined)?.cause)}</p>
        </Notice>
      )}
      {figures && <Figures figures={figures} />}
      {newest && <OperatorCard />}
      {plans.length > 0 && <Plans plans={plans} />}
      {hasNextPage && (
        <div className="buttons">
          <button type="button" className="button" disabled={isFetching} onClick={() => void fetchNextPage()}>
            {isFetching ? 'Reading …' : `Read earlier plans, down from ${String((oldest?.from ?? 1n) - 1n)}`}
          </button>
        </div>
      )}
      {figures && (
        <details className="more">
          <summary>The same as text</summary>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it */}
          <pre className="audit-text" tabIndex={0}>
            {executorReport(contracts.swapExecutor, figures)}
          </pre>
        </details>
      )}
    </>
  );
}

function covered(from: bigint, to: bigint): string {
  if (to === 0n) return 'no plan: there is none yet';
  if (from === 1n) return to === 1n ? 'the only plan in the registry' : `all ${count(to, 'plan')} in the registry`;
  return `plans ${from} to ${to}`;
}

function OperatorCard() {
  const { data } = useOperator();
  const { contracts } = useSettings();
  return (
    <section className="card" aria-labelledby="operator">
      <h2 id="operator">Operator and gas</h2>
      <Facts
        rows={[
          ['Contract', contracts.swapExecutor],
          ['Operator', data?.address ?? 'not known'],
          ['Holds for gas', data ? `${shortAmount(data.balanceWei, 18)} BNB` : 'not known'],
          ['Transactions sent', data ? (data.sent?.toLocaleString('en') ?? 'its wallet is a contract') : 'not known'],
        ]}
      />
      <p className="faint">What a single run cost is in its receipt and in no state, so it is not shown.</p>
    </section>
  );
}

/** Plans shown at first. */
const SHOWN = 50;

const Plans = ({ plans }: { readonly plans: readonly PlanHistory[] }) => (
  <details className="more" open={plans.length <= SHOWN}>
    <summary>Plan by plan</summary>
    <table className="rows">
      <thead>
        <tr>
          {['Plan', 'Runs', 'Deferrals', 'Irregularities'].map((name) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {plans.toReversed().map((plan) => {
          const { executed, deferred } = sumsOf(plan);
          const wrong = planIrregularities(plan).length;
          return (
            <tr key={String(plan.id)}>
              <td data-label="Plan">
                <Link href={`/audit/plan/${plan.id}`}>Audit of plan {String(plan.id)}</Link>
              </td>
              <td data-label="Runs">{executed.toLocaleString('en')}</td>
              <td data-label="Deferrals">{deferred.toLocaleString('en')}</td>
              <td data-label="Irregularities">
                {wrong === 0 ? 'none' : <span className="badge word bad">{wrong.toLocaleString('en')}</span>}
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  </details>
);
