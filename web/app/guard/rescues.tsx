import { guardKey } from '@bowline/core/domain/guard-key';
import { useState } from 'react';
import type { Guard } from '../chain/read-guards.ts';
import type { LoanMarket } from '../chain/read-loan.ts';
import { LongList } from '../parts/long-list.tsx';
import { ReadFailed } from '../parts/read-failed.tsx';
import { Table } from '../parts/table.tsx';
import { guardWords } from '../words/en/guard.ts';
import { partWords } from '../words/en/parts.ts';
import { health } from '../words/health.ts';
import { when } from '../words/times.ts';
import { RescueReceipt } from './rescue-receipt.tsx';
import { useRescues } from './use-loan.ts';

interface Props {
  readonly guard: Guard;
  /** The prices that also trigger the guard, in words; undefined for none. */
  readonly source: string | undefined;
  readonly amount: (base: bigint) => string;
  /** The loan's markets; empty if it could not be read. */
  readonly markets: readonly LoanMarket[];
}

/** Rescues shown at first. */
const FIRST = 5;

export function Rescues({ guard, source, amount, markets }: Props) {
  const [isWhole, setWhole] = useState(false);
  const [chosen, setChosen] = useState<number>();
  const { data, isError, error, refetch } = useRescues(guard, isWhole);
  if (isError && data === undefined)
    return <ReadFailed what={guardWords.theRescues} error={error} retry={() => void refetch()} />;
  const newest = guard.rescues - 1;
  const number = chosen ?? newest;
  // Newest first.
  const [rescue, before] = data?.slice(newest - number) ?? [];
  return (
    <details className="more history" open>
      <summary>{partWords.rescues}</summary>
      {rescue && <RescueReceipt {...{ guard, rescue, before, number, amount, markets }} />}
      <LongList
        items={data ?? []}
        total={guard.rescues}
        first={FIRST}
        each="tbody > tr"
        name={guardWords.rescuesOf(guardKey(guard))}
        readRest={() => setWhole(true)}
      >
        {(shown) => (
          <Table
            label={guardWords.rescuesOf(guardKey(guard))}
            rows={shown}
            keyOf={(rescue) => `${rescue.time}-${rescue.healthBeforeWad}`}
            columns={[
              { name: partWords.when, kind: 'time', of: ({ time }) => when(time) },
              { name: partWords.repaid, kind: 'figure', of: ({ repaid }) => amount(repaid) },
              {
                name: partWords.before,
                kind: 'figure',
                of: ({ healthBeforeWad: before }) =>
                  source && before >= guard.triggerHealthWad
                    ? guardWords.triggeredBy(health(before), source)
                    : health(before),
              },
              {
                name: partWords.after,
                kind: 'figure',
                of: ({ healthAfterWad: after }) => (after === undefined ? partWords.noDebtLeft : health(after)),
              },
              {
                name: guardWords.targetColumn,
                of: ({ outcome }) => (
                  <span className={`badge word ${outcome === 'full' ? 'good' : 'caution'}`}>
                    {outcome === 'full' ? partWords.reached : partWords.inPart}
                  </span>
                ),
              },
              guard.rescues > 1 && {
                name: guardWords.receipt,
                of: (each) => (
                  <button
                    type="button"
                    className="button quiet small"
                    onClick={() => setChosen(newest - (data ?? []).indexOf(each))}
                  >
                    {guardWords.receipt}
                    <span className="unseen"> {when(each.time)}</span>
                  </button>
                ),
              },
            ]}
          />
        )}
      </LongList>
    </details>
  );
}
