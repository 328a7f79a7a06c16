import { grouped } from '../domain/readable.ts';
import { averagePrice, type Sided } from '../domain/sided.ts';
import { formatUnits, largest, parseUnitsDown, WAD } from '../domain/units.ts';

// Amounts and money as page, answers, notices and command line show them to people. What somebody holds, pays or owes keeps its
// cents, whatever its size; a price or a measured amount in a verdict's statement has six significant digits (`short` in
// domain/readable.ts). Fields for programs carry all digits (`formatUnits`).

/** Sign, whole digits and decimals of decimal text. */
const partsOf = (decimal: string) => /^(-?)(\d+)\.?(\d*)$/.exec(decimal)?.slice(1) as [string, string, string];

/** Number of zeros at the beginning. */
const zerosOf = (fraction: string): number => fraction.search(/[^0]|$/);

/** All digits, with grouped thousands and no rounding. */
export const exactAmount = (amount: bigint, decimals: number): string => grouped(formatUnits(amount, decimals));

/** Cut towards zero for reading: two decimals from 1,000 on, otherwise six significant digits. */
export const shortAmount = (amount: bigint, decimals: number): string => shortDecimal(formatUnits(amount, decimals));

/** The same for decimal text. */
export function shortDecimal(decimal: string): string {
  const [sign, whole, fraction] = partsOf(decimal);
  const kept = whole.length > 3 ? 2 : 6 + (whole === '0' ? zerosOf(fraction) : -whole.length);
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
  const [sign, whole, fraction] = partsOf(formatUnits(wad, 18));
  const zeros = zerosOf(fraction);
  const small = zeros < 4 ? 4 : zeros + 3;
  return `${sign}$${grouped(whole)}.${fraction.slice(0, whole === '0' && wad !== 0n ? small : 2).padEnd(2, '0')}`;
}

/** What somebody owes, or the lowest price at which all is well, like {@link usd} but rounded up. */
export function usdUp(wad: bigint): string {
  const cut = wad >= WAD ? 16 : wad >= 10n ** 14n ? 14 : Math.max(0, digits(wad) - 3);
  const unit = 10n ** BigInt(cut);
  return usd(((wad + unit - 1n) / unit) * unit);
}

/** A hundredth of a cent: smaller gains and losses are the rounding of their own sums. */
const FINEST_WAD = WAD / 10_000n;

/** Gained or lost, with its sign: a gain cut as {@link usd}, a loss rounded up as {@link usdUp}. */
export const gainUsd = (wad: bigint): string =>
  wad < 0n ? `-${usdUp(largest([-wad, FINEST_WAD]))}` : `+${usd(wad < FINEST_WAD ? 0n : wad)}`;

/** Two decimals, cut: health is never shown better than it is. */
export function health(wad: bigint): string {
  if (wad >= 1_000n * WAD) return 'over 1,000';
  const [, whole, fraction] = partsOf(formatUnits(wad, 18));
  return `${whole}.${fraction.slice(0, 2).padEnd(2, '0')}`;
}

/** The same for a tool's decimal text. */
export const healthOf = (decimal: string): string => health(parseUnitsDown(decimal, 18) ?? 0n);

/** Bps with grouped thousands: 125n → "1.25 %". */
export const percent = (bps: bigint): string => `${exactAmount(bps, 2)} %`;

/** Enough for a price whose quote has few decimals. */
const PRICE_DECIMALS = 18;

/** "2,412.5 USDT": what one whole asset has cost or brought on average, rounded against its owner; undefined for none. */
export function averageText(paid: bigint, received: bigint, sided: Sided): string | undefined {
  const price = averagePrice(paid, received, sided, PRICE_DECIMALS);
  if (price === undefined) return undefined;
  return `${(sided.isSale ? shortAmount : shortCost)(price, PRICE_DECIMALS)} ${sided.quote.symbol}`;
}

/** "2,412.5 USDT/ETH"; "–" for none. @param price with its token. */
export const perAsset = (price: string | undefined, { asset }: Sided): string =>
  price === undefined ? '–' : `${price}/${asset.symbol}`;
