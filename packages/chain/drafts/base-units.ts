import { parseUnits } from 'viem';

/**
 * Base units of decimal text: ('amountPerRun', '25.5', 6) → 25500000n.
 * @param name of the option, for the error.
 * @throws Error if it is zero, not plain decimal text, or has more decimals than the token: nothing is rounded.
 */
export function baseUnits(name: string, text: string, decimals: number): bigint {
  const match = /^\d+(?:\.(\d+))?$/.exec(text);
  if (match === null || (match[1] ?? '').length > decimals) {
    throw new Error(`${name} must be a number in decimal text, with at most ${decimals} decimals; it is "${text}".`);
  }
  const units = parseUnits(text, decimals);
  if (units === 0n) throw new Error(`${name} must be above zero.`);
  return units;
}
