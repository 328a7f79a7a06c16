import type { Authorization, Payment, PaymentTerms } from '@bowline/core/domain/payment';
import type { Address } from '@bowline/core/domain/units';
import { PERMIT2_ADDRESS, permit2WitnessTypes } from '@x402/evm';
import { getAddress, hashTypedData, numberToHex } from 'viem';
import { z } from 'zod';
import { lowerAddress, signature, uint256 } from './wire.ts';

// Payments by Permit2 (SignatureTransfer): a permit for one token and amount, to one spender, with the recipient bound to it. x402
// and B402 sign the same fields under the same names and differ in the spender alone.

export const permit2: Address = PERMIT2_ADDRESS;

const payloadSchema = z.object({
  permit2Authorization: z.object({
    permitted: z.object({ token: lowerAddress, amount: uint256 }),
    from: lowerAddress,
    spender: lowerAddress,
    nonce: uint256,
    deadline: uint256,
    witness: z.object({ to: lowerAddress, validAfter: uint256 }),
  }),
  signature,
});

/** Parses the scheme's part of an x402 payload; undefined if it is not a signed permit. */
export function readPermit(
  payload: unknown,
  { network, method }: Pick<PaymentTerms, 'network' | 'method'>,
): Payment | undefined {
  const { success, data } = payloadSchema.safeParse(payload);
  if (!success) return undefined;
  const { permit2Authorization: permit, signature } = data;
  const { permitted, from, spender, nonce, deadline, witness: bound } = permit;
  const digest = hashTypedData({
    // Without a version, as Permit2 has none.
    domain: { name: 'Permit2', chainId: Number(network.slice('eip155:'.length)), verifyingContract: permit2 },
    types: permit2WitnessTypes,
    primaryType: 'PermitWitnessTransferFrom',
    message: { permitted, spender, nonce, deadline, witness: bound },
  });
  const authorization: Authorization = {
    from,
    to: bound.to,
    value: permitted.amount,
    validAfter: bound.validAfter,
    // The second of the deadline is the last one in which Permit2 takes it.
    validBefore: deadline + 1n,
    nonce: numberToHex(nonce, { size: 32 }),
    spender,
  };
  // Permit2 counts an owner's nonces for all tokens together.
  const key = [network, permit2.toLowerCase(), from, authorization.nonce].join('/');
  return { key, id: `${digest}/${signature}`, method, asset: permitted.token, authorization, digest, signature };
}

/** The scheme's part of an x402 payload, rebuilt from the checked fields. */
export function writePermit({ asset, authorization, signature }: Payment): Record<string, unknown> {
  const { from, to, value, validAfter, validBefore, nonce, spender } = authorization;
  return {
    permit2Authorization: {
      permitted: { token: getAddress(asset), amount: value.toString() },
      from: getAddress(from),
      spender: getAddress(spender ?? permit2),
      nonce: BigInt(nonce).toString(),
      deadline: (validBefore - 1n).toString(),
      witness: { to: getAddress(to), validAfter: validAfter.toString() },
    },
    signature,
  };
}
