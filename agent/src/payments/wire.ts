import type { Hex } from '@bowline/core/domain/units';
import { address } from '@bowline/core/schemas';
import { z } from 'zod';

// The fields of x402's payloads, so that every way to write a value gives one value.

const lower = (text: string) => text.toLowerCase() as Hex;

export const lowerHex = (pattern: RegExp) => z.string().regex(pattern).transform(lower);
export const hexBytes = lowerHex(/^0x([0-9a-fA-F]{2})+$/);
export const lowerAddress = address.transform(lower);
export const uint256 = z
  .string()
  .regex(/^\d{1,78}$/)
  .transform(BigInt)
  .refine((value) => value < 2n ** 256n);
