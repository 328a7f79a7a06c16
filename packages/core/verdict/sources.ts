import type { Limits, Priced, PriceSource, Reference, Side } from '../domain/facts.ts';
import { BPS, deviationBpsUp, largest, mulDivDown, mulDivUp, smallest, WAD } from '../domain/units.ts';
import { type Age, ageOf, ageOfQuote } from './ages.ts';

// The sources whose prices a verdict rests on. Each is operated by somebody else; one that only repeats another's feed is
// none of them.

/** The range in which a source puts the value of one whole coin. USD with 18 decimals. */
export interface Range {
  readonly lowUsdWad: bigint;
  readonly highUsdWad: bigint;
}

/**
 * Why a source does not count: it has not been asked or has no price of this coin, gives no usable price, gives one of
 * another or an unknown time, or is too unsure of it.
 */
export type Absence = 'off' | 'silent' | 'stale' | 'uncertain';

interface Named {
  readonly source: Exclude<PriceSource, 'venus'>;
}

export type Source = Named & (Counted | { readonly absent: Absence });
export type Counted = Named & { readonly range: Range };

/** What is priced, and the side of a trade if there is one. */
type Sided = Priced & { readonly side?: Side };

/** Of the asset, one of each operator: Chainlink, Binance, Pyth and, if Venus has it, RedStone. */
export const sourcesOf = (proposal: Sided): readonly Source[] => [
  { source: 'chainlink', ...ofFeed(proposal, proposal.chain.chainlink, ageOf) },
  ofBinance(proposal),
  { source: 'pyth', ...ofPyth(proposal, proposal.pyth, ageOf) },
  ...ofVenus('redstone', proposal, proposal.chain.redStone, ageOf),
];

/** Of the quote token. No exchange prices it in dollars. */
export const quoteSourcesOf = (proposal: Priced): readonly Source[] => [
  { source: 'chainlink', ...ofFeed(proposal, proposal.chain.quoteToken, ageOfQuote) },
  { source: 'pyth', ...ofPyth(proposal, proposal.quotePyth, ageOfQuote) },
  ...ofVenus('redstone', proposal, proposal.chain.quoteRedStone, ageOfQuote),
  ...ofVenus('binance_oracle', proposal, proposal.chain.quoteBinanceOracle, ageOfQuote),
];

export const isCounted = (source: Source): source is Counted => 'range' in source;

/** The sources that count: at most four. */
export const countedOf = (proposal: Sided): readonly Counted[] => sourcesOf(proposal).filter(isCounted);

type Standing = { readonly range: Range } | { readonly absent: Absence };
type AgeOf = (proposal: Priced, reference: Reference) => Age | undefined;

/** Empty if Venus has no such source of this coin. */
const ofVenus = (
  source: 'redstone' | 'binance_oracle',
  proposal: Priced,
  said: Reference | 'off' | undefined,
  age: AgeOf,
): Source[] => (said === 'off' ? [] : [{ source, ...ofFeed(proposal, said, age) }]);

function ofFeed(proposal: Priced, feed: Reference | undefined, age: AgeOf): Standing {
  if (feed === undefined || feed.usdWad <= 0n) return { absent: 'silent' };
  if (age(proposal, feed)?.fresh !== true) return { absent: 'stale' };
  return { range: { lowUsdWad: feed.usdWad, highUsdWad: feed.usdWad } };
}

/** Binance's word once: its exchange's, or its oracle's on the chain where that does not count. */
function ofBinance(proposal: Sided): Source {
  const exchange: Source = { source: 'exchange', ...ofExchange(proposal) };
  if (isCounted(exchange)) return exchange;
  const [oracle] = ofVenus('binance_oracle', proposal, proposal.chain.binanceOracle, ageOf);
  return oracle && (isCounted(oracle) || exchange.absent === 'off') ? oracle : exchange;
}

/** Bid and ask, converted to USD by what the currency that they are in is worth. */
function ofExchange(proposal: Sided): Standing {
  const { exchange, limits } = proposal;
  if (exchange === 'off') return { absent: 'off' };
  const { bidWad = 0n, askWad = 0n, answeredAt = 0n } = exchange ?? {};
  const usdWad = quoteUsdWad(proposal);
  if (bidWad <= 0n || bidWad > askWad || usdWad === undefined) return { absent: 'silent' };
  const age = ageOf(proposal, { source: 'exchange', usdWad: 0n, updatedAt: answeredAt });
  if (age?.fresh !== true) return { absent: 'stale' };
  return ranging(mulDivDown(bidWad, usdWad, WAD), mulDivUp(askWad, usdWad, WAD), limits);
}

