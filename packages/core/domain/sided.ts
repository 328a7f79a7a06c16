import { type Listed, pairingOf } from './route.ts';
import { type Address, largest, mulDivDown, mulDivUp, WAD } from './units.ts';

interface Token {
  readonly symbol: string;
  readonly decimals: number;
}

/** A plan's trade as people describe it: an asset is bought with, or sold for, the token that it is quoted in. */
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

/** Digits of a sale's price: the contract stores its inverse, so any further digits are not the price's. */
const DIGITS = 10;

/**
 * Converts base units of the quote per whole asset to the contract's price (base units paid per 1e18 received), and
 * back. `round` is the rounding.
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
 * Converts a contract's price to base units of the quote per whole asset. Rounded so that a purchase's price is never
 * shown too low, and a sale's is shown as it was typed.
 * @param isTrigger for a sale: whether it is the price to which the asset must have fallen.
 */
export function priceOf(wad: bigint, { asset, isSale }: Sided, isTrigger: boolean): bigint {
  const unit = 10n ** BigInt(asset.decimals);
  if (!isSale) return mulDivUp(wad, unit, WAD);
  const exact = (WAD * unit) / wad;
  const scale = largest([1n, 10n ** BigInt(Math.max(0, exact.toString().length - DIGITS))]);
  return (isTrigger ? mulDivUp(exact, 1n, scale) : exact / scale) * scale;
}

/**
 * What one whole asset cost or brought on average, rounded against its owner; undefined if nothing was traded.
 * @param decimals of the result; default: those of the quote.
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
