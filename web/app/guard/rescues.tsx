import type { Guard } from '../chain/read-guards.ts';
import { ReadFailed } from '../parts/read-failed.tsx';
import { health } from '../words/health.ts';
import { when } from '../words/times.ts';
import { useRescues } from './use-loan.ts';

interface Props {
  readonly guard: Guard;
  /** The prices that trigger the guard beside the protocol's, in words; undefined for none. */
  readonly source: string | undefined;
  readonly amount: (base: bigint) => string;
}

const full = 1;
/** The guard's recorded health when no debt is left. */
const noDebt = 2n ** 128n - 1n;

export function Rescues({ guard, source, amount }: Props) {
  const { data, isError, error, refetch } = useRescues(guard);
  if (guard.rescues === 0) return <p className="faint">No rescue yet.</p>;
  if (isError && data === undefined)
    return <ReadFailed what="The rescues" error={error} retry={() => void refetch()} />;
  return (
    <section className="scroll" aria-label={`Rescues of guard ${guard.id}`}>
      <table className="rows">
        <thead>
          <tr>
            <th scope="col">When</th>
            <th scope="col">Repaid</th>
            <th scope="col">Health before</th>
            <th scope="col">Health after</th>
            <th scope="col">Target</th>
          </tr>
        </thead>
        <tbody>
          {data?.map((rescue) => (
            <tr key={`${rescue.time}-${rescue.healthBeforeWad}`}>
              <td data-label="When">{when(BigInt(rescue.time))}</td>
              <td data-label="Repaid">{amount(rescue.repaid)}</td>
              <td data-label="Health before">
                <span>
                  {health(rescue.healthBeforeWad)}
                  {source && rescue.healthBeforeWad >= guard.triggerWad && `, triggered by ${source}`}
                </span>
              </td>
              <td data-label="Health after">
                {rescue.healthAfterWad === noDebt ? 'no debt left' : health(rescue.healthAfterWad)}
              </td>
              <td data-label="Target">
                <span className={`badge word ${rescue.outcome === full ? 'good' : 'caution'}`}>
                  {rescue.outcome === full ? 'reached' : 'in part'}
                </span>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
