import { formatUnits, parseUnits } from 'viem';

// Decimal text only at the edge; everything else uses bigint base units.

export type Parsed = { readonly ok: true; readonly value: bigint } | { readonly ok: false; readonly why: string };

/** Parses typed text to base units. Refuses digits beyond `decimals` instead of rounding: nobody intends them. */
export function parseAmount(text: string, decimals: number): Parsed {
  const typed = text.trim();
  if (typed === '') return { ok: false, why: 'Enter an amount.' };
  if (typed.includes(',')) return { ok: false, why: 'Use a point for decimals and no separators, like 1250.5.' };
  if (/^[-+]/.test(typed)) return { ok: false, why: 'Enter the amount without a sign.' };
  if (!/^(\d+\.?\d*|\.\d+)$/.test(typed))
    return { ok: false, why: 'That is no amount: use digits and one point, like 1250.5.' };
  const fraction = typed.split('.')[1] ?? '';
  if (fraction.length > decimals) return { ok: false, why: `At most ${decimals} digits after the point.` };
  const value = parseUnits(typed, decimals);
  if (value === 0n) return { ok: false, why: 'The amount must be above zero.' };
  return { ok: true, value };
}

/** Parses typed text to a whole number within bounds. */
export function parseWhole(text: string, least: bigint, most: bigint): Parsed {
  const typed = text.trim();
  if (!/^\d{1,12}$/.test(typed)) return { ok: false, why: 'Enter a whole number.' };
  const value = BigInt(typed);
  if (value < least || value > most) return { ok: false, why: `Enter a whole number from ${least} to ${most}.` };
  return { ok: true, value };
}

/** All digits, with grouped thousands and no rounding. */
export function exactAmount(amount: bigint, decimals: number): string {
  const [whole = '0', fraction] = formatUnits(amount, decimals).split('.');
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  return fraction === undefined ? grouped : `${grouped}.${fraction}`;
}

/** Cut towards zero for reading: two decimals from 1,000 on, otherwise six significant digits. */
export function shortAmount(amount: bigint, decimals: number): string {
  const sign = amount < 0n ? '-' : '';
  const [whole = '0', fraction = ''] = formatUnits(amount < 0n ? -amount : amount, decimals).split('.');
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  const lead = whole === '0' ? (/^0*/.exec(fraction)?.[0].length ?? 0) : 0;
  const kept = whole.length > 3 ? 2 : lead + 6 - (whole === '0' ? 0 : whole.length);
  const cut = fraction.slice(0, kept).replace(/0+$/, '');
  return `${sign}${grouped}${cut === '' ? '' : `.${cut}`}`;
}

/** Dollars with 18 decimals, cut to cents; below a dollar, cut to four decimals. */
export function usd(wad: bigint): string {
  const sign = wad < 0n ? '-' : '';
  const [whole = '0', fraction = ''] = formatUnits(wad < 0n ? -wad : wad, 18).split('.');
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  return `${sign}$${grouped}.${fraction.slice(0, whole === '0' && wad !== 0n ? 4 : 2).padEnd(2, '0')}`;
}

/** Base units times a price of one whole unit, in USD with 18 decimals, rounded down. */
export const valueUsdWad = (amount: bigint, decimals: number, priceUsd: string): bigint =>
  (amount * parseUnits(priceUsd, 18)) / 10n ** BigInt(decimals);
