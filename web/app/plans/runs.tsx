import { reasonOf } from '@bowline/core/domain/reasons';
import { inWords } from '@bowline/core/texts/words';
import type { Asset } from '../api/settings.ts';
import type { Plan } from '../chain/read-plans.ts';
import { ReadFailed } from '../parts/read-failed.tsx';
import { shortAmount } from '../words/amounts.ts';
import { when } from '../words/times.ts';
import { SHOWN, useRuns } from './use-runs.ts';

interface Props {
  readonly plan: Plan;
  readonly buy: Asset | undefined;
  readonly pay: Asset | undefined;
}

const executed = 1;

/** A plan's on-chain records: runs with their amounts, deferrals with their reason. */
export function Runs({ plan, buy, pay }: Props) {
  const { data, isError, error, refetch } = useRuns(plan);
  if (plan.records === 0) return <p className="faint">No run and no deferral yet.</p>;
  if (isError && data === undefined) return <ReadFailed what="The runs" error={error} retry={() => void refetch()} />;
  return (
    <details className="more" open>
      <summary>
        Runs and deferrals{plan.records > SHOWN ? `, the newest ${SHOWN} of ${plan.records.toLocaleString('en')}` : ''}
      </summary>
      <section className="scroll" aria-label={`Records of plan ${plan.id}`}>
        <table className="rows">
          <thead>
            <tr>
              <th scope="col">When</th>
              <th scope="col">What</th>
              <th scope="col">Paid</th>
              <th scope="col">Received</th>
              <th scope="col">At least</th>
            </tr>
          </thead>
          <tbody>
            {data?.map((run) =>
              run.outcome === executed ? (
                <tr key={run.record}>
                  <td data-label="When">{when(BigInt(run.time))}</td>
                  <td data-label="What">
                    <span className="badge word good">run</span>
                  </td>
                  <td data-label="Paid">{shown(run.amountIn, pay)}</td>
                  <td data-label="Received">{shown(run.amountOut, buy)}</td>
                  <td className="faint" data-label="At least">
                    {shown(run.floor, buy)}
                  </td>
                </tr>
              ) : (
                <tr key={run.record}>
                  <td data-label="When">{when(BigInt(run.time))}</td>
                  <td data-label="What">
                    <span className="badge word caution">deferral</span>
                  </td>
                  <td colSpan={3}>
                    Not bought: {inWords(reasonOf(run.reason) ?? `reason ${run.reason}`)}.
                    {!run.isAttested && <span className="faint"> By the executor’s word.</span>}
                  </td>
                </tr>
              ),
            )}
          </tbody>
        </table>
      </section>
    </details>
  );
}

const shown = (amount: bigint, asset: Asset | undefined): string =>
  asset ? `${shortAmount(amount, asset.decimals)} ${asset.symbol}` : `${amount} units`;
