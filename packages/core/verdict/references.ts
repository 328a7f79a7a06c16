import type { Priced, Proposal, Reference } from '../domain/facts.ts';
import { sameAddress } from '../domain/same-address.ts';
import { mulDivDown, WAD } from '../domain/units.ts';
import type { DatedFact } from '../domain/verdict.ts';

/** A reference price, and whether its source is independent. */
export interface SourcedReference extends Reference {
  readonly independent: boolean;
}

/**
 * USD prices that do not come from the traded pool: the Chainlink feed, the Venus oracle, Pyth, and the exchange's
 * mid-price, converted from USDT to USD by USDT's own feed. A price of zero, or a book whose bid exceeds its ask, is
 * dropped. Venus relays a feed: beside that same feed it would count one source twice, and if its feed is unknown, it
 * may be the same one. Evidence names the asset's own feed for every feed of its operator.
 */
export function references(proposal: Priced): SourcedReference[] {
  const { chain, exchange, pyth } = proposal;
  const found = [chain.chainlink, chain.venus, pyth === 'off' ? undefined : pyth].filter(
    (reference) => reference !== undefined,
  );
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

const isOther = (feed: string | undefined, own: string | undefined): boolean =>
  feed !== undefined && !sameAddress(feed, own);

/** Sources that should have answered and did not. */
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

/** Median, or the mean of the two middle prices, rounded down; undefined if there are none. */
function medianDown(prices: readonly bigint[]): bigint | undefined {
  const sorted = prices.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  const upper = sorted[Math.floor(sorted.length / 2)];
  const lower = sorted[Math.floor((sorted.length - 1) / 2)];
  return upper === undefined || lower === undefined ? undefined : (upper + lower) / 2n;
}

/** Value of one whole asset by its independent references. */
export const referenceUsdWad = (proposal: Priced): bigint | undefined =>
  medianDown(
    references(proposal)
      .filter(({ independent }) => independent)
      .map(({ usdWad }) => usdWad),
  );

/** Price of one whole asset in its pool, rounded down; undefined if the pool or its quote token has no price. */
export const poolUsdWad = ({ spotWad, quoteToken }: Priced['chain']): bigint | undefined =>
  spotWad === undefined || quoteToken === undefined ? undefined : mulDivDown(spotWad, quoteToken.usdWad, WAD);

/** Source names within a sentence. */
export const inWords: Readonly<Record<Reference['source'], string>> = {
  chainlink: 'Chainlink',
  venus: 'Venus',
  exchange: 'the exchange',
  pyth: 'Pyth',
};

/** Age and maximum age in seconds. A negative age is in the future. */
export interface Age {
  readonly seconds: bigint;
  readonly limit: bigint;
  readonly fresh: boolean;
}

/**
 * On-chain facts are as of their block, so their ages are measured against it. A future time is no better than an old
 * one.
 */
const againstBlock = ({ chain }: Priced, updatedAt: bigint, limit: bigint): Age => {
  const seconds = chain.block.timestamp - updatedAt;
  return { seconds, limit, fresh: seconds >= 0n && seconds <= limit };
};

/** Another clock's time may be ahead of ours as much as behind it. */
const againstClock = ({ readAt }: Priced, stampedAt: bigint, limit: bigint): Age => {
  const seconds = readAt - stampedAt;
  return { seconds, limit, fresh: seconds >= -limit && seconds <= limit };
};

/** A stopped node still answers. */
export const ageOfBlock = (proposal: Priced): Age =>
  againstClock(proposal, proposal.chain.block.timestamp, proposal.limits.blockAgeSeconds);

/** Age of the quote token's price; undefined if it has none. */
export function ageOfQuoteToken(proposal: Priced): Age | undefined {
  const updatedAt = proposal.chain.quoteToken?.updatedAt;
  return updatedAt === undefined ? undefined : againstBlock(proposal, updatedAt, proposal.limits.quoteAgeSeconds);
}

/** Age of one reference alone; undefined if its time is unknown. */
export function ageOf(proposal: Priced, { source, updatedAt }: Reference): Age | undefined {
  if (updatedAt === undefined) return undefined;
  const { referenceAgeSeconds, exchangeAgeSeconds, pythAgeSeconds } = proposal.limits;
  if (source === 'exchange') return againstClock(proposal, updatedAt, exchangeAgeSeconds);
  if (source === 'pyth') return againstClock(proposal, updatedAt, pythAgeSeconds);
  return againstBlock(proposal, updatedAt, referenceAgeSeconds);
}

/**
 * Whether a reference is current, with everything it rests on: the block or, for the exchange, the feed that converts
 * its price to USD. Undefined if its time is unknown.
 */
export function isFresh(proposal: Priced, reference: Reference): boolean | undefined {
  const age = ageOf(proposal, reference);
  if (age === undefined) return undefined;
  const rest =
    reference.source === 'exchange' ? [ageOfQuoteToken(proposal), ageOfBlock(proposal)] : [ageOfBlock(proposal)];
  return [age, ...rest].every((each) => each?.fresh === true);
}

/**
 * Ages in seconds of the dated facts that are present: on-chain facts against their block, all others against the
 * clock.
 */
export function agesOf(proposal: Proposal, of: readonly DatedFact[]): Readonly<Partial<Record<DatedFact, bigint>>> {
  const { chain, exchange, pyth } = proposal;
  const ofReference = (reference: Reference | undefined) => reference && ageOf(proposal, reference)?.seconds;
  const ages: Readonly<Record<DatedFact, bigint | undefined>> = {
    block: ageOfBlock(proposal).seconds,
    chainlink: ofReference(chain.chainlink),
    quote_token: ageOfQuoteToken(proposal)?.seconds,
    venus: ofReference(chain.venus),
    exchange: exchange === undefined || exchange === 'off' ? undefined : proposal.readAt - exchange.answeredAt,
    pyth: pyth === 'off' ? undefined : ofReference(pyth),
  };
  return Object.fromEntries(of.map((name) => [name, ages[name]]).filter(([, age]) => age !== undefined));
}
