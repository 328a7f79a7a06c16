// Quotes of our own, on chains without a market to trade on.

import type { Address, Hex } from './units.ts';

/** As QuoteDesk redeems it; amounts in base units, times in unix seconds. */
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
  /** What it could give of a token. Throws BowlineError `chain_unavailable` (retryable). */
  inventory(token: Address): Promise<bigint>;
  /** The maker's signature. */
  sign(quote: DeskQuote): Promise<Hex>;
  /** A number that no quote has had. */
  newNonce(): bigint;
}
