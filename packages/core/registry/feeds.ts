import limits from './feeds.json' with { type: 'json' };

/** Maximum age of each asset's Chainlink feed, by symbol, as the deployed price sources have it. */
export const feedMaxAgeSeconds: ReadonlyMap<string, bigint> = new Map(
  Object.entries(limits).map(([symbol, { maxAgeSeconds }]) => [symbol, BigInt(maxAgeSeconds)]),
);
