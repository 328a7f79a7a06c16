import { LATE_SECONDS, type ReasonCount, type ServiceFigures } from '@bowline/core/audit/service';
import { formatBps } from '@bowline/core/domain/units';
import { inWords } from '@bowline/core/texts/words';
import { Facts } from '../parts/facts.tsx';
import { Notice } from '../parts/notice.tsx';
import { count, duration } from '../words/times.ts';

/** The report card itself. */
export function Figures({ figures }: { readonly figures: ServiceFigures }) {
  const { plans, runs, inTime, late, lateAfterDeferral, delaySeconds, deferrals, attested } = figures;
  const { byReason, skipped, silentSlots, aboveFloor, withOracle, belowOracle, irregularities } = figures;
  const latest = duration(BigInt(LATE_SECONDS));
  const facts: readonly (readonly [string, string])[] = [
    ['Plans', plans.toLocaleString('en')],
    ['Runs', runs.toLocaleString('en')],
    [
      `In time, within ${latest}`,
      runs === 0 ? 'no run yet' : `${inTime.toLocaleString('en')} of ${runs.toLocaleString('en')}`,
    ],
    ['Late, after a recorded deferral', lateAfterDeferral.toLocaleString('en')],
    ['Late, without a reason', late.toLocaleString('en')],
    ['Delay', delaySeconds ? `median ${delaySeconds.median} s, longest ${delaySeconds.worst} s` : 'no run yet'],
    [
      'Above the floor',
      aboveFloor ? `median ${formatBps(aboveFloor.median)}, least ${formatBps(aboveFloor.worst)}` : 'no run yet',
    ],
    [
      'Below the oracle, at most',
      belowOracle
        ? `median ${formatBps(belowOracle.median)}, most ${formatBps(belowOracle.worst)}, of ${count(withOracle, 'run')}`
        : 'no run with an oracle',
    ],
    ['Slots without a record', silentSlots.toLocaleString('en')],
  ];
  return (
    <>
      {irregularities.length === 0 ? (
        <Notice kind="good" title="No irregularities: every record agrees with its plan’s terms." />
      ) : (
        <Notice kind="bad" title={`Irregularities: ${irregularities.length.toLocaleString('en')}`}>
          <p>The audits of the plans below name them.</p>
        </Notice>
      )}
      <section className="card" aria-labelledby="service">
        <h2 id="service">Report card</h2>
        <Facts rows={facts} />
        <p className="faint">
          The oracle’s past price is in no state. A floor is at least that price less the plan’s slippage, which bounds
          how far below it a run can have been. A slot has no record if the executor was silent, but also if the plan
          was paused or its owner out of funds: state does not tell which.
        </p>
      </section>
      <section className="card" aria-labelledby="skips">
        <h2 id="skips">Skipped, by reason</h2>
        <Reasons
          counts={skipped}
          none="No slot was deferred and then left to close."
          heading="Slots deferred and not run, by the last reason"
        />
        <Reasons
          counts={byReason}
          none="No deferral yet."
          heading={`All ${count(deferrals, 'deferral')}, ${attested.toLocaleString('en')} signed`}
        />
      </section>
    </>
  );
}

interface ReasonsProps {
  readonly counts: readonly ReasonCount[];
  readonly none: string;
  readonly heading: string;
}

const Reasons = ({ counts, none, heading }: ReasonsProps) =>
  counts.length === 0 ? (
    <p className="faint">{none}</p>
  ) : (
    <div className="stack">
      <h3>{heading}</h3>
      <ul>
        {counts.map((each) => (
          <li key={each.reason}>
            {each.count.toLocaleString('en')} × {inWords(each.reason)}
          </li>
        ))}
      </ul>
    </div>
  );
