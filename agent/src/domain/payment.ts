// What a priced answer is paid with, over x402.

import type { Address } from './units.ts';

/** What one answer costs. */
export interface PaymentTerms {
  /** CAIP-2. */
  readonly network: `eip155:${number}`;
  readonly asset: Address;
  /** Base units of `asset`. */
  readonly amount: bigint;
  readonly payTo: Address;
}

/** What became of a signed payment. */
export type Taken =
  /** On chain. `receipt` is the value of the PAYMENT-RESPONSE header. */
  | { readonly state: 'paid'; readonly transaction: string; readonly receipt: string }
  /** Nothing was taken. */
  | { readonly state: 'refused'; readonly reason: PaymentRefusal }
  /** It may have been taken. The same payment may be sent again: it is taken once at most. */
  | { readonly state: 'unknown'; readonly transaction?: string };

export type PaymentRefusal = 'payment_malformed' | 'payment_mismatch' | 'payment_refused';

export interface PaymentRail {
  readonly terms: PaymentTerms;
  /** The value of the PAYMENT-REQUIRED header. Throws BowlineError `payment_unavailable` (retryable). */
  ask(refusal?: PaymentRefusal): Promise<string>;
  /**
   * Takes the payment that a PAYMENT-SIGNATURE header holds. `again`: an earlier try of this very payment ended unknown.
   * Throws BowlineError `payment_unavailable` (retryable) while nothing was tried.
   */
  take(signed: string, again: boolean): Promise<Taken>;
}
