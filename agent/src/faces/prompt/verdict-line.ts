import type { z } from 'zod';
import { formatBps } from '../../domain/units.ts';
import { type Verdict, verdictCodes } from '../../domain/verdict.ts';
import type { checkAsset } from '../../tools/check-asset.ts';
import { grouped } from './words.ts';

export type Checked = z.output<typeof checkAsset.output>;

/** What a check found, in our own words: verdict, prices compared, deviation, and of what is not GO the reason. */
export function verdictLine(checked: Checked): string {
  const { asset, side, amount_usd, verdict, reason, findings } = checked;
  const size = amount_usd === null ? '' : `${grouped(amount_usd)} USD of `;
  const trade = `${side === 'buy' ? 'buying' : 'selling'} ${size}${asset}`;
  const deciding = findings.find((finding) => reason !== null && finding.reason === reason);
  const line = `Verdict: ${verdict} for ${trade}. ${comparison(checked)}`;
  if (deciding === undefined) return `${line} All ${findings.length} checks pass.`;
  const show = (value: string) => (deciding.unit === 'bps' ? formatBps(BigInt(value)) : `${value} s`);
  const limit = verdict === 'CAUTION' ? (deciding.caution_limit ?? deciding.limit) : deciding.limit;
  const measured = deciding.measured === null ? 'not measured' : `measured ${show(deciding.measured)}`;
  // The comparison above has said it already.
  const detail = reason === 'pool_off_reference' ? '' : ` ${deciding.detail}`;
  return `${line} Reason: ${reason}, ${measured}, limit ${show(limit)}.${detail}`;
}

function comparison({ asset, pool_usd, reference_usd, deviation_bps, references }: Checked): string {
  const sources = references.map(({ source, usd }) => `${source} ${grouped(usd)}`).join(', ');
  const reference =
    reference_usd === null
      ? 'no reference gives a price'
      : `the reference price is ${grouped(reference_usd)} USD (${sources})`;
  const pool =
    pool_usd === null ? `the pool gives no price of ${asset}` : `the pool trades ${asset} at ${grouped(pool_usd)} USD`;
  const apart = deviation_bps === null ? '' : `, a deviation of ${formatBps(BigInt(deviation_bps))}`;
  return `${pool.charAt(0).toUpperCase()}${pool.slice(1)}, ${reference}${apart}.`;
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
