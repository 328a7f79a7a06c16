import type { Priced, PriceSource, Reference, Side } from '../domain/facts.ts';
import { shortUnits } from '../domain/readable.ts';
import {
  ascending,
  BPS,
  descending,
  deviationBpsUp,
  largest,
  mulDivDown,
  mulDivUp,
  smallest,
  WAD,
} from '../domain/units.ts';
import { ageOf } from './ages.ts';

// The sources whose prices a verdict rests on. Each has a different operator; one that only repeats another's feed is
// not a source.

/** The range in which a source puts the value of one whole coin. USD with 18 decimals. */
interface Range {
  readonly lowUsdWad: bigint;
  readonly highUsdWad: bigint;
}

/** Why a source does not count, in words. `off`: it has not been asked, or has no price of this coin. */
const absences = {
  off: 'is not asked',
  silent: 'gives no price',
  stale: 'gives a price of another time',
  uncertain: 'is too unsure of its price',
} as const;
type Absence = keyof typeof absences;

type Standing = { readonly range: Range } | { readonly absent: Absence };
interface Named {
  readonly source: Exclude<PriceSource, 'venus'>;
}
type Counted = Named & { readonly range: Range };
export type Source = Named & Standing;

/** What is priced, and the side of a trade if there is one. */
type Sided = Priced & { readonly side?: Side };
type Coin = 'asset' | 'quote';

/** The asset's sources, one per operator: Chainlink, Binance, Pyth and, if Venus has it, RedStone. */
export const sourcesOf = (proposal: Sided): readonly Source[] => [
  sourceOf('chainlink', proposal, proposal.chain.chainlink, 'asset'),
  ofBinance(proposal),
  sourceOf('pyth', proposal, proposal.pyth, 'asset'),
  ...ofVenus('redstone', proposal, proposal.chain.redStone, 'asset'),
];

/** The quote token's sources. No exchange prices it in dollars. */
export const quoteSourcesOf = (proposal: Priced): readonly Source[] => [
  sourceOf('chainlink', proposal, proposal.chain.quoteToken, 'quote'),
  sourceOf('pyth', proposal, proposal.quotePyth, 'quote'),
  ...ofVenus('redstone', proposal, proposal.chain.quoteRedStone, 'quote'),
  ...ofVenus('binance_oracle', proposal, proposal.chain.quoteBinanceOracle, 'quote'),
];

export const isCounted = (source: Source): source is Counted => 'range' in source;

/** The sources that count: at most four. */
export const countedOf = (proposal: Sided): readonly Counted[] => sourcesOf(proposal).filter(isCounted);

type Said = Reference | 'off' | undefined;

/** Empty if Venus has no such source for this coin. */
const ofVenus = (source: Named['source'], proposal: Priced, said: Said, of: Coin): Source[] =>
  said === 'off' ? [] : [sourceOf(source, proposal, said, of)];

/** A price; for Pyth, the outer edges of its own confidence interval. */
function sourceOf(source: Named['source'], proposal: Priced, said: Said, of: Coin): Source {
  if (said === 'off') return { source, absent: 'off' };
  const confidenceWad = source === 'pyth' ? said?.confidenceWad : 0n;
  if (said === undefined || said.usdWad <= 0n || confidenceWad === undefined) return { source, absent: 'silent' };
  const { usdWad, updatedAt } = said;
  if (ageOf(proposal, { source, updatedAt }, of)?.fresh !== true) return { source, absent: 'stale' };
  if (confidenceWad < 0n || confidenceWad >= usdWad) return { source, absent: 'uncertain' };
  return { source, ...ranging(usdWad - confidenceWad, usdWad + confidenceWad, proposal) };
}

/** Binance counts once: by its exchange, or by its on-chain oracle if the exchange does not count. */
function ofBinance(proposal: Sided): Source {
  const exchange: Source = { source: 'exchange', ...ofExchange(proposal) };
  if (isCounted(exchange)) return exchange;
  const [oracle] = ofVenus('binance_oracle', proposal, proposal.chain.binanceOracle, 'asset');
  return oracle && (isCounted(oracle) || exchange.absent === 'off') ? oracle : exchange;
}

/** Bid and ask, converted to USD at the value of their currency. */
function ofExchange(proposal: Sided): Standing {
  const { exchange } = proposal;
  if (exchange === 'off') return { absent: 'off' };
  const { bidWad = 0n, askWad = 0n, answeredAt = 0n } = exchange ?? {};
  const usdWad = quoteUsdWad(proposal);
  if (bidWad <= 0n || bidWad > askWad || usdWad === undefined) return { absent: 'silent' };
  if (ageOf(proposal, { source: 'exchange', updatedAt: answeredAt })?.fresh !== true) return { absent: 'stale' };
  return ranging(mulDivDown(bidWad, usdWad, WAD), mulDivUp(askWad, usdWad, WAD), proposal);
}

