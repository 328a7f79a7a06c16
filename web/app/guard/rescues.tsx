import { guardKey } from '@bowline/core/domain/guard-key';
import { useState } from 'react';
import type { Guard } from '../chain/read-guards.ts';
import { LongList } from '../parts/long-list.tsx';
import { ReadFailed } from '../parts/read-failed.tsx';
import { guardWords } from '../words/en/guard.ts';
import { health } from '../words/health.ts';
import { when } from '../words/times.ts';
import { useRescues } from './use-loan.ts';

interface Props {
  readonly guard: Guard;
  /** The prices that trigger the guard beside the protocol's, in words; undefined for none. */
  readonly source: string | undefined;
  readonly amount: (base: bigint) => string;
}

/** Rescues shown at first. */
const FIRST = 5;

export function Rescues({ guard, source, amount }: Props) {
  const [isWhole, setWhole] = useState(false);
  const { data, isError, error, refetch } = useRescues(guard, isWhole);
  if (guard.rescues === 0) return <p className="faint">{guardWords.noRescue}</p>;
  if (isError && data === undefined)
    return <ReadFailed what={guardWords.theRescues} error={error} retry={() => void refetch()} />;
  return (
    <details className="more history" open>
      <summary>{guardWords.rescues}</summary>
      <LongList
        items={data ?? []}
        total={guard.rescues}
        first={FIRST}
        each="tbody > tr"
        name={guardWords.rescuesOf(guardKey(guard))}
        readRest={() => setWhole(true)}
      >
        {(shown) => (
          <section className="scroll" aria-label={guardWords.rescuesOf(guardKey(guard))}>
            <table className="rows">
              <thead>
                <tr>
                  <th scope="col">{guardWords.when}</th>
                  <th scope="col" className="figure">
                    {guardWords.repaid}
                  </th>
                  <th scope="col" className="figure">
                    {guardWords.before}
                  </th>
                  <th scope="col" className="figure">
                    {guardWords.after}
                  </th>
                  <th scope="col">{guardWords.targetColumn}</th>
                </tr>
              </thead>
              <tbody>
                {shown.map((rescue) => (
                  <tr key={`${rescue.time}-${rescue.healthBeforeWad}`}>
                    <td className="time" data-label={guardWords.when}>
                      {when(rescue.time)}
                    </td>
                    <td className="figure" data-label={guardWords.repaid}>
                      {amount(rescue.repaid)}
                    </td>
                    <td className="figure" data-label={guardWords.before}>
                      <span>
                        {source && rescue.healthBeforeWad >= guard.triggerHealthWad
                          ? guardWords.triggeredBy(health(rescue.healthBeforeWad), source)
                          : health(rescue.healthBeforeWad)}
                      </span>
                    </td>
                    <td className="figure" data-label={guardWords.after}>
                      {rescue.healthAfterWad === undefined ? guardWords.noDebtLeft : health(rescue.healthAfterWad)}
                    </td>
                    <td data-label={guardWords.targetColumn}>
                      <span className={`badge word ${rescue.outcome === 'full' ? 'good' : 'caution'}`}>
                        {rescue.outcome === 'full' ? guardWords.reached : guardWords.inPart}
                      </span>
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </section>
        )}
      </LongList>
    </details>
  );
}
