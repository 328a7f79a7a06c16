import type { Asset } from '../domain/assets.ts';
import type { Band, Limits } from '../domain/facts.ts';
import { limitsOf } from '../verdict/limits.ts';
import feeds from './feeds.json' with { type: 'json' };
import fitted from './limits.json' with { type: 'json' };

/** Maximum age of each asset's Chainlink feed, by symbol, as the deployed price sources have it. */
export const feedMaxAgeSeconds: ReadonlyMap<string, bigint> = new Map(
  Object.entries(feeds).map(([symbol, { maxAgeSeconds }]) => [symbol, BigInt(maxAgeSeconds)]),
);

const bandOf = ({ caution, noGo }: { readonly caution: number; readonly noGo: number }): Band => ({
  caution: BigInt(caution),
  noGo: BigInt(noGo),
});

/** Limits of each asset's own moves, by symbol, as `npm run lab -- fit` wrote them from its history. */
export const fittedLimits: ReadonlyMap<string, Pick<Limits, 'volatilityBps' | 'moveBps' | 'fittedHours'>> = new Map(
  Object.entries(fitted).map(([symbol, { volatilityBps, moveBps, hours }]) => [
    symbol,
    { volatilityBps: bandOf(volatilityBps), moveBps: bandOf(moveBps), fittedHours: BigInt(hours) },
  ]),
);

/** The limits of one asset: those of its class, with its own feeds' ages and the limits fitted to its own moves. */
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
