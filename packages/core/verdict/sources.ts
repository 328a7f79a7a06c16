import type { Priced, Side } from '../domain/facts.ts';
import { BPS, deviationBpsUp, largest, mulDivDown, mulDivUp, smallest, WAD } from '../domain/units.ts';
import { ageOf, ageOfQuoteToken } from './references.ts';

// The sources whose prices a verdict rests on. Each is operated by somebody else; one that only repeats another's feed is
// none of them.

/** The range in which a source puts the value of one whole asset. USD with 18 decimals. */
export interface Range {
  readonly lowUsdWad: bigint;
  readonly highUsdWad: bigint;
}

/**
 * Why a source does not count: it has not been asked, gives no usable price, gives one of another time, or is too unsure
 * of it.
 */
export type Absence = 'off' | 'silent' | 'stale' | 'uncertain';

interface Named {
  readonly source: 'chainlink' | 'exchange' | 'pyth';
}

export type Source = Named & (Counted | { readonly absent: Absence });
export type Counted = Named & { readonly range: Range };

/** Chainlink, the exchange and Pyth, in this order. */
export const sourcesOf = (proposal: Priced): readonly Source[] => [
  { source: 'chainlink', ...ofChainlink(proposal) },
  { source: 'exchange', ...ofExchange(proposal) },
  { source: 'pyth', ...ofPyth(proposal) },
];

/** The sources that count: at most three. */
export const countedOf = (proposal: Priced): readonly Counted[] =>
  sourcesOf(proposal).filter((each): each is Counted => 'range' in each);

type Standing = { readonly range: Range } | { readonly absent: Absence };

function ofChainlink(proposal: Priced): Standing {
  const { chainlink } = proposal.chain;
  if (chainlink === undefined || chainlink.usdWad <= 0n) return { absent: 'silent' };
  if (ageOf(proposal, chainlink)?.fresh !== true) return { absent: 'stale' };
  return ranging(chainlink.usdWad, chainlink.usdWad);
}

/** Bid and ask, converted to USD by the feed of the currency that they are in. */
function ofExchange(proposal: Priced): Standing {
  const { exchange, chain, limits } = proposal;
  if (exchange === 'off') return { absent: 'off' };
  const { bidWad = 0n, askWad = 0n, answeredAt = 0n } = exchange ?? {};
  const usdWad = chain.quoteToken?.usdWad ?? 0n;
  if (bidWad <= 0n || bidWad > askWad || usdWad <= 0n) return { absent: 'silent' };
  const age = ageOf(proposal, { source: 'exchange', usdWad: 0n, updatedAt: answeredAt });
  if (age?.fresh !== true || ageOfQuoteToken(proposal)?.fresh !== true) return { absent: 'stale' };
  if (deviationBpsUp(askWad, bidWad) > limits.spreadBps.noGo) return { absent: 'uncertain' };
  return ranging(mulDivDown(bidWad, usdWad, WAD), mulDivUp(askWad, usdWad, WAD));
}

/** The outer edges of Pyth's own confidence. */
function ofPyth(proposal: Priced): Standing {
  const { pyth, limits } = proposal;
  if (pyth === 'off') return { absent: 'off' };
  if (pyth === undefined || pyth.usdWad <= 0n || pyth.confidenceWad === undefined) return { absent: 'silent' };
  if (ageOf(proposal, pyth)?.fresh !== true) return { absent: 'stale' };
  const { usdWad, confidenceWad } = pyth;
  const isSure = confidenceWad >= 0n && mulDivUp(confidenceWad, BPS, usdWad) <= limits.confidenceBps.noGo;
  if (!isSure || confidenceWad >= usdWad) return { absent: 'uncertain' };
  return ranging(usdWad - confidenceWad, usdWad + confidenceWad);
}

const ranging = (lowUsdWad: bigint, highUsdWad: bigint): Standing =>
  lowUsdWad > 0n ? { range: { lowUsdWad, highUsdWad } } : { absent: 'silent' };

/** What a trader who takes this side may count on: a buyer the low end of a source's range, a seller the high end. */
const edgeOf = ({ range }: Counted, side: Side): bigint => (side === 'buy' ? range.lowUsdWad : range.highUsdWad);

/**
 * The value of one whole asset by which a trade is judged: the median of three sources, the worse of two for the trader.
 * As long as two sources are honest, it is no better for the trader than one of them. Undefined with fewer than two.
 */
export function conservativeUsdWad(proposal: Priced, side: Side): bigint | undefined {
  const edges = countedOf(proposal)
    .map((each) => edgeOf(each, side))
    .toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  if (edges.length < quorum) return undefined;
  if (edges.length === quorum) return side === 'buy' ? edges[0] : edges[1];
  return edges[1];
}

/** The value by the source that is worst for the trader; undefined with none. */
export function worstUsdWad(proposal: Priced, side: Side): bigint | undefined {
  const edges = countedOf(proposal).map((each) => edgeOf(each, side));
  if (edges.length === 0) return undefined;
  return side === 'buy' ? smallest(edges) : largest(edges);
}

/** How many sources must count. */
export const quorum = 2;

/** The middle of a source's range, rounded down. */
export const middleOf = ({ range }: Counted): bigint => (range.lowUsdWad + range.highUsdWad) / 2n;

/** How far the sources that count are apart, in 1/10,000: the closest two, and all of them. Undefined with fewer than two. */
export function apartOf(proposal: Priced): { readonly closestBps: bigint; readonly widestBps: bigint } | undefined {
  const middles = countedOf(proposal).map(middleOf);
  const gaps = middles.flatMap((a, at) =>
    middles.slice(at + 1).map((b) => deviationBpsUp(largest([a, b]), smallest([a, b]))),
  );
  return gaps.length === 0 ? undefined : { closestBps: smallest(gaps), widestBps: largest(gaps) };
}
