import { z } from 'zod';
import type { Address } from '../domain/units.ts';

/**
 * Whether a text is an address with a valid checksum (EIP-55), like viem's `isAddress`. A parameter, because it hashes.
 */
export type IsAddress = (text: string) => boolean;

// Checksummed, so that a mistyped digit is found here rather than on chain.
export const addressBy = (isAddress: IsAddress) =>
  z.custom<Address>((value) => typeof value === 'string' && isAddress(value), 'is not a checksummed address');

/**
 * Parses a file's content with `schema`.
 * @param name file name for the error.
 * @throws an error with a one-line message that says what is malformed.
 */
export function parseData<Schema extends z.ZodType>(name: string, content: unknown, schema: Schema): z.output<Schema> {
  const parsed = schema.safeParse(content);
  if (parsed.success) return parsed.data;
  const wrong = parsed.error.issues.map(({ path, message }) => [path.join('.'), message].filter(Boolean).join(': '));
  throw new Error(`${name}: ${wrong.join('; ')}.`);
}
