// Payment for a priced answer over x402: the payer signs an authorisation and a facilitator submits it, either to the
// token itself (EIP-3009) or, over B402, to Permit2, for which the payer has approved the token.

import type { Address, Hex } from './units.ts';

/** A JSON object whose shape another protocol defines. */
export type Json = Readonly<Record<string, unknown>>;

/** The contract that accepts an authorisation: the token (EIP-3009), or Permit2 under B402's name for it. */
export const paymentMethods = ['eip3009', 'permit2-exact'] as const;
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
    'The payment cannot be read: send the v2 payload of x402, with signature and authorization or permit2Authorization, in PAYMENT-SIGNATURE (HTTP) or x402/payment of _meta (MCP).',
  ],
  other_terms: ['payment_mismatch', 'The payment accepts other terms: sign exactly what PAYMENT-REQUIRED says.'],
  other_payee: ['payment_refused', 'The payment was not taken: the signed recipient is not payTo.'],
  other_amount: ['payment_refused', 'The payment was not taken: the signed amount is not the required amount.'],
  other_token: ['payment_refused', 'The payment was not taken: the signed token is not the required asset.'],
  not_valid_yet: ['payment_refused', 'The payment was not taken: its validAfter is in the future.'],
  // It may have paid long ago, for an answer that has been pruned.
  expired: [
    'payment_refused',
    'Nothing is taken now: the validBefore or deadline is past or less than a minute away, which work and settlement may take.',
  ],
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
    'The payment was not taken: its payer is a contract wallet, and this facilitator accepts those only through Permit2.',
  ],
  token_refuses: ['payment_refused', 'The payment was not taken: the token refuses it. The payer may lack the funds.'],
  facilitator_refuses: [
    'payment_refused',
    'The payment was not taken: the facilitator calls it invalid. The payer may lack the funds or the approval to Permit2, or the signature is wrong.',
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
    'Other payments of this payer are not settled yet, and this one was not tried. Send the same request again later.',
  agent_busy: 'Too many payments are not settled yet, and this one was not tried. Send the same request again later.',
  not_kept: 'The payment cannot be recorded now, and this one was not tried. Send the same request again later.',
  stopping: 'The agent is stopping, and this payment was not tried. Send the same request again in a few seconds.',
  unavailable: 'Payments are unavailable now, and this one was not tried. Send the same request again later.',
} as const;

export type PaymentDelay = keyof typeof paymentDelays;

/** A parsed payment. Nothing about it is verified. */
export interface Payment {
  /** Chain, the contract that counts nonces (the token, or Permit2), payer and nonce: that contract accepts each key once. */
  readonly key: string;
  /** All that is signed, and the signature: equal for every encoding of the same payment. */
  readonly id: string;
  readonly network: string;
  readonly method: PaymentMethod;
  /** The token, in lower case. */
  readonly asset: Address;
  readonly authorization: Authorization;
  readonly signature: Hex;
}

/** What is signed; addresses and nonce in lower case. */
export interface Authorization {
  readonly from: Address;
  readonly to: Address;
  /** Base units of the token. */
  readonly value: bigint;
  /** Unix seconds. From `validBefore` on, the authorization is permanently void. */
  readonly validAfter: bigint;
  readonly validBefore: bigint;
  /** 32 bytes. */
  readonly nonce: Hex;
  /** The only contract that may make Permit2 move the token. Absent for EIP-3009. */
  readonly spender?: Address | undefined;
}

/** The paid resource as shown to payers. */
export interface Resource {
  readonly url: string;
  readonly description: string;
  readonly mimeType: string;
}
