import type { History } from '../domain/facts.ts';

// Floating point, since nothing here is an amount: how much a price usually moves. What is compared with a limit is rounded to a
// whole number first, so that every machine finds the same.

/** Closing prices as numbers; undefined of fewer than `least`, or where one is zero or more than a number holds. */
export function closesOf({ closesWad }: History, least: number): number[] | undefined {
  const closes = closesWad.map((wad) => Number(wad) / 1e18);
  return closes.length >= least && closes.every((close) => close > 0 && Number.isFinite(close)) ? closes : undefined;
}

const meanOf = (values: readonly number[]): number => values.reduce((sum, each) => sum + each, 0) / values.length;

/** Of a sample, from its own mean. */
export function deviationOf(values: readonly number[]): number {
  const mean = meanOf(values);
  const squares = values.reduce((sum, each) => sum + (each - mean) ** 2, 0);
  return Math.sqrt(squares / (values.length - 1));
}

/** Of each price from the one before, as logarithms. */
export const changesOf = (closes: readonly number[]): number[] =>
  closes.slice(1).map((close, at) => Math.log(close / (closes[at] ?? close)));
