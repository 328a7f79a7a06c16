import { checkName, inWords } from '@bowline/core/texts/words';
import type { Finding, Ruling } from '../../wire.ts';
import { roughly } from '../words/times.ts';
import { words } from '../words/words.ts';

/** Every check of a verdict: its measure, its limit and its result. Passing checks are collapsed; those that do not apply are counted. */
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
          {others.length === 0 ? words.parts.allPass(passes.length) : words.parts.othersPass(passes.length)}
          {idle > 0 && words.parts.idle(idle)}
        </summary>
        <FindingList findings={passes} />
      </details>
    </>
  );
}

const FindingList = ({ findings }: { readonly findings: readonly Finding[] }) => (
  <ul className="findings">
    {findings.map((finding) => (
      <li key={finding.check} className={finding.outcome}>
        <div className="finding-head">
          <span className="finding-mark" aria-hidden="true" />
          <strong>{checkName(finding.check)}</strong>
          <span className="finding-outcome">{outcomes[finding.outcome]}</span>
        </div>
        <p>{finding.detail}</p>
        <p className="faint">
          {finding.reason && (
            <>
              {capital(inWords(finding.reason))} (<code>{finding.reason}</code>).{' '}
            </>
          )}
          {finding.measured === null ? words.parts.nothingMeasured : measured(finding, finding.measured)}{' '}
          {ages(finding)}
        </p>
      </li>
    ))}
  </ul>
);

const outcomes = { pass: 'passes', caution: 'caution', no_go: 'no go', no_data: 'no data' } as const;

/** A limit is the most that passes, but of sources the least. */
const measured = (finding: Finding, value: string): string =>
  finding.unit === 'sources'
    ? `${inUnit(BigInt(value), finding.unit)} count, at least ${finding.limit} are asked for.`
    : `Measured ${inUnit(BigInt(value), finding.unit)}, limit ${limits(finding)}.`;

const limits = ({ caution_limit: caution, limit, unit }: Finding): string =>
  caution === null
    ? inUnit(BigInt(limit), unit)
    : `${inUnit(BigInt(caution), unit)} for caution, ${inUnit(BigInt(limit), unit)} for no go`;

function inUnit(value: bigint, unit: Finding['unit']): string {
  if (unit === 'seconds') return value < 0n ? `${-value} s in the future` : roughly(value);
  if (unit === 'blocks') return `${value.toLocaleString('en')} blocks`;
  if (unit === 'sources') return `${value} ${value === 1n ? 'source' : 'sources'}`;
  if (unit === 'millisigma') return `${Number(value) / 1_000} deviations`;
  const percent = Number(value) / 100;
  return `${percent.toLocaleString('en', { maximumFractionDigits: 2 })} %`;
}

/** Age of the finding's sources. */
function ages({ ages }: Finding): string {
  const told = Object.entries(ages).map(([source, age]) => `${source.replaceAll('_', ' ')} ${age} s`);
  return told.length === 0 ? '' : `Ages: ${told.join(', ')}.`;
}

const capital = (words: string) => words.charAt(0).toUpperCase() + words.slice(1);

/** The findings that decide the verdict come first. */
const byWeight = (findings: readonly Finding[]): readonly Finding[] =>
  findings.toSorted((a, b) => weights.indexOf(a.outcome) - weights.indexOf(b.outcome));

const weights: readonly Finding['outcome'][] = ['no_go', 'no_data', 'caution'];
