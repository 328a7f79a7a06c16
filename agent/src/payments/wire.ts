import type { Hex } from '@bowline/core/domain/units';
import { address } from '@bowline/core/schemas';
import { parseErc6492Signature } from 'viem';
import { isErc6492Signature } from 'viem/utils';
import { z } from 'zod';

// The fields of x402's payloads, so that every way to write a value gives one value.

const lower = (text: string) => text.toLowerCase() as Hex;

export const lowerHex = (pattern: RegExp) => z.string().regex(pattern).transform(lower);
const hexBytes = lowerHex(/^0x([0-9a-fA-F]{2})+$/);
export const lowerAddress = address.transform(lower);
export const uint256 = z
  .string()
  .regex(/^\d{1,78}$/)
  .transform(BigInt)
  .refine((value) => value < 2n ** 256n);

/**
 * A signature; of a contract wallet that may not be deployed yet (ERC-6492), the one that the wallet takes: who settles needs no more of
 * a deployed one, and no other is taken.
 */
export const signature = hexBytes.transform((text, context): Hex => {
  try {
    const inner = parseErc6492Signature(text).signature;
    if (inner !== '0x' && !isErc6492Signature(inner)) return lower(inner);
  } catch {
    // As below.
  }
  context.addIssue('Not a signature.');
  return z.NEVER;
});

/** Whether the signature of a payload was in an envelope of ERC-6492. */
export function isWrapped(payload: unknown): boolean {
  const { success, data } = signed.safeParse(payload);
  return success && isErc6492Signature(data.payload.signature);
}

const signed = z.object({ payload: z.object({ signature: hexBytes }) });
