// Our own quotes, on chains without a market.

import type { Address, Hex } from './units.ts';

/** A quote as QuoteDesk redeems it; amounts in base units, times in unix seconds. */
interface DeskQuote {
  readonly buyer: Address;
  readonly tokenIn: Address;
  readonly amountIn: bigint;
  readonly tokenOut: Address;
  readonly amountOut: bigint;
  readonly nonce: bigint;
  readonly expiresAt: bigint;
}

export interface Desk {
  readonly address: Address;
  /** Amount of a token the desk can sell, in base units. Throws BowlineError `chain_unavailable` (retryable). */
  inventory(token: Address): Promise<bigint>;
  /** The maker's signature. */
  sign(quote: DeskQuote): Promise<Hex>;
  /** A nonce that no quote has used. */
  newNonce(): bigint;
}
