import { canonicalJson } from '@bowline/core/domain/evidence';
import type { Payment, PaymentRefusal, PaymentTerms } from '@bowline/core/domain/payment';
import type { Hex } from '@bowline/core/domain/units';
import { address } from '@bowline/core/schemas';
import { authorizationTypes } from '@x402/evm';
import { getAddress, hashTypedData, hexToBytes, numberToHex, parseErc6492Signature } from 'viem';
import { isErc6492Signature } from 'viem/utils';
import { z } from 'zod';
import { signatureHashing } from '../../process/hashing.ts';

// A payment as it arrives, and the checks that need no request.

/** Price of one answer in one token, and the token's EIP-712 domain. No two offers have the same token. */
export interface Offer extends PaymentTerms {
  readonly token: { readonly name: string; readonly version: string };
}

/** Minimum remaining validity: it must cover the work and its settlement. */
const MIN_SECONDS = 60n;

/**
 * Maximum remaining validity. Clients sign for five minutes, B402's for an hour, by their own clock. After an
 * authorisation ends, the chain's state is final, so no payment stays open for longer.
 */
const MAX_SECONDS = 4_200n;

const lower = (text: string) => text.toLowerCase() as Hex;
const lowerHex = (pattern: RegExp) => z.string().regex(pattern).transform(lower);
const lowerAddress = address.transform(lower);
const hexBytes = lowerHex(/^0x([0-9a-fA-F]{2})+$/);
const uint256 = z
  .string()
  .regex(/^\d{1,78}$/)
  .transform(BigInt)
  .refine((value) => value < 2n ** 256n);

/** Unwraps the ERC-6492 envelope of a contract wallet that may not be deployed. */
const signature = hexBytes.transform((text, context): Hex => {
  try {
    const inner = parseErc6492Signature(text).signature;
    if (inner !== '0x' && !isErc6492Signature(inner)) return lower(inner);
  } catch {
    // As below.
  }
  context.addIssue('Not a signature.');
  return z.NEVER;
});

const accepted = z.object({
  network: z.string().max(40),
  asset: lowerAddress,
  amount: z.string(),
  payTo: lowerAddress,
});

const authorised = z.object({
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

/** A permit of B402. Permit2 counts an owner's nonces for all tokens together. */
const permitted = z
  .object({
    permit2Authorization: z.object({
      permitted: z.object({ token: lowerAddress, amount: uint256 }),
      from: lowerAddress,
      spender: lowerAddress,
      nonce: uint256,
      deadline: uint256,
      witness: z.object({ to: lowerAddress, validAfter: uint256 }),
    }),
    signature,
  })
  .transform(
    ({ permit2Authorization: { permitted: moved, from, spender, nonce, deadline, witness: bound }, ...rest }) => ({
      ...rest,
      asset: moved.token,
      authorization: {
        ...{ from, to: bound.to, value: moved.amount, validAfter: bound.validAfter, spender },
        // Permit2 still accepts a permit in the second of its deadline.
        validBefore: deadline + 1n,
        nonce: numberToHex(nonce, { size: 32 }),
      },
    }),
  );

const envelope = z.object({ x402Version: z.literal(2), payload: z.unknown(), accepted: z.unknown().optional() });

/**
 * Reads an x402 v2 payload by what it signs, whatever the current terms: an answer paid for at other terms still
 * belongs to its payer.
 */
export function readPayment(payload: unknown): Payment | 'unreadable' | 'other_terms' {
  const { data } = envelope.safeParse(payload);
  if (data === undefined) return 'unreadable';
  const { data: terms } = accepted.safeParse(data.accepted);
  if (terms === undefined) return 'other_terms';
  const permit = permitted.safeParse(data.payload).data;
  const read = permit ?? authorised.safeParse(data.payload).data;
  if (read === undefined) return 'unreadable';
  const { authorization, signature: by } = read;
  const signed = {
    network: terms.network,
    method: permit ? 'permit2-exact' : 'eip3009',
    asset: permit?.asset ?? terms.asset,
    authorization,
    signature: by,
  } as const;
  const counter = permit ? 'permit2' : terms.asset;
  const key = [terms.network, counter, authorization.from, authorization.nonce].join('/');
  return { key, id: canonicalJson(signed), ...signed };
}

/** The scheme's part of a payload, rebuilt from the checked fields: nothing unchecked reaches a facilitator. */
export function writePayload({ method, asset, authorization, signature: by }: Payment): Record<string, unknown> {
  const { from, to, value, validAfter, validBefore, nonce, spender = asset } = authorization;
  const [amount, after] = [value.toString(), validAfter.toString()];
  if (method === 'eip3009') {
    const terms = { from: getAddress(from), to: getAddress(to), value: amount, validAfter: after };
    return { authorization: { ...terms, validBefore: validBefore.toString(), nonce }, signature: by };
  }
  return {
    permit2Authorization: {
      permitted: { token: getAddress(asset), amount },
      from: getAddress(from),
      spender: getAddress(spender),
      nonce: BigInt(nonce).toString(),
      deadline: (validBefore - 1n).toString(),
      witness: { to: getAddress(to), validAfter: after },
    },
    signature: by,
  };
}

/** What is wrong with a payment's terms at a unix time in seconds; undefined if nothing. */
export function wrongTerms(
  { method, asset: signed, authorization }: Payment,
  { method: asked, asset, payTo, amount }: PaymentTerms,
  now: bigint,
): PaymentRefusal | undefined {
  const { to, value, validAfter, validBefore } = authorization;
  if (method !== asked) return 'other_terms';
  if (signed !== lower(asset)) return 'other_token';
  if (to !== lower(payTo)) return 'other_payee';
  // Facilitators also require equality: more than the amount is not an `exact` payment.
  if (value !== amount) return 'other_amount';
  if (validAfter > now) return 'not_valid_yet';
  if (validBefore <= now + MIN_SECONDS) return 'expired';
  if (validBefore > now + MAX_SECONDS) return 'valid_too_long';
  return undefined;
}

/** What the payer signs by EIP-3009. */
export const digestOf = ({ authorization }: Payment, { network, asset, token }: Offer): Hex =>
  hashTypedData({
    domain: { ...token, chainId: Number(network.slice('eip155:'.length)), verifyingContract: asset },
    types: authorizationTypes,
    primaryType: 'TransferWithAuthorization',
    message: authorization,
  });

const halfCurveOrder = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n / 2n;

/** Whether the payer's key signed it in the form tokens accept: 65 bytes, low s, v 27 or 28. */
export async function isSignedByKey({ authorization, signature: by }: Payment, digest: Hex): Promise<boolean> {
  const [, s = '', v = ''] = /^0x[0-9a-f]{64}([0-9a-f]{64})(1b|1c)$/.exec(by) ?? [];
  if (v === '' || BigInt(`0x${s}`) > halfCurveOrder) return false;
  const signed = hexToBytes(by.replace(/..$/, v === '1b' ? '00' : '01') as Hex);
  const signer = await signatureHashing.recover(hexToBytes(digest), signed).catch(() => undefined);
  return signer === authorization.from;
}

/** Whether the signature of a payload came in an envelope of ERC-6492. */
export function isWrapped(payload: unknown): boolean {
  const { data } = z.object({ payload: z.object({ signature: hexBytes }) }).safeParse(payload);
  return data !== undefined && isErc6492Signature(data.payload.signature);
}
