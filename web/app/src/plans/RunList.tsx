import { amount, clock, when } from '../format.ts';
import { reasonOf } from '../reasons.ts';
import { inWords } from '../words.ts';
import type { Run } from './usePlans.ts';

interface Token {
  readonly symbol: string;
  readonly decimals: number;
}

interface RunListProps {
  readonly records: readonly Run[];
  readonly pay: Token;
  readonly buy: Token;
}

const atFirst = 5;

/** Runs and deferrals, newest first, as the chain has them. */
export function RunList({ records, pay, buy }: RunListProps) {
  if (records.length === 0) return <p className="muted">No run yet.</p>;
  const older = records.slice(atFirst);
  return (
    <>
      <Records records={records.slice(0, atFirst)} pay={pay} buy={buy} />
      {older.length > 0 && (
        <details className="older">
          <summary>{older.length} before these</summary>
          <Records records={older} pay={pay} buy={buy} />
        </details>
      )}
    </>
  );
}

const isToday = (seconds: number) => new Date(seconds * 1000).toDateString() === new Date().toDateString();

const Records = ({ records, pay, buy }: RunListProps) => (
  <ul className="runs">
    {records.map(({ time, slotStart, outcome, amountIn, amountOut, floor, reason }) => (
      <li key={`${time}-${slotStart}-${outcome}-${reason}`} className={outcome === 1 ? 'run' : 'deferral'}>
        <span className="num muted">{isToday(time) ? clock(time) : when(time)}</span>
        {outcome === 1 ? (
          <span className="num">
            paid {amount(amountIn, pay.decimals)} {pay.symbol}, received {amount(amountOut, buy.decimals)} {buy.symbol}
            <span className="muted"> (at least {amount(floor, buy.decimals)})</span>
          </span>
        ) : (
          <span>
            Deferred. {inWords(reasonOf(reason))} <code>{reasonOf(reason)}</code>
          </span>
        )}
      </li>
    ))}
  </ul>
);
