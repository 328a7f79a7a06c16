import type { Payment, PaymentRefusal, PaymentTerms } from '@bowline/core/domain/payment';
import type { Address } from '@bowline/core/domain/units';
import { type RecoveryIdType, recover } from 'tiny-secp256k1';
import { hashTypedData, hexToBytes } from 'viem';
import { z } from 'zod';
import { keccak256 } from '../process/hashing.ts';
import { readPermit } from './permit2-check.ts';
import { lowerAddress, lowerHex, signature, uint256 } from './wire.ts';

// Checks of a payment that need neither the chain nor the facilitator.

/** Name and version in the token's EIP-712 domain. */
export interface TokenDomain {
  readonly name: string;
  readonly version: string;
}

/** Minimum remaining validity: the facilitator has ten seconds to settle a payment. */
const MIN_SECONDS = 10n;

/**
 * Maximum remaining validity. Clients sign five minutes, B402's an hour, by their own clock; after an authorisation's end the
 * chain decides for good, so no payment stays open for longer.
 */
export const MAX_SECONDS = 4_200n;

const payloadSchema = z.object({
  authorization: z.object({
    from: lowerAddress,
    to: lowerAddress,
    value: uint256,
    validAfter: uint256,
    validBefore: uint256,
    nonce: lowerHex(/^0x[0-9a-fA-F]{64}$/),
  }),
  signature,
});

const types = {
  TransferWithAuthorization: [
    { name: 'from', type: 'address' },
    { name: 'to', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'validAfter', type: 'uint256' },
    { name: 'validBefore', type: 'uint256' },
    { name: 'nonce', type: 'bytes32' },
  ],
} as const;

/** What the signature covers of the terms, beside what is in the payload itself. */
export type SignedTerms = Pick<PaymentTerms, 'network' | 'method' | 'asset'>;

/** Parses the scheme's part of an x402 payload; undefined if it is not signed in the way that the terms name. */
export function readPayment(payload: unknown, terms: SignedTerms, token: TokenDomain): Payment | undefined {
  return terms.method === 'eip3009' ? readAuthorization(payload, terms, token) : readPermit(payload, terms);
}

function readAuthorization(
  payload: unknown,
  { network, method, asset }: SignedTerms,
  token: TokenDomain,
): Payment | undefined {
  const { success, data } = payloadSchema.safeParse(payload);
  if (!success) return undefined;
  const { authorization, signature } = data;
  const { from, nonce } = authorization;
  const verifyingContract = asset.toLowerCase() as Address;
  const chainId = Number(network.slice('eip155:'.length));
  const domain = { ...token, chainId, verifyingContract };
  const digest = hashTypedData({ domain, types, primaryType: 'TransferWithAuthorization', message: authorization });
  const key = [network, verifyingContract, from, nonce].join('/');
  return { key, id: `${digest}/${signature}`, method, asset: verifyingContract, authorization, digest, signature };
}

/** What is wrong with a payment's terms at a unix time in seconds; undefined if nothing. */
export function wrongTerms(
  { asset: signed, authorization }: Pick<Payment, 'asset' | 'authorization'>,
  { asset, payTo, amount }: PaymentTerms,
  now: bigint,
): PaymentRefusal | undefined {
  const { to, value, validAfter, validBefore } = authorization;
  if (signed !== asset.toLowerCase()) return 'other_token';
  if (to !== payTo.toLowerCase()) return 'other_payee';
  // Facilitators require equality, too: more than the amount is not an `exact` payment.
  if (value !== amount) return 'other_amount';
  if (validAfter > now) return 'not_valid_yet';
  if (validBefore <= now + MIN_SECONDS) return 'expired';
  if (validBefore > now + MAX_SECONDS) return 'valid_too_long';
  return undefined;
}

const halfCurveOrder = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n / 2n;

/**
 * Whether the payer's key signed it in the form tokens accept: 65 bytes, low s, v 27 or 28. By WebAssembly, in a quarter of
 * the time of viem's JavaScript: anybody can send forged payments, and each takes this long from all others.
 */
export function isSignedByKey({ authorization, digest, signature }: Payment): boolean {
  const [, s = '', v = ''] = /^0x[0-9a-f]{64}([0-9a-f]{64})(1b|1c)$/.exec(signature) ?? [];
  if (v === '' || BigInt(`0x${s}`) > halfCurveOrder) return false;
  try {
    const parity: RecoveryIdType = v === '1b' ? 0 : 1;
    const key = recover(hexToBytes(digest), hexToBytes(signature).subarray(0, 64), parity, false);
    return key !== null && `0x${keccak256(key.subarray(1)).slice(-40)}` === authorization.from;
  } catch {
    return false;
  }
}
