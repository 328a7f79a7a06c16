import { averagePrice, isRun } from '@bowline/core/audit/figures';
import type { PlanHistory, Run, Token } from '@bowline/core/audit/history';
import { reasonOf } from '@bowline/core/domain/reasons';
import { inWords } from '@bowline/core/texts/words';
import { useState } from 'react';
import { exactAmount, shortAmount } from '../words/amounts.ts';
import { exactly } from '../words/times.ts';
import type { Held } from './use-evidence.ts';

interface Props {
  readonly plan: PlanHistory;
  readonly pay: Token;
  readonly buy: Token;
  readonly evidence: ReadonlyMap<number, Held>;
}

const verdicts = ['NO_DATA', 'NO_GO', 'CAUTION', 'GO'] as const;
/** Records shown at first, newest first. */
const SHOWN = 50;

/** Every record of a plan, numbered as the chain does, with what its evidence says. */
export function Records({ plan: { runs }, pay, buy, evidence }: Props) {
  const [shown, setShown] = useState(SHOWN);
  if (runs.length === 0) return <p className="faint">No run and no deferral yet.</p>;
  const newest = [...runs.entries()].toReversed().slice(0, shown);
  return (
    <section className="card" aria-labelledby="audit-records">
      <h2 id="audit-records">Records</h2>
      <div className="scroll">
        <table className="rows">
          <thead>
            <tr>
              <th scope="col">Record</th>
              <th scope="col">When</th>
              <th scope="col">What</th>
              <th scope="col">Paid</th>
              <th scope="col">Received, and its floor</th>
              <th scope="col">Evidence</th>
            </tr>
          </thead>
          <tbody>
            {newest.map(([record, run]) => (
              <tr key={record} id={`record-${record}`}>
                <td data-label="Record">{record}</td>
                <td data-label="When">{exactly(BigInt(run.time))}</td>
                {isRun(run) ? <Executed run={run} pay={pay} buy={buy} /> : <Deferred run={run} />}
                <td data-label="Evidence">
                  <EvidenceOf run={run} held={evidence.get(record)} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {runs.length > shown && (
        <div className="buttons">
          <button type="button" className="button" onClick={() => setShown(shown + 10 * SHOWN)}>
            Show older records ({(runs.length - shown).toLocaleString('en')})
          </button>
        </div>
      )}
    </section>
  );
}

const Executed = ({ run, pay, buy }: { readonly run: Run; readonly pay: Token; readonly buy: Token }) => (
  <>
    <td data-label="What">
      <span className="badge word good">run</span>
    </td>
    <td data-label="Paid" title={`${exactAmount(run.amountIn, pay.decimals)} ${pay.symbol}`}>
      {shortAmount(run.amountIn, pay.decimals)} {pay.symbol}
    </td>
    <td data-label="Received" title={`${exactAmount(run.amountOut, buy.decimals)} ${buy.symbol}`}>
      <span>
        {shortAmount(run.amountOut, buy.decimals)} {buy.symbol}
        <span className="faint">
          {' '}
          (floor {shortAmount(run.floor, buy.decimals)}; {averagePrice(run.amountIn, run.amountOut, pay, buy)})
        </span>
      </span>
    </td>
  </>
);

const Deferred = ({ run }: { readonly run: Run }) => (
  <>
    <td data-label="What">
      <span className="badge word caution">deferral</span>
    </td>
    <td colSpan={2}>
      {verdicts[run.verdict] ?? 'unknown verdict'}, {run.isAttested ? 'signed' : 'claimed by the executor'}:{' '}
      {inWords(reasonOf(run.reason) ?? `reason ${run.reason}`)}
    </td>
  </>
);

function EvidenceOf({ run, held }: { readonly run: Run; readonly held: Held | undefined }) {
  return (
    <span className="evidence-of">
      {held === undefined && <span className="faint">not at hand</span>}
      {held?.state === 'follows' && <span className="badge word good">follows</span>}
      {held?.state === 'differs' && <span className="badge word bad">does not follow</span>}
      {held?.state === 'changed' && <span className="badge word bad">document changed</span>}
      {held?.state === 'differs' && <span className="full">{held.what.join('; ') || 'it cannot be judged'}</span>}
      <code title={run.evidencePrefix}>{run.evidencePrefix.slice(0, 10)}…</code>
    </span>
  );
}
