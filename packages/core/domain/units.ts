// Amounts are base units as bigint, prices are USD with 18 decimals per whole unit (`UsdWad`), rates are in 1/10,000
// (`Bps`), times are unix seconds. Decimal text exists at the edges only.

export type Address = `0x${string}`;
export type Hex = `0x${string}`;

export const WAD = 10n ** 18n;
export const BPS = 10_000n;

/** ⌊a · b / c⌋ of non-negative numbers; c above zero. */
export const mulDivDown = (a: bigint, b: bigint, c: bigint): bigint => (a * b) / c;

/** ⌈a · b / c⌉ of non-negative numbers; c above zero. */
export const mulDivUp = (a: bigint, b: bigint, c: bigint): bigint => (a * b + c - 1n) / c;

/**
 * Deviation of `value` from `reference` in 1/10,000 of the reference, rounded away from zero; `reference` must be
 * positive.
 */
export function deviationBpsUp(value: bigint, reference: bigint): bigint {
  const distance = value > reference ? value - reference : reference - value;
  return mulDivUp(distance, BPS, reference);
}

/** What an amount is worth, rounded down, so that nothing below a minimum passes; undefined without a price. */
export const worthUsdWadDown = (amount: bigint, usdWad: bigint | undefined, decimals: number): bigint | undefined =>
  usdWad === undefined ? undefined : mulDivDown(amount, usdWad, 10n ** BigInt(decimals));

/** Whether a run or rescue is worth its gas. True without a price: a failed feed must cost nobody their collateral. */
export const isWorthIt = (usdWad: bigint | undefined, minimumUsdWad: bigint): boolean =>
  usdWad === undefined || usdWad >= minimumUsdWad;

/** Maximum of non-negative numbers; 0n if there are none. */
export function largest(values: readonly bigint[]): bigint {
  let max = 0n;
  for (const value of values) if (value > max) max = value;
  return max;
}

/** Minimum of numbers; 0n if there are none. */
export const smallest = (values: readonly bigint[]): bigint =>
  values.reduce((min, value) => (value < min ? value : min), values[0] ?? 0n);

/** For sorting. */
export const ascending = (a: bigint, b: bigint): number => (a < b ? -1 : a > b ? 1 : 0);
export const descending = (a: bigint, b: bigint): number => ascending(b, a);

const SECONDS_PER_DAY = 86_400n;

/** The number of the UTC day, as the contracts count days. @param time unix seconds. */
export const utcDay = (time: bigint | number): bigint => BigInt(time) / SECONDS_PER_DAY;

/** When the UTC day of a time begins, and ends, unix seconds. */
export const startOfDay = (time: bigint | number): bigint => utcDay(time) * SECONDS_PER_DAY;
export const endOfDay = (time: bigint | number): bigint => startOfDay(time) + SECONDS_PER_DAY;

/** Decimal text of an amount in base units: (1234500n, 6) → "1.2345". */
export function formatUnits(amount: bigint, decimals: number): string {
  const sign = amount < 0n ? '-' : '';
  const digits = (amount < 0n ? -amount : amount).toString().padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '');
  return `${sign}${whole}${fraction === '' ? '' : `.${fraction}`}`;
}

/** All digits and the token, for logs and reports: "1234.5 USDT". */
export const withSymbol = (
  amount: bigint,
  { decimals, symbol }: { readonly decimals: number; readonly symbol: string },
): string => `${formatUnits(amount, decimals)} ${symbol}`;

export const bnb = (wei: bigint): string => withSymbol(wei, { decimals: 18, symbol: 'BNB' });
export const gwei = (wei: bigint): string => withSymbol(wei, { decimals: 9, symbol: 'gwei' });

/**
 * Base units of decimal text: ("1.2345", 6) → 1234500n. Digits beyond `decimals` are truncated. Undefined for anything
 * but plain digits with at most one point: no sign, exponent or space.
 */
export function parseUnitsDown(text: string, decimals: number): bigint | undefined {
  const match = /^(\d+)(?:\.(\d+))?$/.exec(text);
  if (match === null) return undefined;
  const [, whole = '', fraction = ''] = match;
  return BigInt(whole + fraction.slice(0, decimals).padEnd(decimals, '0'));
}

/**
 * A price or value for people: two decimals from one dollar up, six significant digits below; truncated, not rounded.
 */
export function formatUsd(usdWad: bigint): string {
  const text = formatUnits(usdWad, 18);
  const [whole = '0', fraction = ''] = text.split('.');
  if (whole !== '0' && whole !== '-0') return `${whole}.${fraction.slice(0, 2).padEnd(2, '0')}`;
  const lead = /^0*/.exec(fraction)?.[0].length ?? 0;
  return `${whole}.${fraction.slice(0, lead + 6).padEnd(2, '0')}`;
}

/** Bps for people: 125n → "1.25 %". */
export const formatBps = (bps: bigint): string => `${formatUnits(bps, 2)} %`;
