import { averagePrice, type Sided } from '../domain/sided.ts';
import { shortAmount, shortCost } from './amounts.ts';

/** Enough for a price whose quote has few decimals. */
const DECIMALS = 18;

/** "2,412.5 USDT": what one whole asset has cost or brought on average, rounded against its owner; undefined for none. */
export function averageText(paid: bigint, received: bigint, sided: Sided): string | undefined {
  const price = averagePrice(paid, received, sided, DECIMALS);
  if (price === undefined) return undefined;
  return `${(sided.isSale ? shortAmount : shortCost)(price, DECIMALS)} ${sided.quote.symbol}`;
}

/** "2,412.5 USDT/ETH"; "–" for none. @param price with its token. */
export const perAsset = (price: string | undefined, { asset }: Sided): string =>
  price === undefined ? '–' : `${price}/${asset.symbol}`;
