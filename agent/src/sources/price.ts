import { type Asset, isTraded, quoteAssetOf } from '@bowline/core/domain/assets';
import type { Priced } from '@bowline/core/domain/facts';
import type { PriceReader } from '@bowline/core/domain/ports';
import { askPrices } from './off-chain.ts';
import type { Sources } from './propose.ts';

type PriceSources = Omit<Sources, 'chain' | 'calendars'> & { readonly chain: PriceReader };

/** Gathers what the price of an asset follows from, also of one that is not traded. Throws `chain_unavailable`. */
export async function priceOf(sources: PriceSources, asset: Asset): Promise<Priced> {
  const { assets, chain: reader, clock, limitsOf } = sources;
  const quoteAsset = isTraded(asset) ? quoteAssetOf(assets, asset) : undefined;
  const [chain, { ticker, pyth }] = await Promise.all([reader.price(asset, quoteAsset), askPrices(sources, asset)]);
  return {
    ...{ asset, readAt: clock(), chain, limits: limitsOf(asset) },
    ...(ticker && { exchange: ticker }),
    ...(pyth && { pyth }),
  };
}
