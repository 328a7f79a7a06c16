import { grouped } from '@bowline/core/domain/readable';
import { percent } from '@bowline/core/texts/amounts';
import { parseUnits } from 'viem';
import type { Finding, Ruling } from '../../wire.ts';
import { usd } from '../words/amounts.ts';
import { checkName, inWords } from '../words/core-words.ts';
import { partWords, verdictWords } from '../words/en/parts.ts';
import { roughly } from '../words/times.ts';

/** Every check of a verdict with measure, limit and result. Passing checks are collapsed, inapplicable ones counted. */
export function Findings({ ruling: { findings } }: { readonly ruling: Ruling }) {
  const passing = findings.filter(({ outcome }) => outcome === 'pass');
  // A check that measured nothing and passed had nothing to check in this asset.
  const passes = passing.filter(({ measured }) => measured !== null);
  const idle = passing.length - passes.length;
  const others = byWeight(findings.filter(({ outcome }) => outcome !== 'pass'));
  return (
    <>
      {others.length > 0 && <FindingList findings={others} />}
      <details className="more">
        <summary>
          {others.length === 0 ? partWords.allPass(passes.length) : partWords.othersPass(passes.length)}
          {idle > 0 && partWords.idle(idle)}
        </summary>
        <FindingList findings={passes} />
      </details>
    </>
  );
}

const FindingList = ({ findings }: { readonly findings: readonly Finding[] }) => (
  <ul className="findings">
    {findings.map((finding) => (
      <li key={finding.check} className={`box stack small ${finding.outcome}`}>
        <div className="row">
          <span className="finding-mark" aria-hidden="true" />
          <strong>{checkName(finding.check)}</strong>
          <span className="finding-outcome">{partWords.outcomes[finding.outcome]}</span>
        </div>
        {/* The agent's own words. */}
        <p lang="en">{finding.detail}</p>
        <p className="faint">
          {finding.reason && (
            <>
              {capital(inWords(finding.reason))} (<code>{finding.reason}</code>).{' '}
            </>
          )}
          {finding.measured === null ? partWords.nothingMeasured : measured(finding, finding.measured)} {ages(finding)}
        </p>
      </li>
    ))}
  </ul>
);

const measured = (finding: Finding, value: string): string =>
  partWords.measured(inUnit(BigInt(value), finding.unit), limits(finding));

const limits = ({ caution_limit: caution, limit, unit }: Finding): string =>
  caution === null
    ? inUnit(BigInt(limit), unit)
    : partWords.limits(inUnit(BigInt(caution), unit), inUnit(BigInt(limit), unit));

function inUnit(value: bigint, unit: Finding['unit']): string {
  if (unit === 'seconds') return value < 0n ? partWords.inTheFuture(-value) : roughly(value);
  if (unit === 'blocks') return partWords.blocks(grouped(value));
  return percent(value);
}

/** Ages of the finding's sources. */
function ages({ ages }: Finding): string {
  const told = Object.entries(ages).map(([source, age]) => partWords.age(source.replaceAll('_', ' '), age));
  return told.length === 0 ? '' : partWords.ages(told);
}

const capital = (clause: string) => clause.charAt(0).toUpperCase() + clause.slice(1);

/** The findings that decide the verdict come first. */
const byWeight = (findings: readonly Finding[]): readonly Finding[] =>
  findings.toSorted((a, b) => weights.indexOf(a.outcome) - weights.indexOf(b.outcome));

const weights: readonly Finding['outcome'][] = ['no_go', 'no_data', 'caution'];

/** The size up to which the verdict would be GO, next to the verdict for the requested size. */
export const LargestGo = ({ ruling: { largest_go_usd: largest } }: { readonly ruling: Ruling }) =>
  largest ? <p className="faint">{verdictWords.upTo(usd(parseUnits(largest, 18)))}</p> : null;
