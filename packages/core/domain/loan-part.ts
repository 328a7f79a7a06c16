// What one market adds to a borrower's account.

import type { LoanPart } from './gap.ts';
import type { Hex } from './units.ts';

/**
 * What an account's collateral and debt in one market are worth, at any price of its token: US dollars with 18 decimals,
 * rounded as the protocol rounds. A price is that of 1e18 base units.
 */
export interface PricedPart {
  readonly market: Hex;
  /** The protocol's current price; zero if the protocol needs none. */
  readonly priceWad: bigint;
  /** Weighted by the liquidation threshold. */
  readonly weightedAt: (priceWad: bigint) => bigint;
  readonly debtAt: (priceWad: bigint) => bigint;
}

/** The same with current values, and amounts in base units of the market's token as the protocol last stored them. */
export interface Position extends LoanPart, PricedPart {
  readonly supplied: bigint;
  readonly debt: bigint;
}
