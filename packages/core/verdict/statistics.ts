import type { Band } from '../domain/facts.ts';

// Floating point, since nothing here is an amount: how much a price usually moves. A value is rounded to a whole number
// before it is compared with a limit, so that every machine gets the same result.

/** The newest `count` closing prices as numbers; undefined if there are fewer, or if one is zero or not finite. */
export function closesOf(closesWad: readonly bigint[], count: number): number[] | undefined {
  const closes = closesWad.slice(-count).map((wad) => Number(wad) / 1e18);
  return closes.length === count && closes.every((close) => close > 0 && Number.isFinite(close)) ? closes : undefined;
}

const sumOf = (values: readonly number[]): number => values.reduce((sum, each) => sum + each, 0);

/** Sample standard deviation about the mean. */
export function deviationOf(values: readonly number[]): number {
  const mean = sumOf(values) / values.length;
  return Math.sqrt(sumOf(values.map((each) => (each - mean) ** 2)) / (values.length - 1));
}

/** Logarithmic changes between consecutive prices. */
export const changesOf = (closes: readonly number[]): number[] =>
  closes.slice(1).map((close, at) => Math.log(close / (closes[at] ?? close)));

/** Cap: no fall and no limit comes near it, and a rise beyond it needs no other figure. */
const MAX_BPS = 1e9;

/**
 * A logarithmic change and its limits as people state them, in 1/10,000 of the previous price: 0.3992 is 32.92 % for a
 * fall, 49.07 % for a rise. The measure is rounded up and limits away from it, so both compare as the logarithms do.
 */
export function inPercent(
  logBps: bigint,
  { caution, noGo }: Band,
  direction: 'fall' | 'rise',
): { readonly measured: bigint; readonly band: Band } {
  const sign = direction === 'fall' ? -1 : 1;
  const exact = (bps: bigint) => Math.min(Math.abs(Math.expm1((sign * Number(bps)) / 10_000)) * 10_000, MAX_BPS);
  const limit = (bps: bigint) => BigInt(logBps > bps ? Math.floor(exact(bps)) : Math.ceil(exact(bps)));
  return { measured: BigInt(Math.ceil(exact(logBps))), band: { caution: limit(caution), noGo: limit(noGo) } };
}
