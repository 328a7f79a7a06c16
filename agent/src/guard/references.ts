import type { Proposal, Reference } from '../domain/facts.ts';
import { mulDivDown, WAD } from '../domain/units.ts';

/**
 * The USD prices that do not come from the pool to be traded in: the Chainlink feed, the Venus oracle, and the middle of
 * the exchange's book, brought from USDT to USD by USDT's own feed.
 */
export function references({ chain, exchange }: Proposal): Reference[] {
  const found = [chain.chainlink, chain.venus].filter((reference) => reference !== undefined);
  if (exchange !== undefined && exchange !== 'off' && chain.quoteToken !== undefined) {
    const middleWad = (exchange.bidWad + exchange.askWad) / 2n;
    const usdWad = mulDivDown(middleWad, chain.quoteToken.usdWad, WAD);
    found.push({ source: 'exchange', usdWad, updatedAt: exchange.askedAt });
  }
  return found.filter(({ usdWad }) => usdWad > 0n);
}

/** The sources that should have answered and did not. */
export function silentSources(proposal: Proposal): Reference['source'][] {
  const expected: Reference['source'][] = [
    'chainlink',
    'venus',
    ...(proposal.exchange === 'off' ? [] : ['exchange' as const]),
  ];
  const answered = new Set(references(proposal).map(({ source }) => source));
  return expected.filter((source) => !answered.has(source));
}

/** The middle of the prices, or of the two in the middle, rounded down; undefined of none. */
export function medianDown(prices: readonly bigint[]): bigint | undefined {
  const sorted = prices.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  const upper = sorted[Math.floor(sorted.length / 2)];
  const lower = sorted[Math.floor((sorted.length - 1) / 2)];
  return upper === undefined || lower === undefined ? undefined : (upper + lower) / 2n;
}

/** What one whole asset is worth by its references. */
export const referenceUsdWad = (proposal: Proposal): bigint | undefined =>
  medianDown(references(proposal).map(({ usdWad }) => usdWad));
