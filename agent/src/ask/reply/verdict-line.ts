import { formatBps } from '@bowline/core/domain/units';
import { type Verdict, verdictCodes } from '@bowline/core/domain/verdict';
import type { z } from 'zod';
import type { Checked } from '../../tools/check-asset.ts';
import type { referenceList } from '../../tools/schemas.ts';
import { grouped, reasonInWords, short, sourceName } from './words.ts';

/** Size arguments of a check, as passed to the tool. */
export interface Asked {
  readonly amount_usd?: unknown;
  readonly amount_asset?: unknown;
}

/**
 * One line for a check: verdict, prices compared, deviation and, unless GO, the reason. If the question named no size,
 * it states the size judged.
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
  if (deciding === undefined || reason === null) return `${line} All ${findings.length} checks pass.`;
  // The comparison already gives the pool's deviation, so add only the limit.
  const measured = reason === 'pool_off_reference' ? `, ${measure(deciding)}.` : `. ${deciding.detail}`;
  return `${line} Reason: ${reasonInWords(reason)}${measured}`;
}

/** What one check measured; empty if the verdict line already gave it as the reason. */
export function findingLine({ findings, reason }: Checked, check: string): string {
  const finding = findings.find((each) => each.check === check);
  if (finding === undefined || (reason !== null && finding.reason === reason)) return '';
  const outcome = { pass: 'passes', caution: 'returns CAUTION', no_go: 'returns NO_GO', no_data: 'has no data' }[
    finding.outcome
  ];
  return ` "${finding.question}" ${outcome}: ${finding.detail}`;
}

function measure({ measured, outcome, limit, caution_limit }: Checked['findings'][number]): string {
  const held = outcome === 'caution' ? (caution_limit ?? limit) : limit;
  return `measured ${formatBps(BigInt(measured ?? 0))}, limit ${formatBps(BigInt(held))}`;
}

function comparison({ asset, pool_usd, reference_usd, deviation_bps, references }: Checked): string {
  const reference =
    reference_usd === null
      ? 'no reference gives a price'
      : `the reference price is ${short(reference_usd)} USD (${sourcesLine(references)})`;
  const pool =
    pool_usd === null ? `The pool gives no price of ${asset}` : `The pool trades ${asset} at ${short(pool_usd)} USD`;
  const deviation = deviation_bps === null ? '' : `, a deviation of ${formatBps(BigInt(deviation_bps))}`;
  return `${pool}, ${reference}${deviation}.`;
}

// Words that are also everyday English count only in capitals, or where the text says that it names a verdict.
const patterns: Readonly<Record<Verdict, readonly RegExp[]>> = {
  NO_GO: [/\bno[\s_-]?go\b/i],
  NO_DATA: [/\bno_data\b/i, /\bNO[\s-]DATA\b/],
  CAUTION: [/\bCAUTION\b/, /\bverdict\W+(?:\w+\W+){0,6}caution\b/i],
  GO: [/(?<!\b[Nn][Oo][\s_-]?)\bGO\b/, /\bverdict\W+(?:\w+\W+){0,6}(?<!\bno[\s_-]?)go\b/i],
};

/** Verdicts named in a text. */
export const verdictsNamed = (text: string): Verdict[] =>
  (Object.keys(verdictCodes) as Verdict[]).filter((verdict) => patterns[verdict].some((pattern) => pattern.test(text)));

type Listed = z.output<typeof referenceList>;

/**
 * Sources and their prices, independent ones first: "Chainlink 100,000, exchange 100,010; Venus 100,000 by the same
 * feed".
 */
export function sourcesLine(references: Listed): string {
  const priced = ({ source, usd }: Listed[number]) => `${sourceName(source)} ${short(usd)}`;
  const counted = references.filter(({ independent }) => independent);
  const line = `${counted.map(priced).join(', ')}${counted.length === 1 ? ' alone' : ''}`;
  const rest = references.filter(({ independent }) => !independent);
  const how = ({ origin }: Listed[number]) => (origin === 'unknown' ? 'by an unknown feed' : 'by the same feed');
  return [line, ...rest.map((each) => `${priced(each)} ${how(each)}`)].join('; ');
}

/** Names the outdated independent sources; empty if none is known to be. */
export function staleLine(references: Listed): string {
  const old = references.filter(({ independent, fresh }) => independent && fresh === false);
  if (old.length === 0) return '';
  const named = old.map(({ source, age_seconds }) => `${sourceName(source)} (${grouped(age_seconds ?? '')} s old)`);
  return ` This price is not current: it rests on ${named.join(', ')}.`;
}
