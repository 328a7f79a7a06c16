// Payment for a priced answer over x402: an EIP-3009 authorisation that the payer signs and a facilitator submits.

import type { Address, Hex } from './units.ts';

/** A JSON object whose shape another protocol defines. */
export type Json = Readonly<Record<string, unknown>>;

/** Price of one answer and how to pay it. */
export interface PaymentTerms {
  /** CAIP-2 chain ID. */
  readonly network: `eip155:${number}`;
  readonly asset: Address;
  /** Base units of `asset`. */
  readonly amount: bigint;
  readonly payTo: Address;
}

/** Why a payment was refused: the error code, and a sentence limited to what was observed. */
export const paymentRefusals = {
  unreadable: [
    'payment_malformed',
    'The payment cannot be read: send the v2 payload of x402, with authorization and signature, in PAYMENT-SIGNATURE.',
  ],
  other_terms: ['payment_mismatch', 'The payment accepts other terms: sign exactly what PAYMENT-REQUIRED says.'],
  other_payee: ['payment_refused', 'The payment was not taken: authorization.to is not payTo.'],
  other_amount: ['payment_refused', 'The payment was not taken: authorization.value is not the amount.'],
  not_valid_yet: ['payment_refused', 'The payment was not taken: authorization.validAfter is in the future.'],
  expired: ['payment_refused', 'The payment was not taken: authorization.validBefore is past or only seconds away.'],
  valid_too_long: ['payment_refused', 'The payment was not taken: authorization.validBefore is over an hour away.'],
  bad_signature: [
    'payment_refused',
    'The payment was not taken: the signature is not one of authorization.from for this token on this chain, with a low s and v 27 or 28.',
  ],
  token_refuses: ['payment_refused', 'The payment was not taken: the token refuses it. The payer may lack the funds.'],
  facilitator_refuses: [
    'payment_refused',
    'The facilitator did not take the payment, and the chain does not show it used. It may be sent again.',
  ],
  cancelled: ['payment_refused', 'The payer has cancelled this authorization: nothing was charged.'],
  lapsed: [
    'payment_refused',
    'The authorization ran out, and the chain shows that it was not used: nothing was charged.',
  ],
  already_used: [
    'payment_already_used',
    'The chain shows that this authorization was used before, and no answer to it is kept here. Sign a new one.',
  ],
  used_elsewhere: [
    'payment_already_used',
    'The chain shows that this authorization was used without paying for an answer. Sign a new one.',
  ],
} as const;

export type PaymentRefusal = keyof typeof paymentRefusals;

/**
 * Why a payment was not attempted: the same request may be sent again later. The error code is `payment_unavailable`.
 */
export const paymentDelays = {
  payer_busy:
    'Other payments of this payer are still being taken, and this one was not tried. Send the same request again later.',
  earlier_payment_unknown:
    'It is not known yet whether an earlier payment of this payer went through, and this one was not tried. Send the earlier one again, or this one after a minute.',
  not_kept: 'The payment cannot be recorded now, and this one was not tried. Send the same request again later.',
  stopping: 'The agent is stopping, and this payment was not tried. Send the same request again in a few seconds.',
} as const;

export type PaymentDelay = keyof typeof paymentDelays;

/** A parsed payment that accepts the terms. Nothing else about it is verified. */
export interface Payment {
  /** Chain, token, payer and nonce; the token accepts each key once. */
  readonly key: string;
  /** Digest and signature: equal for every encoding of the same payment. */
  readonly id: string;
  readonly authorization: Authorization;
  /** EIP-712 digest that the payer signs. */
  readonly digest: Hex;
  readonly signature: Hex;
}

/** The token's arguments; addresses and nonce in lower case. */
export interface Authorization {
  readonly from: Address;
  readonly to: Address;
  /** Base units of the token. */
  readonly value: bigint;
  /** Unix seconds, both exclusive. */
  readonly validAfter: bigint;
  readonly validBefore: bigint;
  readonly nonce: Hex;
}

/** Outcome of a payment. */
export type Taken =
  /** On chain, proved by its receipt. `receipt` is x402's settlement response. */
  | { readonly state: 'paid'; readonly transaction: Hex; readonly receipt: Json }
  /** Not taken. Final, except for `facilitator_refuses`. */
  | { readonly state: 'refused'; readonly reason: PaymentRefusal }
  /** It may have been taken, or may be taken later; at most once. */
  | { readonly state: 'unknown'; readonly transaction?: Hex };

/** How far the search for a payment's proof has come. */
export interface Progress {
  /** Last block in which the authorisation is known to be unused. */
  readonly since: bigint;
  /** Transactions that the facilitator named. */
  readonly transactions: readonly Hex[];
}

/** A payment that the token accepts in a simulation. */
export interface Settlement {
  /**
   * Has the facilitator settle it and looks for the proof on chain. A later call looks first, and resubmits only after
   * some seconds.
   * @param onNamed awaited when the facilitator has named a transaction, before the search for the proof.
   */
  settle(onNamed?: () => Promise<void>): Promise<Taken>;
  /** Looks for the proof on chain without calling the facilitator. */
  look(): Promise<Taken>;
  progress(): Progress;
}

/** The paid resource as shown to payers. */
export interface Resource {
  readonly url: string;
  readonly description: string;
}

/** All methods throw BowlineError `payment_unavailable` (retryable) if nothing was attempted. */
export interface PaymentRail {
  readonly terms: PaymentTerms;
  /** What is to be paid, as x402's PaymentRequired. */
  ask(resource: Resource, refusal?: PaymentRefusal): Promise<Json>;
  /** Reads a decoded payload of x402, without asking anybody: a payment that is known already is answered by that alone. */
  read(payload: unknown): Payment | PaymentRefusal;
  /**
   * What is wrong with a new payment and the payload that it was read from; undefined if nothing. The signature of a contract wallet is checked on chain:
   * throws `rate_limited` (retryable) after too many of those.
   */
  check(payment: Payment, payload: unknown): Promise<PaymentRefusal | undefined>;
  /** Simulates a checked payment. */
  open(payment: Payment): Promise<Settlement | PaymentRefusal>;
  /** Continues with a payment that was opened before a restart. */
  resume(payment: Payment, progress: Progress): Settlement;
}
