import type { z } from 'zod';
import { formatBps } from '../../domain/units.ts';
import { type Verdict, verdictCodes } from '../../domain/verdict.ts';
import type { checkAsset } from '../../tools/check-asset.ts';
import { reasonInWords } from './reason-words.ts';
import { grouped, short, sourceName } from './words.ts';

export type Checked = z.output<typeof checkAsset.output>;

/** The arguments of a check, as they were given to the tool. */
export interface Asked {
  readonly amount_usd?: unknown;
  readonly amount_asset?: unknown;
}

/**
 * What a check found, in our own words: verdict, prices compared, deviation, and of what is not GO the reason. Where no size
 * was asked for, it says which one was judged.
 */
export function verdictLine(checked: Checked, { amount_usd: usd, amount_asset: units }: Asked): string {
  const { asset, side, amount_usd, verdict, reason, findings } = checked;
  const dollars = amount_usd === null ? undefined : `${short(amount_usd)} USD`;
  const size =
    units === undefined
      ? `${dollars === undefined ? '' : `${dollars} of `}${asset}`
      : `${grouped(String(units).trim())} ${asset}${dollars === undefined ? '' : ` (worth ${dollars})`}`;
  const trade = `${side === 'buy' ? 'buying' : 'selling'} ${size}`;
  const unasked =
    usd === undefined && units === undefined ? ` (no size was given: judged for ${dollars ?? asset})` : '';
  const deciding = findings.find((finding) => reason !== null && finding.reason === reason);
  const line = `Verdict: ${verdict} for ${trade}${unasked}. ${comparison(checked)}`;
  if (deciding === undefined) return `${line} All ${findings.length} checks pass.`;
  // The comparison above has said it already.
  const detail = reason === 'pool_off_reference' ? '' : ` ${deciding.detail}`;
  return `${line} Reason: ${reasonInWords(deciding.reason ?? '')}, ${measure(deciding, verdict === 'CAUTION')}.${detail}`;
}

/** What one check measured; empty where the verdict's line has said it, as the reason. */
export function findingLine({ findings, reason }: Checked, check: string): string {
  const finding = findings.find((each) => each.check === check);
  if (finding === undefined || (reason !== null && finding.reason === reason)) return '';
  const outcome = { pass: 'passes', caution: 'gives caution', no_go: 'says no', no_data: 'has no data' }[
    finding.outcome
  ];
  return ` "${finding.question}" ${outcome}: ${measure(finding, finding.outcome === 'caution')}. ${finding.detail}`;
}

function measure({ measured, limit, caution_limit, unit }: Checked['findings'][number], caution: boolean): string {
  const show = (value: string) => (unit === 'bps' ? formatBps(BigInt(value)) : `${grouped(value)} s`);
  const held = caution ? (caution_limit ?? limit) : limit;
  return `${measured === null ? 'not measured' : `measured ${show(measured)}`}, limit ${show(held)}`;
}

function comparison({ asset, pool_usd, reference_usd, deviation_bps, references }: Checked): string {
  const sources = references.map(({ source, usd }) => `${sourceName(source)} ${short(usd)}`).join(', ');
  const reference =
    reference_usd === null
      ? 'no reference gives a price'
      : `the reference price is ${short(reference_usd)} USD (${sources})`;
  const pool =
    pool_usd === null ? `The pool gives no price of ${asset}` : `The pool trades ${asset} at ${short(pool_usd)} USD`;
  const apart = deviation_bps === null ? '' : `, a deviation of ${formatBps(BigInt(deviation_bps))}`;
  return `${pool}, ${reference}${apart}.`;
}

// Words that are also everyday English count in capitals, or where the text says that it names a verdict.
const patterns: Readonly<Record<Verdict, readonly RegExp[]>> = {
  NO_GO: [/\bno[\s_-]?go\b/i],
  NO_DATA: [/\bno_data\b/i, /\bNO[\s-]DATA\b/],
  CAUTION: [/\bCAUTION\b/, /\bverdict\W+(?:\w+\W+){0,6}caution\b/i],
  GO: [/(?<!\b[Nn][Oo][\s_-]?)\bGO\b/, /\bverdict\W+(?:\w+\W+){0,6}(?<!\bno[\s_-]?)go\b/i],
};

/** The verdicts that a text names. */
export const verdictsNamed = (text: string): Verdict[] =>
  (Object.keys(verdictCodes) as Verdict[]).filter((verdict) => patterns[verdict].some((pattern) => pattern.test(text)));
