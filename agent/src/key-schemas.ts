import { addressPattern } from '@bowline/core/domain/address';
import type { Address } from '@bowline/core/domain/units';
import { addressOf } from '@bowline/http/addresses';
import { Secret } from '@bowline/http/secret';
import { keepSecret } from '@bowline/http/setting-schemas';
import { z } from 'zod';

// Schemas of the key settings. A message continues a sentence that begins with the setting's name. It omits the value.

/** Order of secp256k1. Private keys are below it. */
const curveOrder = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

const form = 'must be 64 hexadecimal digits, with or without 0x';

/** Normalised to start with 0x. Checked here because a library's error would quote the rejected key. */
export const privateKey = z
  .string()
  .regex(/^(?:0x)?[0-9a-f]{64}$/i, { error: form, abort: true })
  .transform((key) => `0x${key.slice(-64)}`)
  .refine((key) => BigInt(key) > 0n && BigInt(key) < curveOrder, 'is not a valid secp256k1 private key');

const remote = 'signer:';

/** The address of a key that a remote signer holds; undefined of any other key. */
export function remoteKeyOf(key: string): Address | undefined {
  const read = key.startsWith(remote) ? addressOf(key.slice(remote.length)) : undefined;
  return read?.ok ? read.value : undefined;
}

const keyOr = (others: readonly string[], or: string) =>
  z.string().transform((key, context) => {
    if (others.includes(key) || remoteKeyOf(key) !== undefined) return key;
    const { data, error } = privateKey.safeParse(key);
    if (data !== undefined) return data;
    const said = error?.issues[0]?.message;
    const isMistyped = key.startsWith(remote) && addressPattern.test(key.slice(remote.length));
    const wrong = said === form ? `${form}, ${or}` : (said ?? form);
    const message = isMistyped ? `must have an address with a right checksum after ${remote}` : wrong;
    context.addIssue({ code: 'custom', message });
    return z.NEVER;
  });

/** A private key, or the address of one that a remote signer holds. */
export const accountKey = keyOr([], 'or signer: and an address');

export const accountKeyOrOff = keyOr(['off'], 'signer: and an address, or off');

/** Different keys separated by commas. */
export const accountKeys = keepSecret(
  z
    .string()
    .transform((text) => text.split(',').map((key) => key.trim()))
    .pipe(z.array(accountKey))
    .refine((keys) => new Set(keys.map((key) => key.toLowerCase())).size === keys.length, 'must not name a key twice')
    .transform((keys) => keys.map((key) => new Secret(key))),
  'several',
);
