import { grouped } from '@bowline/core/domain/readable';
import { formatUnits, parseUnits } from 'viem';
import { words } from './en/frame.ts';

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

/** All digits, with grouped thousands and no rounding. */
export const exactAmount = (amount: bigint, decimals: number): string => grouped(formatUnits(amount, decimals));

/** Cut towards zero for reading: two decimals from 1,000 on, otherwise six significant digits. */
export function shortAmount(amount: bigint, decimals: number): string {
  const sign = amount < 0n ? '-' : '';
  const [whole = '0', fraction = ''] = formatUnits(amount < 0n ? -amount : amount, decimals).split('.');
  const lead = whole === '0' ? (/^0*/.exec(fraction)?.[0].length ?? 0) : 0;
  const kept = whole.length > 3 ? 2 : lead + 6 - (whole === '0' ? 0 : whole.length);
  const cut = fraction.slice(0, kept).replace(/0+$/, '');
  return `${sign}${grouped(whole)}${cut === '' ? '' : `.${cut}`}`;
}

/** What somebody pays or owes, as {@link shortAmount} would show it, but rounded up: nobody is told less than it costs. */
export function shortCost(amount: bigint, decimals: number): string {
  const whole = amount / 10n ** BigInt(decimals);
  const kept = whole > 999n ? 2 : 6 - digits(whole === 0n ? amount : whole) + (whole === 0n ? decimals : 0);
  const unit = 10n ** BigInt(Math.max(0, decimals - kept));
  return shortAmount(((amount + unit - 1n) / unit) * unit, decimals);
}

const digits = (value: bigint): number => value.toString().length;

/** Dollars with 18 decimals, cut to cents; below a dollar, cut to four decimals, or to three digits if these are all zero. */
export function usd(wad: bigint): string {
  const sign = wad < 0n ? '-' : '';
  const [whole = '0', fraction = ''] = formatUnits(wad < 0n ? -wad : wad, 18).split('.');
  const zeros = /^0*/.exec(fraction)?.[0].length ?? 0;
  const small = zeros < 4 ? 4 : zeros + 3;
  return `${sign}$${grouped(whole)}.${fraction.slice(0, whole === '0' && wad !== 0n ? small : 2).padEnd(2, '0')}`;
}

/** What somebody owes, or a price down to which all is well, as {@link usd} but rounded up. */
export function usdUp(wad: bigint): string {
  const cut = wad >= 10n ** 18n ? 16 : wad >= 10n ** 14n ? 14 : Math.max(0, digits(wad) - 3);
  const unit = 10n ** BigInt(cut);
  return usd(((wad + unit - 1n) / unit) * unit);
}

/** Base units times a price of one whole unit, in USD with 18 decimals, rounded down. */
export const valueUsdWad = (amount: bigint, decimals: number, priceUsd: string): bigint =>
  (amount * parseUnits(priceUsd, 18)) / 10n ** BigInt(decimals);