/** The outer edges of Pyth's own confidence. */
function ofPyth(proposal: Priced, pyth: Reference | 'off' | undefined, age: AgeOf): Standing {
  if (pyth === 'off') return { absent: 'off' };
  if (pyth === undefined || pyth.usdWad <= 0n || pyth.confidenceWad === undefined) return { absent: 'silent' };
  if (age(proposal, pyth)?.fresh !== true) return { absent: 'stale' };
  const { usdWad, confidenceWad } = pyth;
  if (confidenceWad < 0n || confidenceWad >= usdWad) return { absent: 'uncertain' };
  return ranging(usdWad - confidenceWad, usdWad + confidenceWad, proposal.limits);
}

/** A source that is less sure than a trade may cost does not count: else its own doubt would refuse every trade. */
function ranging(lowUsdWad: bigint, highUsdWad: bigint, { costBps }: Limits): Standing {
  if (lowUsdWad <= 0n) return { absent: 'silent' };
  const halfWidthBps = mulDivUp(highUsdWad - lowUsdWad, BPS, highUsdWad + lowUsdWad);
  return halfWidthBps > costBps.caution ? { absent: 'uncertain' } : { range: { lowUsdWad, highUsdWad } };
}

/** In ascending order. */
const ascending = (values: readonly bigint[]): bigint[] => values.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0));

/**
 * Of values, the worst first: the second of three or more, else the first. As long as two are honest, it is no better than
 * one of them.
 */
const cautious = (worstFirst: readonly bigint[]): bigint | undefined => worstFirst[worstFirst.length > 2 ? 1 : 0];

/** What a trader who takes this side may count on: a buyer the low end of a source's range, a seller the high end. */
const edgeOf = ({ range }: Counted, side: Side): bigint => (side === 'buy' ? range.lowUsdWad : range.highUsdWad);

/** The value of one whole asset by which a trade is judged. Undefined with fewer than two sources. */
export function conservativeUsdWad(proposal: Priced, side: Side): bigint | undefined {
  const edges = ascending(countedOf({ ...proposal, side }).map((each) => edgeOf(each, side)));
  if (edges.length < quorum) return undefined;
  return cautious(side === 'buy' ? edges : edges.toReversed());
}

/**
 * The value of one whole quote token: for a trade as `conservativeUsdWad` of an asset, where a single source is enough;
 * without one the median. Undefined if no source counts.
 */
export function quoteUsdWad(proposal: Sided): bigint | undefined {
  const { side } = proposal;
  const sources = quoteSourcesOf(proposal).filter(isCounted);
  if (side === undefined) return medianDown(sources.map(middleOf));
  // A buyer pays with it, so that more is worse.
  const edges = ascending(sources.map((each) => edgeOf(each, side === 'buy' ? 'sell' : 'buy')));
  return cautious(side === 'buy' ? edges.toReversed() : edges);
}

/** The value by the source that is worst for the trader; undefined with none. */
export function worstUsdWad(proposal: Priced, side: Side): bigint | undefined {
  const edges = countedOf({ ...proposal, side }).map((each) => edgeOf(each, side));
  if (edges.length === 0) return undefined;
  return side === 'buy' ? smallest(edges) : largest(edges);
}

/** How many sources of the asset must count. */
export const quorum = 2;

/** The middle of a source's range, rounded down. */
export const middleOf = ({ range }: Counted): bigint => (range.lowUsdWad + range.highUsdWad) / 2n;

/** Median, or the mean of the two middle prices, rounded down; undefined if there are none. */
export function medianDown(prices: readonly bigint[]): bigint | undefined {
  const sorted = ascending(prices);
  const upper = sorted[Math.floor(sorted.length / 2)];
  const lower = sorted[Math.floor((sorted.length - 1) / 2)];
  return upper === undefined || lower === undefined ? undefined : (upper + lower) / 2n;
}

/** How far the sources that count are apart, in 1/10,000: the closest two, and all of them. Undefined with fewer than two. */
export function apartOf(proposal: Priced): { readonly closestBps: bigint; readonly widestBps: bigint } | undefined {
  const middles = countedOf(proposal).map(middleOf);
  const gaps = middles.flatMap((a, at) =>
    middles.slice(at + 1).map((b) => deviationBpsUp(largest([a, b]), smallest([a, b]))),
  );
  return gaps.length === 0 ? undefined : { closestBps: smallest(gaps), widestBps: largest(gaps) };
}
