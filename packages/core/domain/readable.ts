import { formatBps, formatUnits } from './units.ts';

// Numbers as people read them. What is exact stands elsewhere.

/** Decimal text with commas between thousands: "105000.00" → "105,000.00". */
export function grouped(decimal: string): string {
  const [whole = '', fraction] = decimal.split('.');
  const commas = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  return fraction === undefined ? commas : `${commas}.${fraction}`;
}

/** An amount or a price, cut to six significant digits; digits before the point all stay: "64,123.4", "0.0099951". */
export function short(decimal: string): string {
  const [whole = '0', fraction = ''] = decimal.split('.');
  const lead = whole === '0' ? (/^0*/.exec(fraction)?.[0].length ?? 0) : 0;
  const places = Math.max(0, whole === '0' ? lead + 6 : 6 - whole.length);
  const kept = fraction.slice(0, places).replace(/0+$/, '');
  return grouped(kept === '' ? whole : `${whole}.${kept}`);
}

/** An amount in base units or a price with 18 decimals, cut as `short` does. */
export const shortUnits = (amount: bigint, decimals: number): string => short(formatUnits(amount, decimals));

/** Which way a value lies from another, by bps that are worked out already: "0.6 % above", "exactly at". */
export function apart(value: bigint, from: bigint, bps: bigint): string {
  return value === from ? 'exactly at' : `${formatBps(bps)} ${value > from ? 'above' : 'below'}`;
}

/** The last second of the year 9999: what lies beyond, as "never" in a plan does, has no four-digit year. */
const LAST_ISO_SECOND = 253_402_300_799n;

/** Of unix seconds; what lies before 1970 is shown as its beginning. */
export function toIsoTime(unixSeconds: bigint): string {
  const shown = unixSeconds > LAST_ISO_SECOND ? LAST_ISO_SECOND : unixSeconds < 0n ? 0n : unixSeconds;
  return new Date(Number(shown) * 1000).toISOString();
}

/** To the second, for people: "2026-11-23 14:30:00 UTC". */
export const inUtc = (unixSeconds: bigint): string => `${toIsoTime(unixSeconds).slice(0, 19).replace('T', ' ')} UTC`;
