import type { Priced, Reference } from '../domain/facts.ts';
import { mulDivDown, WAD } from '../domain/units.ts';

/** A reference price, and whether its source is an independent one. */
export interface SourcedReference extends Reference {
  readonly independent: boolean;
}

/**
 * The USD prices that do not come from the pool to be traded in: the Chainlink feed, the Venus oracle, Pyth, and the middle
 * of the exchange's book, brought from USDT to USD by USDT's own feed. A price of zero and a book whose bid lies above its
 * ask are none. What a feed and Pyth say of a share is brought to the token by its multiplier; without that they say
 * nothing of the token. Venus passes on what a feed says: beside that feed it would give one source two voices, and where it
 * is not known what it reads, that may be the same.
 */
export function references(proposal: Priced): SourcedReference[] {
  const { chain, exchange, pyth } = proposal;
  const found = [
    ofToken(proposal, chain.chainlink),
    chain.venus,
    ofToken(proposal, pyth === 'off' ? undefined : pyth),
  ].filter((reference) => reference !== undefined);
  if (exchange !== undefined && exchange !== 'off' && chain.quoteToken !== undefined) {
    const { bidWad, askWad, answeredAt } = exchange;
    const usdWad = bidWad > askWad ? 0n : mulDivDown((bidWad + askWad) / 2n, chain.quoteToken.usdWad, WAD);
    found.push({ source: 'exchange', usdWad, updatedAt: answeredAt });
  }
  const prices = found.filter(({ usdWad }) => usdWad > 0n);
  const own = prices.find(({ source }) => source === 'chainlink');
  return prices.map((each) => ({
    ...each,
    independent: each.source !== 'venus' || own === undefined || isOther(each.feed, own.feed),
  }));
}

/** A price of what the asset stands for, as one of the asset; rounded down. */
function ofToken({ asset, chain }: Priced, reference: Reference | undefined): Reference | undefined {
  if (asset.multiplier === undefined || reference === undefined) return reference;
  if (chain.multiplier === undefined) return undefined;
  return { ...reference, usdWad: mulDivDown(reference.usdWad, chain.multiplier.wad, WAD) };
}

const isOther = (feed: string | undefined, own: string | undefined): boolean =>
  feed !== undefined && feed.toLowerCase() !== own?.toLowerCase();

/** The sources that should have answered and did not. */
export function silentSources(proposal: Priced): Reference['source'][] {
  const expected: Reference['source'][] = [
    'chainlink',
    ...(proposal.asset.onVenus === false ? [] : ['venus' as const]),
    ...(proposal.exchange === 'off' ? [] : ['exchange' as const]),
    ...(proposal.pyth === 'off' ? [] : ['pyth' as const]),
  ];
  const answered = new Set(references(proposal).map(({ source }) => source));
  return expected.filter((source) => !answered.has(source));
}

/** The middle of the prices, or of the two in the middle, rounded down; undefined of none. */
function medianDown(prices: readonly bigint[]): bigint | undefined {
  const sorted = prices.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  const upper = sorted[Math.floor(sorted.length / 2)];
  const lower = sorted[Math.floor((sorted.length - 1) / 2)];
  return upper === undefined || lower === undefined ? undefined : (upper + lower) / 2n;
}

/** What one whole asset is worth by its independent references. */
export const referenceUsdWad = (proposal: Priced): bigint | undefined =>
  medianDown(
    references(proposal)
      .filter(({ independent }) => independent)
      .map(({ usdWad }) => usdWad),
  );

/** What one whole asset costs in its pool, rounded down; undefined where the pool has no price, or what it is in has none. */
export const poolUsdWad = ({ spotWad, quoteToken }: Priced['chain']): bigint | undefined =>
  spotWad === undefined || quoteToken === undefined ? undefined : mulDivDown(spotWad, quoteToken.usdWad, WAD);

/** In a sentence. */
export const inWords: Readonly<Record<Reference['source'], string>> = {
  chainlink: 'Chainlink',
  venus: 'Venus',
  exchange: 'the exchange',
  pyth: 'Pyth',
};
