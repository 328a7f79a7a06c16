import { formatBps, formatUnits } from './units.ts';

// Values for people. Exact values come from elsewhere.

export const shortAddress = (address: string): string => `${address.slice(0, 6)}…${address.slice(-4)}`;

/** A number or decimal text with commas between thousands: "105000.00" → "105,000.00". */
export function grouped(decimal: string | number | bigint): string {
  const [whole = '', fraction] = String(decimal).split('.');
  const commas = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  return fraction === undefined ? commas : `${commas}.${fraction}`;
}

/**
 * An amount or price truncated to six significant digits; all digits before the point stay: "64,123.4", "0.0099951".
 */
export function short(decimal: string): string {
  const [whole = '0', fraction = ''] = decimal.split('.');
  const lead = whole === '0' ? (/^0*/.exec(fraction)?.[0].length ?? 0) : 0;
  const places = Math.max(0, whole === '0' ? lead + 6 : 6 - whole.length);
  const kept = fraction.slice(0, places).replace(/0+$/, '');
  return grouped(kept === '' ? whole : `${whole}.${kept}`);
}

/** An amount in base units or a price with 18 decimals, truncated like `short`. */
export const shortUnits = (amount: bigint, decimals: number): string => short(formatUnits(amount, decimals));

/** Direction and size of a deviation whose bps are already computed: "0.6 % above", "exactly at". */
export function apart(value: bigint, from: bigint, bps: bigint): string {
  return value === from ? 'exactly at' : `${formatBps(bps)} ${value > from ? 'above' : 'below'}`;
}

/** Last second of the year 9999. Later times, such as a plan's "never", have no four-digit year. */
const LAST_ISO_SECOND = 253_402_300_799n;

/** ISO 8601 time of unix seconds; times before 1970 become its first second. */
export function toIsoTime(unixSeconds: bigint): string {
  const clamped = unixSeconds > LAST_ISO_SECOND ? LAST_ISO_SECOND : unixSeconds < 0n ? 0n : unixSeconds;
  return new Date(Number(clamped) * 1000).toISOString();
}

/** A plan's "never", and any other time beyond the year 2243. */
export const isNever = (unixSeconds: bigint | number): boolean => unixSeconds > 8_640_000_000;

/** To the second, as in records and signed texts: "2026-11-21T03:20:15Z". */
export const isoSeconds = (unixSeconds: bigint): string => toIsoTime(unixSeconds).replace('.000Z', 'Z');

/** An ISO time to the second: "2026-11-21 03:20:15 UTC". */
export const inUtc = (iso: string): string => `${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC`;

const cell = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** RFC 4180. */
export const toCsv = (rows: readonly (readonly string[])[]): string =>
  rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('');
