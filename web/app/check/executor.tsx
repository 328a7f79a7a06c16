import { sumsOf } from '@bowline/core/audit/figures';
import type { PlanHistory } from '@bowline/core/audit/history';
import { planIrregularities } from '@bowline/core/audit/irregularities';
import { serviceFigures } from '@bowline/core/audit/service';
import { grouped } from '@bowline/core/domain/readable';
import { poolFeeOf } from '@bowline/core/domain/route';
import { Link } from 'wouter';
import { pooled } from '../api/settings.ts';
import { Facts } from '../parts/facts.tsx';
import { LongList } from '../parts/long-list.tsx';
import { Notice } from '../parts/notice.tsx';
import { ReadFailed } from '../parts/read-failed.tsx';
import { Skeleton } from '../parts/skeleton.tsx';
import { Table } from '../parts/table.tsx';
import { Title } from '../parts/title.tsx';
import { useSettings } from '../settings.tsx';
import { shortAmount } from '../words/amounts.ts';
import { auditWords, executorWords } from '../words/en/audit.ts';
import { words } from '../words/en/frame.ts';
import { partWords } from '../words/en/parts.ts';
import { whyUnread } from '../words/refusals.ts';
import { exactAsOf, exactly } from '../words/times.ts';
import { Figures } from './figures.tsx';
import { useOperator, useServed } from './use-executor.ts';

/** How the executor served everybody's plans, from the chain alone. Needs no wallet. */
export function Executor() {
  const { data, error, isFetching, refetch, hasNextPage, fetchNextPage } = useServed();
  const settings = useSettings();
  const { rpcUrl } = settings;
  const rounds = data?.pages ?? [];
  const [newest, oldest] = [rounds[0], rounds.at(-1)];
  const plans = rounds.flatMap((round) => round.plans).toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const unread = rounds.flatMap((round) => round.unread);
  const figures =
    newest && serviceFigures(plans, newest.timestamp, (...tokens) => poolFeeOf(pooled(settings), ...tokens));
  return (
    <>
      <Title
        title={words.frame.checks.executor}
        lead={
          newest && oldest
            ? executorWords.computedAt(
                grouped(newest.blockNumber),
                exactly(newest.timestamp),
                new URL(rpcUrl).host,
                covered(oldest.from, newest.to),
              )
            : auditWords.computed
        }
      >
        {newest && (
          <button type="button" className="button" disabled={isFetching} onClick={() => void refetch()}>
            {isFetching ? words.lists.reading : auditWords.readAgain}
          </button>
        )}
      </Title>
      {error && <ReadFailed what={executorWords.theirPlans} error={error} retry={() => void refetch()} />}
      {data === undefined && error === null && <Skeleton lines={5} label={auditWords.readingChain} />}
      {unread.length > 0 && (
        <Notice
          kind="caution"
          title={executorWords.unread(unread.length)}
          more={whyUnread(rounds.find(({ cause }) => cause !== undefined)?.cause)}
        />
      )}
      {figures && <Figures figures={figures} />}
      {newest && <OperatorCard />}
      {plans.length > 0 && <Plans plans={plans} />}
      {hasNextPage && (
        <div className="buttons">
          <button type="button" className="button" disabled={isFetching} onClick={() => void fetchNextPage()}>
            {isFetching ? words.lists.reading : executorWords.earlier((oldest?.from ?? 1n) - 1n)}
          </button>
        </div>
      )}
    </>
  );
}

function covered(from: bigint, to: bigint): string {
  if (to === 0n) return executorWords.coversNone;
  if (from === 1n) return to === 1n ? executorWords.coversOnly : executorWords.coversAll(to);
  return executorWords.covers(from, to);
}

function OperatorCard() {
  const { data } = useOperator();
  const { contracts } = useSettings();
  return (
    <section className="card" aria-labelledby="operator">
      <h2 id="operator">{executorWords.operatorAndGas}</h2>
      <Facts
        rows={[
          [executorWords.contract, contracts.swapExecutor],
          [executorWords.operator, data?.address ?? partWords.notKnown],
          [executorWords.holds, data ? `${shortAmount(data.balanceWei, 18)} BNB` : partWords.notKnown],
          [
            executorWords.sent,
            data ? (data.sent === undefined ? executorWords.isContract : grouped(data.sent)) : partWords.notKnown,
          ],
        ]}
      />
      <p className="faint">
        {executorWords.gasMore} {data && executorWords.readAt(exactAsOf(data.readAt.wall))}
      </p>
    </section>
  );
}

/** Plans shown at first. */
const FIRST = 20;

const Plans = ({ plans }: { readonly plans: readonly PlanHistory[] }) => (
  <details className="more" open>
    <summary>{executorWords.planByPlan}</summary>
    <LongList items={plans.toReversed()} first={FIRST} each="tbody > tr" name={executorWords.planByPlan}>
      {(shown) => (
        <Table
          label={executorWords.planByPlan}
          rows={shown}
          keyOf={({ id }) => String(id)}
          columns={[
            {
              name: partWords.planColumn,
              of: ({ id }) => <Link href={`/check/plan/${id}`}>{auditWords.planTitle(id)}</Link>,
            },
            { name: partWords.runs, of: (plan) => grouped(sumsOf(plan).executed) },
            { name: auditWords.deferrals, of: (plan) => grouped(sumsOf(plan).deferred) },
            {
              name: executorWords.irregularities,
              of: (plan) => {
                const wrong = planIrregularities(plan).length;
                return wrong === 0 ? executorWords.none : <span className="badge word bad">{grouped(wrong)}</span>;
              },
            },
          ]}
        />
      )}
    </LongList>
  </details>
);
