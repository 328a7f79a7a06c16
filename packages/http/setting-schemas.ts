import { parseUnitsDown } from '@bowline/core/domain/units';
import { z } from 'zod';
import { Secret } from './secret.ts';

// Schemas of a setting's text. A message continues a sentence that begins with the setting's name, and never repeats
// the value: it may be a secret in the wrong variable.

const secretSchemas = new WeakSet<z.ZodType>();

/** A value that must never be shown. */
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

/** An API key is sent in a header: a line break would inject another header. */
export const apiKey = z.string().regex(/^[\x21-\x7e]+$/, 'must be the key alone: printable ASCII without spaces');

export const wholeNumber = (min: number, max: number) =>
  z
    .string()
    .refine((text) => /^\d{1,15}$/.test(text) && Number(text) >= min && Number(text) <= max, {
      error: `must be a whole number from ${min} to ${max}`,
    })
    .transform(Number);

/** A decimal number of a unit, parsed to bigint with that many decimals. */
export const amount = (decimals: number, unit?: string) =>
  z.string().transform((text, context) => {
    const parsed = parseUnitsDown(text, decimals);
    if (parsed !== undefined) return parsed;
    const number = unit === undefined ? 'a number' : `a number of ${unit}`;
    context.addIssue({ code: 'custom', message: `must be ${number}, like 5 or 0.5` });
    return z.NEVER;
  });

/** Order of secp256k1. Private keys are below it. */
const curveOrder = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

// A library would quote the key it rejects.
export const privateKey = z
  .string()
  .regex(/^0x[0-9a-fA-F]{64}$/, { error: 'must be 0x and 64 hexadecimal digits', abort: true })
  .refine((key) => BigInt(key) > 0n && BigInt(key) < curveOrder, 'is not a valid secp256k1 private key');

/** Words separated by commas. */
export const words = (isWord: (word: string) => boolean, error: string) =>
  z
    .string()
    .transform((text) => text.split(',').map((word) => word.trim()))
    .refine((list) => list.every(isWord), error);

/** As written in a URL: lower case, IPv6 in brackets. */
const inUrl = (name: string) => (name.includes(':') && !name.startsWith('[') ? `[${name}]` : name).toLowerCase();

// Rejects near-addresses such as 300.1.1.1 and 1.2.3, which a URL refuses or reads as another address.
const isHost = (name: string) => /^[\w.:[\]-]+$/.test(name) && URL.parse(`http://${inUrl(name)}`)?.host === inUrl(name);

export const host = z.string().refine(isHost, 'must be a host name or an address');

export const hosts = words(
  (name) => name === '*' || isHost(name),
  'must be host names or addresses without a port, separated by commas, or *',
);

/** Host names accepted by a server that listens at `own`, in the form `onlyHosts` takes. */
export const allowedHosts = (own: string, others: readonly string[]): string[] =>
  [own, 'localhost', '127.0.0.1', '::1', ...others].map(inUrl);
