import { LATE_SECONDS, type ReasonCount, type ServiceFigures } from '@bowline/core/audit/service';
import { grouped } from '@bowline/core/domain/readable';
import { formatBps } from '@bowline/core/domain/units';
import { Facts } from '../parts/facts.tsx';
import { Notice } from '../parts/notice.tsx';
import { inWords } from '../words/core-words.ts';
import { auditWords, executorWords } from '../words/en/audit.ts';
import { partWords } from '../words/en/parts.ts';
import { duration } from '../words/times.ts';

/** The report card itself. */
export function Figures({ figures }: { readonly figures: ServiceFigures }) {
  const { plans, runs, inTime, late, lateAfterDeferral, delaySeconds, deferrals, attested } = figures;
  const { byReason, skipped, silentSlots, unrecorded, aboveFloor, withOracle, belowOracle, irregularities } = figures;
  const latest = duration(BigInt(LATE_SECONDS));
  const facts: readonly (readonly [string, string])[] = [
    [executorWords.plans, grouped(plans)],
    [partWords.runs, grouped(runs)],
    [
      executorWords.inTime(latest),
      runs === 0 ? executorWords.noRun : executorWords.runsOf(grouped(inTime), grouped(runs)),
    ],
    [executorWords.lateAfterDeferral, grouped(lateAfterDeferral)],
    [executorWords.late, grouped(late)],
    [
      executorWords.delay,
      delaySeconds ? executorWords.delayOf(delaySeconds.median, delaySeconds.worst) : executorWords.noRun,
    ],
    [
      executorWords.aboveFloor,
      aboveFloor
        ? executorWords.aboveFloorOf(formatBps(aboveFloor.median), formatBps(aboveFloor.worst))
        : executorWords.noRun,
    ],
    [
      executorWords.belowOracle,
      belowOracle
        ? executorWords.belowOracleOf(formatBps(belowOracle.median), formatBps(belowOracle.worst), withOracle)
        : executorWords.noOracle,
    ],
    [executorWords.silent, grouped(silentSlots)],
  ];
  return (
    <>
      {plans === 0 && <Notice kind="plain" title={executorWords.noRecord} />}
      {irregularities.length === 0 ? (
        plans > 0 && <Notice kind="good" title={executorWords.regular} />
      ) : (
        <Notice kind="bad" title={auditWords.irregularities(irregularities.length)} more={executorWords.named} />
      )}
      <section className="card" aria-labelledby="service">
        <h2 id="service">{executorWords.reportCard}</h2>
        <Facts rows={facts} />
        <p className="faint">{executorWords.reportMore}</p>
      </section>
      <section className="card" aria-labelledby="skips">
        <h2 id="skips">{executorWords.skipped}</h2>
        <Reasons counts={skipped} none={executorWords.noneSkipped} heading={executorWords.skippedHeading} />
        <Reasons
          counts={byReason}
          none={executorWords.noDeferral}
          heading={executorWords.deferralsHeading(deferrals, grouped(attested))}
        />
        <Reasons counts={unrecorded} none={executorWords.noneUnrecorded} heading={executorWords.unrecordedHeading} />
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
          <li key={each.reason}>{executorWords.counted(grouped(each.count), inWords(each.reason))}</li>
        ))}
      </ul>
    </div>
  );