/** A source less certain than a trade may cost does not count: its uncertainty alone would refuse every trade. */
function ranging(lowUsdWad: bigint, highUsdWad: bigint, { limits: { costBps } }: Priced): Standing {
  if (lowUsdWad <= 0n) return { absent: 'silent' };
  const halfWidthBps = mulDivUp(highUsdWad - lowUsdWad, BPS, highUsdWad + lowUsdWad);
  return halfWidthBps > costBps.caution ? { absent: 'uncertain' } : { range: { lowUsdWad, highUsdWad } };
}

/** Values that a trader on this side can rely on, worst first: low ends of ranges for a buyer, high for a seller. */
function worstFirst(sources: readonly Counted[], side: Side): bigint[] {
  if (side === 'buy') return sources.map(({ range }) => range.lowUsdWad).toSorted(ascending);
  return sources.map(({ range }) => range.highUsdWad).toSorted(descending);
}

/** The second worst of three or more, otherwise the worst. If two are honest, it is no better than one of them. */
const cautious = (edges: readonly bigint[]): bigint | undefined => edges[edges.length > 2 ? 1 : 0];

/** How many sources of the asset must count. */
export const quorum = 2;

/** The value of one whole asset by which a trade is judged. Undefined with fewer than two sources. */
export function conservativeUsdWad(proposal: Priced, side: Side): bigint | undefined {
  const edges = worstFirst(countedOf({ ...proposal, side }), side);
  return edges.length < quorum ? undefined : cautious(edges);
}

/** The value by the source that is worst for the trader; undefined with none. */
export const worstUsdWad = (proposal: Priced, side: Side): bigint | undefined =>
  worstFirst(countedOf({ ...proposal, side }), side)[0];

/**
 * The value of one whole quote token. For a trade: as `conservativeUsdWad` of an asset, but a single source is enough.
 * Without a trade: the median. Undefined if no source counts.
 */
export function quoteUsdWad(proposal: Sided): bigint | undefined {
  const sources = quoteSourcesOf(proposal).filter(isCounted);
  if (proposal.side === undefined) return medianDown(sources.map(middleOf));
  // A buyer pays with it, as a seller pays with the asset.
  return cautious(worstFirst(sources, proposal.side === 'buy' ? 'sell' : 'buy'));
}

/** The middle of a source's range, rounded down. */
export const middleOf = ({ range }: Counted): bigint => (range.lowUsdWad + range.highUsdWad) / 2n;

/** Median, or the mean of the two middle prices, rounded down; undefined if there are none. */
export function medianDown(prices: readonly bigint[]): bigint | undefined {
  const sorted = prices.toSorted(ascending);
  const upper = sorted[Math.floor(sorted.length / 2)];
  const lower = sorted[Math.floor((sorted.length - 1) / 2)];
  return upper === undefined || lower === undefined ? undefined : (upper + lower) / 2n;
}

/** How far the sources that count are apart, in 1/10,000; 0 with fewer than two. */
export function apartBps(proposal: Priced): bigint {
  const middles = countedOf(proposal).map(middleOf);
  return middles.length < 2 ? 0n : deviationBpsUp(largest(middles), smallest(middles));
}

/** Source names within a sentence. */
export const inWords: Readonly<Record<PriceSource, string>> = {
  chainlink: 'Chainlink',
  venus: 'Venus',
  redstone: 'RedStone',
  exchange: 'the exchange',
  binance_oracle: 'Binance Oracle',
  pyth: 'Pyth',
};

/** What each source says, or why it does not count. */
export const saying = (sources: readonly Source[]): string =>
  sources
    .map((each) => {
      const said = isCounted(each) ? `says ${shortUnits(middleOf(each), 18)} USD` : absences[each.absent];
      return `${inWords[each.source]} ${said}`;
    })
    .join(', ');

const reasons = { silent: 'reference_missing', stale: 'reference_stale', uncertain: 'reference_uncertain' } as const;

/** Why too few sources count. A source that failed explains more than one that nobody asked. */
export function causeOf(sources: readonly Source[]): (typeof reasons)[keyof typeof reasons] {
  const [cause = 'silent'] = sources.flatMap((each) => (isCounted(each) || each.absent === 'off' ? [] : [each.absent]));
  return reasons[cause];
}
