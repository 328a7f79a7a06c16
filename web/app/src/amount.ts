import { parseUnits } from 'viem';

export type Parsed = { readonly value: bigint } | { readonly problem: string };

/** What somebody typed as an amount of a token, in base units; or what is wrong with it. */
export function parseAmount(text: string, decimals: number, what = 'The amount'): Parsed {
  const plain = text.replaceAll(/[\s,_]/g, '');
  if (plain === '') return { problem: `${what} is missing.` };
  if (!/^\d{1,30}(\.\d+)?$/.test(plain)) return { problem: `${what} must be a number like 100 or 0.5.` };
  if ((plain.split('.')[1] ?? '').length > decimals) return { problem: `${what} has more than ${decimals} decimals.` };
  const value = parseUnits(plain, decimals);
  return value > 0n ? { value } : { problem: `${what} must be above 0.` };
}

/** Whole numbers in a range. */
export function parseCount(text: string, least: number, most: number, what: string): Parsed {
  const plain = text.replaceAll(/[\s,_]/g, '');
  const isCount = /^\d{1,10}$/.test(plain) && Number(plain) >= least && Number(plain) <= most;
  return isCount ? { value: BigInt(plain) } : { problem: `${what} must be a whole number from ${least} to ${most}.` };
}

export const problemsOf = (parsed: readonly Parsed[]): string[] =>
  parsed.flatMap((each) => ('problem' in each ? [each.problem] : []));

/** @throws when it is a problem: ask `problemsOf` first. */
export function baseUnitsOf(parsed: Parsed): bigint {
  if ('problem' in parsed) throw new Error(parsed.problem);
  return parsed.value;
}
