import { isRun } from '@bowline/core/audit/figures';
import type { BarePlan as Plan } from '@bowline/core/domain/permissions';
import { reasonOf } from '@bowline/core/domain/reasons';
import type { Sided } from '@bowline/core/domain/sided';
import { mayStillRun } from '@bowline/core/domain/skips';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { Hex } from 'viem';
import { useLocation } from 'wouter';
import type { Asset } from '../api/settings.ts';
import { useChain } from '../chain/client.ts';
import { findTransaction } from '../chain/find-transaction.ts';
import { useChainTime } from '../chain/use-clock.ts';
import { LongList } from '../parts/long-list.tsx';
import { ReadFailed } from '../parts/read-failed.tsx';
import { type Column, Table } from '../parts/table.tsx';
import { TransactionLink } from '../parts/transaction-link.tsx';
import { useSettings } from '../settings.tsx';
import { shortAmount } from '../words/amounts.ts';
import { inWords } from '../words/core-words.ts';
import { words } from '../words/en/frame.ts';
import { partWords } from '../words/en/parts.ts';
import { planWords } from '../words/en/plans.ts';
import { when } from '../words/times.ts';
import { rateOf } from '../words/trade.ts';
import { AveragePaid } from './average-paid.tsx';
import { csvOf } from './history.ts';
import { type Run, SHOWN, useRuns } from './readings.ts';

/** Records shown at first. */
const FIRST = 5;

interface Props {
  readonly plan: Plan;
  readonly buy: Asset | undefined;
  readonly pay: Asset | undefined;
  readonly sided: Sided | undefined;
  /** Whether the account has no other plan. */
  readonly isAlone: boolean;
}

/** The used part of the element: tests without browser types also read this file. */
interface Folding {
  readonly open: boolean;
}

/** A plan's on-chain records: runs with their amounts, deferrals with their reason. */
export function Runs({ plan, buy, pay, sided, isAlone }: Props) {
  const [path] = useLocation();
  // An only plan shows its history. Several histories would make the list screens long.
  const [isOpen, setOpen] = useState(isAlone || path === `/plans/${plan.id}`);
  const [isWhole, setWhole] = useState(plan.records <= SHOWN);
  const [transactions, setTransactions] = useState<Readonly<Record<number, Hex>>>({});
  const { data, isError, error, refetch, isPlaceholderData } = useRuns(plan, { isWhole, isRead: isOpen });
  const now = useChainTime();
  if (plan.records === 0) return <p className="faint">{planWords.noHistory}</p>;
  if (isError && data === undefined) {
    return <ReadFailed what={planWords.theHistory} error={error} retry={() => void refetch()} />;
  }
  const ran = new Set((data ?? []).filter(isRun).map(({ slotStart }) => slotStart));
  const isDelay = ({ slotStart }: Run) =>
    ran.has(slotStart) || now === undefined || mayStillRun(plan, BigInt(slotStart), now);
  const isAll = isWhole && !isPlaceholderData && data?.length === plan.records;
  const transaction: Column<Run> = {
    name: words.frame.transaction,
    of: (run) => (
      <RunTransaction
        {...{ plan, run }}
        hash={transactions[run.record]}
        onFound={(hash) => setTransactions((all) => ({ ...all, [run.record]: hash }))}
      />
    ),
  };
  return (
    <details
      className="more history"
      open={isOpen}
      onToggle={({ currentTarget }) => setOpen((currentTarget as unknown as Folding).open)}
    >
      <summary>{planWords.history}</summary>
      {isAll && sided && <AveragePaid {...{ runs: data, sided }} />}
      <LongList
        items={data ?? []}
        total={plan.records}
        first={FIRST}
        each="tbody > tr"
        name={planWords.historyOf(plan.id)}
        readRest={() => setWhole(true)}
      >
        {(shown) => (
          <Table
            label={planWords.historyOf(plan.id)}
            rows={shown}
            keyOf={({ record }) => String(record)}
            columns={[...columnsOf(pay, buy, sided?.isSale, isDelay), transaction]}
          />
        )}
      </LongList>
      {isAll && sided && (
        <div className="buttons">
          <button
            type="button"
            className="button quiet compact"
            onClick={() => save(`bowline-plan-${plan.id}.csv`, csvOf(data, sided, transactions, isDelay))}
          >
            {planWords.csv}
            <span className="unseen">{planWords.csvOf(plan.id)}</span>
          </button>
        </div>
      )}
    </details>
  );
}

function columnsOf(
  pay: Asset | undefined,
  buy: Asset | undefined,
  isSale: boolean | undefined,
  isDelay: (run: Run) => boolean,
): readonly Column<Run>[] {
  return [
    { name: partWords.when, kind: 'time', of: ({ time }) => when(BigInt(time)) },
    { name: partWords.what, kind: 'what', of: (run) => <What {...{ run, isSale }} isDelay={isDelay(run)} /> },
    {
      name: partWords.paid,
      kind: 'figure',
      of: (run) =>
        isRun(run) ? amount(run.amountIn, pay) : { columns: 3, shown: <Why run={run} isDelay={isDelay(run)} /> },
    },
    {
      name: partWords.received,
      kind: 'figure',
      of: ({ amountOut }) => amount(amountOut, buy),
      title: ({ amountIn, amountOut }) => pay && buy && rateOf(pay, buy, amountIn, amountOut),
    },
    { name: partWords.floor, kind: 'figure', of: ({ floor }) => <span className="faint">{amount(floor, buy)}</span> },
  ];
}

interface Told {
  readonly run: Run;
  /** Whether its buy happened later or still can. If so, it was not skipped. */
  readonly isDelay: boolean;
}

function What({ run, isDelay, isSale }: Told & { readonly isSale: boolean | undefined }) {
  if (isRun(run)) return <span className="badge word good">{isSale ? partWords.sold : partWords.bought}</span>;
  return <span className="badge word caution">{isDelay ? planWords.delayed : planWords.skipped}</span>;
}

const Why = ({ run, isDelay }: Told) => (
  <>
    {(isDelay ? planWords.notBoughtThen : planWords.notBought)(
      inWords(reasonOf(run.reason) ?? partWords.unknownReason(run.reason)),
    )}
    {!run.isAttested && <span className="faint"> {partWords.byExecutor}</span>}
  </>
);

const amount = (base: bigint, asset: Asset | undefined): string =>
  asset ? `${shortAmount(base, asset.decimals)} ${asset.symbol}` : partWords.units(base);

/** Uses a link that the browser follows itself: the page’s policy forbids any other fetch. */
function save(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/csv' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}

interface TransactionProps {
  readonly plan: Plan;
  readonly run: Run;
  readonly hash: Hex | undefined;
  readonly onFound: (hash: Hex) => void;
}

/** A record’s transaction. The chain’s state does not name it, so it is searched for on request. */
function RunTransaction({ plan, run, hash, onFound }: TransactionProps) {
  const client = useChain();
  const { planRegistry: registry } = useSettings().contracts;
  const search = useMutation({
    mutationFn: () =>
      findTransaction(client, { registry, planId: plan.id, record: run.record, time: BigInt(run.time) }),
    onSuccess: (found) => found && onFound(found),
  });
  if (hash) return <TransactionLink hash={hash} />;
  if (search.isError) return <span className="faint">{planWords.blockGone}</span>;
  if (search.isSuccess) return <span className="faint">{planWords.notFound}</span>;
  return (
    <button type="button" className="button link" disabled={search.isPending} onClick={() => search.mutate()}>
      {search.isPending ? planWords.looking : planWords.find}
      <span className="unseen">{planWords.findMore(run.record)}</span>
    </button>
  );
}
