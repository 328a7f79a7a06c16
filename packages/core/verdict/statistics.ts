import type { Band } from '../domain/facts.ts';

// Floating point, since nothing here is an amount: how much a price usually moves. A value is rounded to a whole number
// before it is compared with a limit, so that every machine gets the same result.

/** So many of the newest closing prices as numbers; undefined if there are fewer, or if one is zero or exceeds a number. */
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

/** No fall and no limit comes near it, and a rise beyond it needs no other figure. */
const MAX_BPS = 1e9;

/**
 * A logarithmic change and its limits as people say them, in 1/10,000 of the price before: 0.3992 of a fall are 32.92 %, of a rise
 * 49.07 %. The measure is rounded up, and a limit away from it, so that the figures compare as the logarithms do.
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
