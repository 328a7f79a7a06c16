import { type Address, parseUnitsDown } from '@bowline/core/domain/units';
import { z } from 'zod';
import { addressOf } from './addresses.ts';
import { Secret } from './secret.ts';

// Schemas of a setting's text. A message continues a sentence that begins with the setting's name, and never repeats
// the value: it may be a secret in the wrong variable.

/** How many values a secret setting takes. */
const secretSchemas = new WeakMap<z.ZodType, 'one' | 'several'>();

/** A value that must never be shown. */
export const secret = (text: z.ZodType<string>): z.ZodType<Secret> =>
  keepSecret(text.transform((value) => new Secret(value)));

export function keepSecret<Schema extends z.ZodType>(schema: Schema, count: 'one' | 'several' = 'one'): Schema {
  secretSchemas.set(schema, count);
  return schema;
}

const secretCount = (schema: unknown): 'one' | 'several' | undefined =>
  schema instanceof z.ZodOptional ? secretCount(schema.unwrap()) : secretSchemas.get(schema as z.ZodType);

export const isSecret = (schema: unknown): boolean => secretCount(schema) !== undefined;

/** Whether a secret setting takes values separated by commas. */
export const isSecretList = (schema: unknown): boolean => secretCount(schema) === 'several';

/** Comma-separated values, all of them secret. */
export const secrets = (text: z.ZodType<string>, error: string): z.ZodType<readonly Secret[]> =>
  keepSecret(
    z
      .string()
      .transform((list) => list.split(',').map((each) => each.trim()))
      .refine((list) => list.every((each) => text.safeParse(each).success), error)
      .refine((list) => new Set(list).size === list.length, 'must not name the same twice')
      .transform((list) => list.map((each) => new Secret(each))),
    'several',
  );

const isUrl = (text: string) => ['http:', 'https:'].includes(URL.parse(text)?.protocol ?? '');

export const url = z.string().refine(isUrl, 'must be an http or https URL');

/** For nodes: WebSockets announce blocks, and take no URL with a fragment. */
export const isWebSocketUrl = (text: string): boolean => ['ws:', 'wss:'].includes(URL.parse(text)?.protocol ?? '');

export const nodeUrl = z
  .string()
  .refine(
    (text) => isUrl(text) || (isWebSocketUrl(text) && !text.includes('#')),
    'must be an http, https, ws or wss URL',
  );

export const urlOrOff = z
  .string()
  .refine((text) => text === 'off' || isUrl(text), 'must be an http or https URL, or off');

/** An API key is sent in a header: a line break would inject another header. */
export const apiKey = z.string().regex(/^[\x21-\x7e]+$/, 'must be the key alone: printable ASCII without spaces');

export const pageSecret = z
  .string()
  .regex(/^[\x21-\x7e]{32,}$/, 'must be 32 or more printable ASCII characters without spaces');

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

/** Used because the message of `readAddress` would repeat the value. */
const notAnAddress = 'must be an address: 0x and 40 hexadecimal digits, all in one case or with their checksum';

/** An address of an account or a contract. */
export const accountAddress = z.string().transform((text, context): Address => {
  const read = addressOf(text);
  if (read.ok) return read.value;
  context.addIssue({ code: 'custom', message: notAnAddress });
  return z.NEVER;
});

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
