import type { Asset, AssetClass } from '../domain/assets.ts';
import type { Limits } from '../domain/facts.ts';
import { limitsOf } from '../verdict/limits.ts';
import { feedMaxAgeSeconds } from './feeds.ts';
import { fittedLimits } from './fitted-limits.ts';

type ByClass = Readonly<Record<AssetClass, Limits>>;

/**
 * The limits of one asset: those of its class, with the ages of its own feeds and what its own history says of its moves.
 * @param byClass with an operator's own limits, which hold for every asset of the class.
 */
export function limitsOfAsset(asset: Asset, byClass: ByClass = limitsOf): Limits {
  const [own, project] = [byClass[asset.class], limitsOf[asset.class]];
  const known: Partial<Limits> = {
    ...ageOfFeed('referenceAgeSeconds', asset.symbol),
    ...ageOfFeed('quoteAgeSeconds', asset.pool?.quote),
    ...fittedLimits.get(asset.symbol),
  };
  const unchanged = Object.entries(known).filter(([name]) => {
    const limit = name as keyof Limits;
    return own[limit] === project[limit];
  });
  return { ...own, ...Object.fromEntries(unchanged) };
}

function ageOfFeed(limit: 'referenceAgeSeconds' | 'quoteAgeSeconds', symbol: string | undefined): Partial<Limits> {
  const seconds = symbol === undefined ? undefined : feedMaxAgeSeconds.get(symbol);
  return seconds === undefined ? {} : { [limit]: seconds };
}
