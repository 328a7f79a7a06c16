import { type Listed, pairingOf } from './route.ts';
import { type Address, largest, mulDivDown, mulDivUp, WAD } from './units.ts';

interface Token {
  readonly symbol: string;
  readonly decimals: number;
}

/** A plan's trade as people say it: an asset that is bought with what it is quoted in, or sold for that. */
export interface Sided<Each extends Token = Token> {
  readonly asset: Each;
  readonly quote: Each;
  readonly isSale: boolean;
}

/** Two tokens that are not traded for each other here are shown as a purchase. */
export const isSaleOf = (
  assets: readonly Listed[],
  { tokenIn, tokenOut }: { readonly tokenIn: Address; readonly tokenOut: Address },
): boolean => pairingOf(assets, tokenIn, tokenOut)?.side === 'sell';

export const sidedOf = <Each extends Token>(isSale: boolean, pay: Each, buy: Each): Sided<Each> =>
  isSale ? { asset: pay, quote: buy, isSale } : { asset: buy, quote: pay, isSale };

/** What is paid, and what is received. */
export const tradedOf = <Each extends Token>({ asset, quote, isSale }: Sided<Each>) =>
  isSale ? { pay: asset, buy: quote } : { pay: quote, buy: asset };

/** Digits of a sale's price: the contract keeps its inverse, so the last digits are not the price's. */
const DIGITS = 10;

/**
 * The contract's price (base units paid per 1e18 received) of base units of the quote for one whole asset, and back.
 * Rounded as named.
 */
const converted = (price: bigint, { asset, isSale }: Sided, round: typeof mulDivDown): bigint => {
  const unit = 10n ** BigInt(asset.decimals);
  return isSale ? round(WAD, unit, price) : round(price, WAD, unit);
};

/** Rounded down, which is stricter for a limit. */
export const limitOf = (price: bigint, sided: Sided): bigint => converted(price, sided, mulDivDown);
/** Rounded up: never too early. */
export const triggerOf = (price: bigint, sided: Sided): bigint => converted(price, sided, mulDivUp);

/**
 * A contract's price in base units of the quote for one whole asset, rounded so that what is shown of a purchase is never too
 * low, and of a sale as it was typed.
 * @param isTrigger of a sale: the price that it must have fallen to.
 */
export function priceOf(wad: bigint, { asset, isSale }: Sided, isTrigger: boolean): bigint {
  const unit = 10n ** BigInt(asset.decimals);
  if (!isSale) return mulDivUp(wad, unit, WAD);
  const exact = (WAD * unit) / wad;
  const scale = largest([1n, 10n ** BigInt(Math.max(0, exact.toString().length - DIGITS))]);
  return (isTrigger ? mulDivUp(exact, 1n, scale) : exact / scale) * scale;
}

/**
 * What one whole asset has cost or brought on average, rounded against its owner; undefined if nothing was traded.
 * @param decimals of the answer; the quote's own if not given.
 */
export function averagePrice(
  paid: bigint,
  received: bigint,
  { asset, quote, isSale }: Sided,
  decimals: number = quote.decimals,
): bigint | undefined {
  if (paid === 0n || received === 0n) return undefined;
  const [assets, money] = isSale ? [paid, received] : [received, paid];
  const [unit, of] = [10n ** BigInt(asset.decimals + decimals), 10n ** BigInt(quote.decimals)];
  return (isSale ? mulDivDown : mulDivUp)(money, unit, assets * of);
}
