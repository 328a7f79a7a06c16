import { createDecipheriv, pbkdf2Sync, scryptSync, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { keccak } from './private-key.ts';

// Encrypted private keys in the Web3 Secret Storage format, version 3, as `cast wallet import` and geth write them.

const hex = (bytes: number) => z.string().regex(new RegExp(`^[0-9a-fA-F]{${2 * bytes}}$`));
const salt = z.string().regex(/^([0-9a-fA-F]{2}){1,128}$/);

const keystoreSchema = z.object({
  version: z.literal(3),
  crypto: z.intersection(
    z.object({
      cipher: z.literal('aes-128-ctr'),
      cipherparams: z.object({ iv: hex(16) }),
      ciphertext: hex(32),
      mac: hex(32),
    }),
    z.discriminatedUnion('kdf', [
      z.object({
        kdf: z.literal('scrypt'),
        // At most 1 GiB: a file must not be able to take the machine's memory.
        kdfparams: z
          .object({ dklen: z.literal(32), n: z.int().min(2), r: z.int().min(1), p: z.int().min(1).max(16), salt })
          .refine(({ n, r }) => n * r <= 2 ** 23),
      }),
      z.object({
        kdf: z.literal('pbkdf2'),
        kdfparams: z.object({
          ...{ dklen: z.literal(32), c: z.int().min(1).max(10_000_000), prf: z.literal('hmac-sha256'), salt },
        }),
      }),
    ]),
  ),
});

type Keystore = z.output<typeof keystoreSchema>;

/**
 * Opens an encrypted private key; any other content is returned as it is.
 * @param password without white space at its ends, as `cast` and geth take it.
 * @throws an error whose message continues a sentence that begins with the setting of the file.
 */
export function openKeystore(content: string, password: string | undefined): string {
  if (!content.startsWith('{')) return content;
  const keystore = keystoreOf(content);
  if (password === undefined) throw new Error('names an encrypted keystore: its password file is missing');
  const key = keyOf(keystore, password);
  const { mac, ciphertext, cipherparams } = keystore.crypto;
  const sealed = Buffer.from(ciphertext, 'hex');
  const own = keccak(Buffer.concat([key.subarray(16, 32), sealed]));
  if (!timingSafeEqual(own, Buffer.from(mac, 'hex'))) {
    throw new Error('names a keystore that this password does not open');
  }
  const cipher = createDecipheriv('aes-128-ctr', key.subarray(0, 16), Buffer.from(cipherparams.iv, 'hex'));
  return `0x${Buffer.concat([cipher.update(sealed), cipher.final()]).toString('hex')}`;
}

function keystoreOf(content: string): Keystore {
  try {
    return keystoreSchema.parse(JSON.parse(content));
  } catch {
    throw new Error('names no supported version 3 keystore (aes-128-ctr, scrypt or pbkdf2)');
  }
}

function keyOf({ crypto }: Keystore, password: string): Buffer {
  const bytes = Buffer.from(crypto.kdfparams.salt, 'hex');
  if (crypto.kdf === 'pbkdf2') return pbkdf2Sync(password, bytes, crypto.kdfparams.c, 32, 'sha256');
  const { n, r, p } = crypto.kdfparams;
  try {
    return scryptSync(password, bytes, 32, { N: n, r, p, maxmem: 256 * n * r + 2 ** 20 });
  } catch {
    throw new Error('names a keystore with scrypt parameters that Node.js does not take');
  }
}
