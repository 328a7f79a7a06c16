import { largest, mulDivDown, mulDivUp, WAD } from '@bowline/core/domain/units';
import { type Asset, payTokenOf } from '../api/settings.ts';

/** A plan's trade as people say it: an asset that is bought with what it is quoted in, or sold for that. */
export interface Sided {
  readonly asset: Asset;
  readonly quote: Asset;
  readonly isSale: boolean;
}

/** Two tokens that are not traded for each other here are shown as a purchase. */
export function sidedOf(assets: readonly Asset[], pay: Asset | undefined, buy: Asset | undefined): Sided | undefined {
  if (pay === undefined || buy === undefined) return undefined;
  const isSale = payTokenOf(assets, buy.symbol) !== pay && payTokenOf(assets, pay.symbol) === buy;
  return isSale ? { asset: pay, quote: buy, isSale } : { asset: buy, quote: pay, isSale };
}

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
