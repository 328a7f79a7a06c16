import { z } from 'zod';
import { reasonCodes } from './domain/reasons.ts';
import type { Address } from './domain/units.ts';
import { verdictCodes } from './domain/verdict.ts';

// Schemas of what crosses a boundary in more than one place. Amounts, prices and IDs are decimal text in JSON: a number
// would lose digits.

/** In any case: a checksum is not required. */
export const address = z.string().regex(/^0x[0-9a-fA-F]{40}$/, 'must be an address: 0x and 40 hexadecimal digits');

/** The same, parsed to `Address`. */
export const addressInput = address.transform((text) => text as Address);

/** Whole number as text. */
export const integer = z.string().regex(/^-?\d+$/);

const keys = <Key extends string>(record: Readonly<Record<Key, unknown>>) => Object.keys(record) as [Key, ...Key[]];

/** Reason of a finding or verdict; null for a pass and for GO. */
export const reason = z.enum(keys(reasonCodes)).nullable();

export const verdictOutput = {
  verdict: z.enum(keys(verdictCodes)),
  /** Reason of the deciding check; null for GO. */
  reason,
};
