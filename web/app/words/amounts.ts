import { halfWidth, personsAmount } from '@bowline/core/domain/typed-amount';
import { exactAmount, shortAmount, shortCost } from '@bowline/core/texts/amounts';
import { parseUnits } from 'viem';
import { words } from './en/frame.ts';
import { partWords } from './en/parts.ts';

export { exactAmount, gainUsd, shortAmount, shortCost, usd, usdUp } from '@bowline/core/texts/amounts';

// Decimal text only at the edge; everything else uses bigint base units.

/** Formats base units of a token: rounded down, rounded up and exact. Without known decimals, only base units. */
export function moneyOf(token: { readonly symbol: string; readonly decimals: number | undefined } | undefined) {
  const by = (written: typeof shortAmount) => (base: bigint) =>
    token?.decimals === undefined ? partWords.units(base) : `${written(base, token.decimals)} ${token.symbol}`;
  return { amount: by(shortAmount), cost: by(shortCost), exact: by(exactAmount) };
}

export type Parsed = { readonly ok: true; readonly value: bigint } | { readonly ok: false; readonly why: string };

/**
 * Parses typed text to base units. Refuses what could be a thousand or one, and unintended digits beyond `decimals`.
 */
export function parseAmount(text: string, decimals: number): Parsed {
  const typed = text.trim();
  if (typed === '') return { ok: false, why: words.amounts.missing };
  if (/^[-+]/.test(typed)) return { ok: false, why: words.amounts.signed };
  const plain = personsAmount(typed);
  if (typeof plain !== 'string') return { ok: false, why: words.amounts.unclear(...plain) };
  if (!/^(\d+\.?\d*|\.\d+)$/.test(plain)) return { ok: false, why: words.amounts.noNumber };
  const fraction = plain.split('.')[1] ?? '';
  if (fraction.length > decimals) return { ok: false, why: words.amounts.tooFine(decimals) };
  const value = parseUnits(plain, decimals);
  if (value === 0n) return { ok: false, why: words.amounts.zero };
  return { ok: true, value };
}

/** Parses typed text to a whole number within bounds. */
export function parseWhole(text: string, least: bigint, most: bigint): Parsed {
  const typed = halfWidth(text.trim());
  if (!/^\d{1,12}$/.test(typed)) return { ok: false, why: words.amounts.notWhole };
  const value = BigInt(typed);
  if (value < least || value > most) return { ok: false, why: words.amounts.notBetween(least, most) };
  return { ok: true, value };
}
