import type { History } from '../domain/facts.ts';

// Floating point, since nothing here is an amount: how much a price usually moves. A value is rounded to a whole number
// before it is compared with a limit, so that every machine gets the same result.

/** Closing prices as numbers; undefined if there are fewer than `min`, or if one is zero or exceeds a number. */
export function closesOf({ closesWad }: History, min: number): number[] | undefined {
  const closes = closesWad.map((wad) => Number(wad) / 1e18);
  return closes.length >= min && closes.every((close) => close > 0 && Number.isFinite(close)) ? closes : undefined;
}

const meanOf = (values: readonly number[]): number => values.reduce((sum, each) => sum + each, 0) / values.length;

/** Sample standard deviation about the mean. */
export function deviationOf(values: readonly number[]): number {
  const mean = meanOf(values);
  const squares = values.reduce((sum, each) => sum + (each - mean) ** 2, 0);
  return Math.sqrt(squares / (values.length - 1));
}

/** Logarithmic changes between consecutive prices. */
export const changesOf = (closes: readonly number[]): number[] =>
  closes.slice(1).map((close, at) => Math.log(close / (closes[at] ?? close)));
