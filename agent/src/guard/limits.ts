import type { AssetClass } from '../domain/assets.ts';
import type { Limits } from '../domain/facts.ts';

/** What each class of asset is held to: docs/reasons.md shows them to people. */
export const limitsOf: Readonly<Record<AssetClass, Limits>> = {
  crypto: {
    referenceAgeSeconds: 300n,
    quoteAgeSeconds: 93_600n,
    blockAgeSeconds: 60n,
    exchangeAgeSeconds: 30n,
    spreadBps: { caution: 20n, noGo: 50n },
    referencesBps: { caution: 50n, noGo: 100n },
    poolBps: { caution: 50n, noGo: 100n },
    twapBps: { caution: 100n, noGo: 200n },
    impactBps: { caution: 50n, noGo: 100n },
    pegBps: { caution: 50n, noGo: 100n },
  },
  stable: {
    referenceAgeSeconds: 93_600n,
    quoteAgeSeconds: 93_600n,
    blockAgeSeconds: 60n,
    exchangeAgeSeconds: 30n,
    spreadBps: { caution: 5n, noGo: 20n },
    referencesBps: { caution: 20n, noGo: 50n },
    poolBps: { caution: 20n, noGo: 50n },
    twapBps: { caution: 20n, noGo: 50n },
    impactBps: { caution: 20n, noGo: 50n },
    pegBps: { caution: 50n, noGo: 100n },
  },
};
