// Payment for a priced answer over x402: an authorisation that the payer signs and a facilitator submits. The token itself takes
// it (EIP-3009), or Permit2 does, to which the payer has approved the token.

import type { Address, Hex } from './units.ts';

/** A JSON object whose shape another protocol defines. */
export type Json = Readonly<Record<string, unknown>>;

/** What takes an authorisation: the token (EIP-3009), or Permit2 by the name that x402 or B402 gives it. */
export const paymentMethods = ['eip3009', 'permit2', 'permit2-exact'] as const;
export type PaymentMethod = (typeof paymentMethods)[number];

/** Dollar stablecoins of BNB Chain that have no EIP-3009, by their name on chain. */
export const permit2Tokens = { USDT: 'Tether USD', USDC: 'USD Coin' } as const;
export type Permit2Token = keyof typeof permit2Tokens;
export const isPermit2Token = (symbol: string): symbol is Permit2Token => symbol in permit2Tokens;

/** Price of one answer in one token and how to pay it. */
export interface PaymentTerms {
  /** CAIP-2 chain ID. */
  readonly network: `eip155:${number}`;
  readonly method: PaymentMethod;
  readonly asset: Address;
  /** Base units of `asset`. */
  readonly amount: bigint;
  readonly payTo: Address;
}

/** Why a payment was refused: the error code, and a sentence limited to what was observed. */
export const paymentRefusals = {
  unreadable: [
    'payment_malformed',
    'The payment cannot be read: send the v2 payload of x402, with signature and authorization or permit2Authorization, in PAYMENT-SIGNATURE (HTTP), x402/payment of _meta (MCP) or x402.payment.payload (A2A).',
  ],
  other_terms: ['payment_mismatch', 'The payment accepts other terms: sign exactly what PAYMENT-REQUIRED says.'],
  other_payee: ['payment_refused', 'The payment was not taken: the recipient that is signed is not payTo.'],
  other_amount: ['payment_refused', 'The payment was not taken: the amount that is signed is not the amount asked.'],
  other_token: ['payment_refused', 'The payment was not taken: the token that is signed is not the asset.'],
  other_spender: [
    'payment_refused',
    'The payment was not taken: permit2Authorization.spender is not the contract that settles for this facilitator.',
  ],
  not_valid_yet: ['payment_refused', 'The payment was not taken: its validAfter is in the future.'],
  // It may have paid long ago, for an answer that is kept no more.
  expired: ['payment_refused', 'Nothing is taken now: the validBefore or deadline is past or only seconds away.'],
  valid_too_long: [
    'payment_refused',
    'The payment was not taken: its validBefore or deadline is over 70 minutes away.',
  ],
  bad_signature: [
    'payment_refused',
    'The payment was not taken: the signature is not one of its payer for this token on this chain, with a low s and v 27 or 28.',
  ],
  wallet_not_deployed: [
    'payment_refused',
    'The payment was not taken: its payer is a contract wallet that is not deployed (ERC-6492). Deploy it, then send the same payment again.',
  ],
  wallet_not_taken: [
    'payment_refused',
    'The payment was not taken: its payer is a contract wallet, and this facilitator takes those by Permit2 alone, with a signature of more than 65 bytes.',
  ],
  token_refuses: ['payment_refused', 'The payment was not taken: the token refuses it. The payer may lack the funds.'],
  not_approved: [
    'payment_refused',
    'The payment was not taken: its payer has not approved this amount to Permit2, 0x000000000022D473030F116dDEE9F6B43aC78BA3.',
  ],
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
  recalls_busy:
    'Too many payments of before a restore of this agent are being looked up, and this one was not tried. Send the same request again later.',
  not_kept: 'The payment cannot be recorded now, and this one was not tried. Send the same request again later.',
  stopping: 'The agent is stopping, and this payment was not tried. Send the same request again in a few seconds.',
} as const;

export type PaymentDelay = keyof typeof paymentDelays;

/** A parsed payment. Nothing about it is verified. */
export interface Payment {
  /** Chain, the contract that counts nonces (the token, or Permit2), payer and nonce: that contract accepts each key once. */
  readonly key: string;
  /** Digest and signature: equal for every encoding of the same payment. */
  readonly id: string;
  readonly method: PaymentMethod;
  /** The token, as signed; in lower case. */
  readonly asset: Address;
  readonly authorization: Authorization;
  /** EIP-712 digest that the payer signs. */
  readonly digest: Hex;
  readonly signature: Hex;
}

/** What is signed; addresses and nonce in lower case. */
export interface Authorization {
  readonly from: Address;
  readonly to: Address;
  /** Base units of the token. */
  readonly value: bigint;
  /** Unix seconds. From `validBefore` on it is void for ever. */
  readonly validAfter: bigint;
  readonly validBefore: bigint;
  /** 32 bytes. */
  readonly nonce: Hex;
  /** The one contract that may have Permit2 move the token. Absent for EIP-3009. */
  readonly spender?: Address | undefined;
}

/** Outcome of a payment. */
export type Taken =
  /** On chain, proved by its receipt. `receipt` is x402's settlement response. */
  | { readonly state: 'paid'; readonly transaction: Hex; readonly receipt: Json }
  /**
   * Not taken. `mayChange`: a reorganisation could still make it paid, or too few nodes say so. `facilitator_refuses` always may.
   * `isOver`: it is five minutes past its validity.
   */
  | { readonly state: 'refused'; readonly reason: PaymentRefusal; readonly mayChange?: true; readonly isOver?: true }
  /** It may have been taken, or may be taken later; at most once. `isOver`: the same, and nodes have shown no outcome. */
  | { readonly state: 'unknown'; readonly transaction?: Hex; readonly isOver?: true };

/** How far the search for a payment's proof has come. */
export interface Progress {
  /** The block in which the authorisation was unused when it was first seen. */
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
  /** What is to be paid, as x402's PaymentRequired. */
  ask(resource: Resource, refusal?: PaymentRefusal): Promise<Json>;
  /**
   * Reads a decoded payload of x402, without asking anybody: a payment that is known already is answered by that alone,
   * whatever is asked now.
   */
  read(payload: unknown): Payment | 'unreadable' | 'other_terms';
  /**
   * What is wrong with a new payment and the payload that it was read from; undefined if nothing. The signature of a contract wallet is checked on chain:
   * throws `rate_limited` (retryable) after too many of those.
   * @param mayBeOver its validity may have ended: it may have paid before.
   */
  check(payment: Payment, payload: unknown, mayBeOver?: boolean): Promise<PaymentRefusal | undefined>;
  /** Simulates a checked payment. */
  open(payment: Payment): Promise<Settlement | PaymentRefusal>;
  /** Continues with a payment that was opened before a restart. */
  resume(payment: Payment, progress: Progress): Settlement;
}
