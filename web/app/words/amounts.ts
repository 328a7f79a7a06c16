import { parseUnits } from 'viem';
import { words } from './en/frame.ts';

export { exactAmount, gainUsd, shortAmount, shortCost, usd, usdUp } from '@bowline/core/texts/amounts';

// Decimal text only at the edge; everything else uses bigint base units.

export type Parsed = { readonly ok: true; readonly value: bigint } | { readonly ok: false; readonly why: string };

/**
 * Parses typed text to base units. A comma is a decimal sign as a point is; both together are read by their groups of
 * three. Refuses what could be either, and digits beyond `decimals` instead of rounding: nobody intends them.
 */
export function parseAmount(text: string, decimals: number): Parsed {
  const typed = text.trim();
  if (typed === '') return { ok: false, why: words.amounts.missing };
  if (/^[-+]/.test(typed)) return { ok: false, why: words.amounts.signed };
  const [, whole, thousands] = /^([1-9]\d{0,2}),(\d{3})$/.exec(typed) ?? [];
  if (whole !== undefined) {
    return { ok: false, why: words.amounts.unclear(whole, thousands ?? '') };
  }
  const plain = withPoint(typed);
  if (!/^(\d+\.?\d*|\.\d+)$/.test(plain)) return { ok: false, why: words.amounts.noNumber };
  const fraction = plain.split('.')[1] ?? '';
  if (fraction.length > decimals) return { ok: false, why: words.amounts.tooFine(decimals) };
  const value = parseUnits(plain, decimals);
  if (value === 0n) return { ok: false, why: words.amounts.zero };
  return { ok: true, value };
}

const spellings = {
  /** 1,250.5 and 1,250,000 */
  byComma: /^\d{1,3}(,\d{3})+(\.\d*|(?<=,\d{3},\d{3}))$/,
  /** 1.250,5 */
  byPoint: /^\d{1,3}(\.\d{3})+(,\d*|(?<=\.\d{3}\.\d{3}))$/,
  /** 1 250,5, with a narrow or unbreakable space too */
  bySpace: /^\d{1,3}([ \u00a0\u202f]\d{3})+([.,]\d*)?$/,
};

function withPoint(typed: string): string {
  if (spellings.bySpace.test(typed)) return typed.replace(/[ \u00a0\u202f]/g, '').replace(',', '.');
  if (spellings.byComma.test(typed)) return typed.replaceAll(',', '');
  if (spellings.byPoint.test(typed)) return typed.replaceAll('.', '').replace(',', '.');
  return typed.replace(',', '.');
}

/** Parses typed text to a whole number within bounds. */
export function parseWhole(text: string, least: bigint, most: bigint): Parsed {
  const typed = text.trim();
  if (!/^\d{1,12}$/.test(typed)) return { ok: false, why: words.amounts.notWhole };
  const value = BigInt(typed);
  if (value < least || value > most) return { ok: false, why: words.amounts.notBetween(least, most) };
  return { ok: true, value };
}

/** Base units times a price of one whole unit, in USD with 18 decimals, rounded down. */
export const valueUsdWad = (amount: bigint, decimals: number, priceUsd: string): bigint =>
  (amount * parseUnits(priceUsd, 18)) / 10n ** BigInt(decimals);
