import { readFileSync } from 'node:fs';
import { isAddress } from 'viem';
import { z } from 'zod';
import type { Address } from '../domain/units.ts';

// Checksummed, so that a digit typed wrong is found here and not on the chain.
export const address = z.custom<Address>(
  (value) => typeof value === 'string' && isAddress(value, { strict: true }),
  'is no checksummed address',
);

/**
 * What a file of JSON says.
 * @param missing what to do where there is no such file.
 * @throws one line that says what is missing or malformed.
 */
export function parseBook<Schema extends z.ZodType>(
  name: string,
  file: URL,
  schema: Schema,
  missing = 'it belongs to this project, so that a part of it was lost',
): z.output<Schema> {
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(file, 'utf8'));
  } catch (cause) {
    const absent = (cause as NodeJS.ErrnoException).code === 'ENOENT';
    throw new Error(`${name} ${absent ? `is missing: ${missing}` : 'cannot be read as JSON'}.`, { cause });
  }
  const parsed = schema.safeParse(content);
  if (parsed.success) return parsed.data;
  const wrong = parsed.error.issues.map(({ path, message }) => [path.join('.'), message].filter(Boolean).join(': '));
  throw new Error(`${name}: ${wrong.join('; ')}.`);
}
