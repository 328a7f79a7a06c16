import { z } from 'zod';
import type { Address } from '../domain/units.ts';

/** Whether a text is an address with its checksum (EIP-55), as viem's `isAddress` tells. A parameter, because it hashes. */
export type IsAddress = (text: string) => boolean;

// Checksummed, so that a digit typed wrong is found here and not on the chain.
export const addressBy = (isAddress: IsAddress) =>
  z.custom<Address>((value) => typeof value === 'string' && isAddress(value), 'is no checksummed address');

/**
 * Data of a file, as `schema` has it.
 * @param name of the file, for the error.
 * @throws one line that says what is malformed.
 */
export function parseData<Schema extends z.ZodType>(name: string, content: unknown, schema: Schema): z.output<Schema> {
  const parsed = schema.safeParse(content);
  if (parsed.success) return parsed.data;
  const wrong = parsed.error.issues.map(({ path, message }) => [path.join('.'), message].filter(Boolean).join(': '));
  throw new Error(`${name}: ${wrong.join('; ')}.`);
}
