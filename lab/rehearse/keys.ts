import { randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Keystore } from 'ox';
import type { Address } from 'viem';
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';

/** An encrypted key in files of its own. */
export interface KeyFiles {
  readonly address: Address;
  readonly keystore: string;
  readonly password: string;
}

/** Makes a key and keeps it as `cast wallet new FOLDER NAME` does (scrypt with 8,192 rounds), its password in a folder of its own. */
export function makeKey(keystores: string, passwords: string, name: string): KeyFiles {
  for (const folder of [keystores, passwords]) mkdirSync(folder, { recursive: true, mode: 0o700 });
  const [keystore, password] = [join(keystores, name), join(passwords, name)];
  const secret = randomBytes(24).toString('base64');
  const privateKey = generatePrivateKey();
  const [key, options] = Keystore.scrypt({ password: secret, n: 8_192, r: 8, p: 1 });
  writeFileSync(keystore, JSON.stringify(Keystore.encrypt(privateKey, key, options)), { mode: 0o600, flag: 'wx' });
  // As a command writes it that ends its line.
  writeFileSync(password, `${secret}\n`, { mode: 0o600, flag: 'wx' });
  return { address: privateKeyToAddress(privateKey), keystore, password };
}

/** The settings that name a key's files. */
export const filesOf = (
  setting: string,
  { keystore, password }: Pick<KeyFiles, 'keystore' | 'password'>,
): Record<string, string> => ({
  [`${setting}_FILE`]: keystore,
  [`${setting}_PASSWORD_FILE`]: password,
});
