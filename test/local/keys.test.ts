import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Keystore } from 'ox';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { expect, onTestFinished, test } from 'vitest';
import { accountsOf } from '../../cli/sending/keys.ts';
import { alice } from './accounts.ts';

// DP-19: the keys of the commands that send transactions.

const key = generatePrivateKey();
const { address } = privateKeyToAccount(key);
const payer = (environment: Record<string, string>, chainId = 56) =>
  accountsOf(['PAYER_PRIVATE_KEY'], environment, chainId)('PAYER_PRIVATE_KEY');

function fileWith(content: string, mode = 0o600): string {
  const folder = mkdtempSync(join(tmpdir(), 'bowline-keys-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'key');
  writeFileSync(file, content, { mode });
  return file;
}

test('a key in a file or in a keystore is taken on BNB Chain, and none is none', () => {
  expect(payer({})).toBeUndefined();
  expect(payer({ PAYER_PRIVATE_KEY_FILE: fileWith(key) })?.address).toBe(address);
  const [sealing, options] = Keystore.scrypt({ password: 'correct horse', n: 1_024, r: 8, p: 1 });
  const keystore = fileWith(JSON.stringify(Keystore.encrypt(key, sealing, options)));
  const opened = (password: string) =>
    payer({ PAYER_PRIVATE_KEY_FILE: keystore, PAYER_PRIVATE_KEY_PASSWORD_FILE: fileWith(password) });
  expect(opened('correct horse')?.address).toBe(address);
  expect(() => opened('battery')).toThrow('PAYER_PRIVATE_KEY_FILE names a keystore that this password does not open.');
  expect(() => payer({ PAYER_PRIVATE_KEY_FILE: fileWith(key, 0o644) })).toThrow('PAYER_PRIVATE_KEY_FILE');
});

test('a key in the environment is refused on BNB Chain alone, unless that is accepted, and never repeated', () => {
  const raw = { PAYER_PRIVATE_KEY: key };
  expect(() => payer(raw)).toThrow(
    'PAYER_PRIVATE_KEY is an unencrypted private key in the environment, which is refused on bsc: use PAYER_PRIVATE_KEY_FILE.',
  );
  expect(payer(raw, 97)?.address).toBe(address);
  expect(payer({ ...raw, RAW_KEYS: 'accepted' })?.address).toBe(address);
  expect(() => payer({ PAYER_PRIVATE_KEY: `${key}0` })).toThrow(
    /^PAYER_PRIVATE_KEY must be 64 hexadecimal digits(?!.*0x\w{8})/,
  );
});

test('a remote signer’s key needs the signer, and another command’s settings are not read', () => {
  const remote = { PAYER_PRIVATE_KEY: `signer:${alice}` };
  expect(() => payer(remote)).toThrow('SIGNER_URL is missing: PAYER_PRIVATE_KEY names a key of a remote signer.');
  const settings = { ...remote, SIGNER_URL: 'http://127.0.0.1:9', ROTATOR_PRIVATE_KEY: 'nonsense' };
  expect(payer(settings)?.address).toBe(alice);
});
