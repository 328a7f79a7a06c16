import { parseUnitsDown } from '@bowline/core/domain/units';
import { z } from 'zod';
import { Secret } from './secret.ts';

// What the text of a setting may be. A message continues the sentence that the setting's name begins, and never repeats
// the text: a secret may stand in the wrong variable.

const secretSchemas = new WeakSet<z.ZodType>();

/** A text that nobody may see. */
export function secret(text: z.ZodType<string>): z.ZodType<Secret> {
  const schema = text.transform((value) => new Secret(value));
  secretSchemas.add(schema);
  return schema;
}

export const isSecret = (schema: unknown): boolean =>
  schema instanceof z.ZodOptional ? isSecret(schema.unwrap()) : secretSchemas.has(schema as z.ZodType);

const isUrl = (text: string) => ['http:', 'https:'].includes(URL.parse(text)?.protocol ?? '');

export const url = z.string().refine(isUrl, 'must be an http or https URL');

export const urlOrOff = z
  .string()
  .refine((text) => text === 'off' || isUrl(text), 'must be an http or https URL, or off');

/** An API key is sent in a header: with a line break in it, two. */
export const apiKey = z.string().regex(/^[\x21-\x7e]+$/, 'must be the key alone: printable ASCII without spaces');

export const wholeNumber = (min: number, max: number) =>
  z
    .string()
    .refine((text) => /^\d{1,15}$/.test(text) && Number(text) >= min && Number(text) <= max, {
      error: `must be a whole number from ${min} to ${max}`,
    })
    .transform(Number);

/** A decimal number of a unit, as bigint with that many decimals. */
export const amount = (decimals: number, unit?: string) =>
  z.string().transform((text, context) => {
    const parsed = parseUnitsDown(text, decimals);
    if (parsed !== undefined) return parsed;
    const number = unit === undefined ? 'a number' : `a number of ${unit}`;
    context.addIssue({ code: 'custom', message: `must be ${number}, like 5 or 0.5` });
    return z.NEVER;
  });

/** Of secp256k1. Private keys lie below it. */
const curveOrder = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

// A library would quote the key that it refuses.
export const privateKey = z
  .string()
  .regex(/^0x[0-9a-fA-F]{64}$/, { error: 'must be 0x and 64 hexadecimal digits', abort: true })
  .refine((key) => BigInt(key) > 0n && BigInt(key) < curveOrder, 'is not a valid secp256k1 private key');

export const address = z.string().regex(/^0x[0-9a-fA-F]{40}$/, 'must be an address: 0x and 40 hexadecimal digits');

/** Words separated by commas. */
export const words = (isWord: (word: string) => boolean, error: string) =>
  z
    .string()
    .transform((text) => text.split(',').map((word) => word.trim()))
    .refine((list) => list.every(isWord), error);

/** As it stands in a URL: in lower case, an IPv6 address in brackets. */
const inUrl = (name: string) => (name.includes(':') && !name.startsWith('[') ? `[${name}]` : name).toLowerCase();

// What only looks like an address, as 300.1.1.1 and 1.2.3 do, is not a host in a URL, or is another one.
const isHost = (name: string) => /^[\w.:[\]-]+$/.test(name) && URL.parse(`http://${inUrl(name)}`)?.host === inUrl(name);

export const host = z.string().refine(isHost, 'must be a host name or an address');

export const hosts = words(
  (name) => name === '*' || isHost(name),
  'must be host names or addresses without a port, separated by commas, or *',
);

/** The names by which a server may be called that listens at `own`, as `onlyHosts` takes them. */
export const allowedHosts = (own: string, others: readonly string[]): string[] =>
  [own, 'localhost', '127.0.0.1', '::1', ...others].map(inUrl);
