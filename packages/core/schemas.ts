import { z } from 'zod';
import { addressPattern, type HashText, readAddress } from './domain/address.ts';
import { reasonCodes } from './domain/reasons.ts';
import type { Address, Hex } from './domain/units.ts';
import { verdictCodes } from './domain/verdict.ts';

// Schemas of what crosses a boundary in more than one place. Amounts, prices and IDs are decimal text in JSON: a number
// would lose digits.

/** An address written by this project or another program, such as in an answer or a document. Letters in any case. */
export const address = z.string().regex(/^0x[0-9a-fA-F]{40}$/, 'must be an address: 0x and 40 hexadecimal digits');

/** The same, parsed to `Address`. */
export const writtenAddress = address.transform((text) => text as Address);

/** An address that a caller gives, read by `readAddress`: anything else is refused as `invalid_address`. */
export const addressInputBy = (hash: HashText) =>
  z
    .string()
    .meta({ pattern: addressPattern.source })
    .transform((text, context): Address => {
      const read = readAddress(text, hash);
      if (read.ok) return read.value;
      const { code, message } = read;
      context.addIssue({ code: 'custom', message, params: { code } });
      return z.NEVER;
    });

const idPattern = /^0x[0-9a-f]{64}$/i;

/** A market as its protocol identifies it: a contract's address, or an id of 32 bytes. */
export const marketInputBy = (hash: HashText) =>
  z
    .string()
    .meta({ pattern: `${addressPattern.source}|^0x[0-9a-fA-F]{64}$` })
    .transform((text, context): Hex => {
      if (idPattern.test(text.trim())) return text.trim().toLowerCase() as Hex;
      const read = addressInputBy(hash).safeParse(text);
      if (read.success) return read.data;
      for (const { message } of read.error.issues) {
        context.addIssue({ code: 'custom', message, params: { code: 'invalid_address' } });
      }
      return z.NEVER;
    });

/** Whether an input was refused because it is not an address. */
export const isOfAddress = ({ issues: [issue] }: z.ZodError): boolean =>
  issue?.code === 'custom' && issue.params?.code === 'invalid_address';

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
