import type { Priced, Reference } from '../domain/facts.ts';
import { sameAddress } from '../domain/same-address.ts';
import { mulDivDown, WAD } from '../domain/units.ts';
import { ageOf, ageOfBlock } from './ages.ts';
import { medianDown, quoteUsdWad } from './sources.ts';

/** A reference price, and whether its source is independent. */
export interface SourcedReference extends Reference {
  readonly independent: boolean;
}

/**
 * USD prices that do not come from the traded pool: the Chainlink feed, the Venus oracle, RedStone, Binance Oracle, Pyth,
 * and the exchange's mid-price, converted to USD by what its currency is worth. A price of zero, or a book whose bid
 * exceeds its ask, is dropped. Venus relays a feed: together with that feed it would count one source twice, and if its feed
 * is unknown, it may be the same one. Evidence names the asset's own feed for every feed of its operator. RedStone and
 * Binance Oracle may legitimately update rarely, and then do not count. Nor does Binance Oracle next to its exchange.
 */
export function references(proposal: Priced): SourcedReference[] {
  const { chain, exchange, pyth } = proposal;
  const found = [chain.chainlink, chain.venus, chain.redStone, chain.binanceOracle, pyth].filter(
    (reference) => reference !== undefined && reference !== 'off',
  );
  // An old price of its currency is still informative and is reported as old.
  const quoteUsd = quoteUsdWad(proposal) ?? chain.quoteToken?.usdWad;
  if (exchange !== undefined && exchange !== 'off' && quoteUsd !== undefined) {
    const { bidWad, askWad, answeredAt } = exchange;
    const usdWad = bidWad > askWad ? 0n : mulDivDown((bidWad + askWad) / 2n, quoteUsd, WAD);
    found.push({ source: 'exchange', usdWad, updatedAt: answeredAt });
  }
  const prices = found.filter(({ usdWad }) => usdWad > 0n);
  const own = prices.find(({ source }) => source === 'chainlink');
  const hasExchange = prices.some(({ source }) => source === 'exchange');
  return prices.map((each) => {
    const { source, feed } = each;
    const isRepeated =
      (source === 'venus' && own !== undefined && (feed === undefined || sameAddress(feed, own.feed))) ||
      (source === 'binance_oracle' && hasExchange);
    const isSeldom = source === 'redstone' || source === 'binance_oracle';
    return { ...each, independent: !isRepeated && (!isSeldom || ageOf(proposal, each)?.fresh === true) };
  });
}

/**
 * Whether a reference is current, with everything it rests on: the block and, for the exchange, a price of its currency.
 * Undefined if its time is unknown.
 */
export function isFresh(proposal: Priced, reference: Reference): boolean | undefined {
  const age = ageOf(proposal, reference);
  if (age === undefined) return undefined;
  const isConverted = reference.source !== 'exchange' || quoteUsdWad(proposal) !== undefined;
  return age.fresh && ageOfBlock(proposal).fresh && isConverted;
}

/** Value of one whole asset by its independent references. */
export const referenceUsdWad = (proposal: Priced): bigint | undefined =>
  medianDown(
    references(proposal)
      .filter(({ independent }) => independent)
      .map(({ usdWad }) => usdWad),
  );

/** Price of one whole asset in its pool, rounded down; undefined if the pool or its quote token has no price. */
export function poolUsdWad(proposal: Priced): bigint | undefined {
  const { spotWad } = proposal.chain;
  const quoteUsd = quoteUsdWad(proposal);
  return spotWad === undefined || quoteUsd === undefined ? undefined : mulDivDown(spotWad, quoteUsd, WAD);
}
