import type { Asset } from '../domain/assets.ts';
import type { Limits } from '../domain/facts.ts';
import { limitsOf } from '../verdict/limits.ts';
import { feedMaxAgeSeconds } from './feeds.ts';
import { fittedLimits } from './fitted-limits.ts';

/** The limits of one asset: those of its class, with the ages of its own feeds and what its own history says of its moves. */
export const limitsOfAsset = (asset: Asset): Limits => ({
  ...limitsOf[asset.class],
  ...ageOfFeed('referenceAgeSeconds', asset.symbol),
  ...ageOfFeed('quoteAgeSeconds', asset.pool?.quote),
  ...fittedLimits.get(asset.symbol),
});

function ageOfFeed(limit: 'referenceAgeSeconds' | 'quoteAgeSeconds', symbol: string | undefined): Partial<Limits> {
  const seconds = symbol === undefined ? undefined : feedMaxAgeSeconds.get(symbol);
  return seconds === undefined ? {} : { [limit]: seconds };
}
