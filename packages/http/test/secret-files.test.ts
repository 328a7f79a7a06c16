import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Environment, readEnvironment } from '@bowline/http/environment';
import { openKeystore } from '@bowline/http/keystore';
import { apiKey, secret, secrets, url, wholeNumber } from '@bowline/http/setting-schemas';
import { Keystore } from 'ox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accountKey, accountKeys } from '../../../agent/src/key-schemas.ts';

const shared = { group: 'G', about: 'A.' };
const settings = {
  KEY: { ...shared, schema: secret(accountKey).optional(), unlock: openKeystore },
  KEYS: { ...shared, schema: accountKeys.optional(), unlock: openKeystore },
  TOKEN: { ...shared, schema: secret(apiKey), default: 'default' },
  NODES: { ...shared, schema: secrets(url, 'must be URLs').optional() },
  PORT: { ...shared, schema: wholeNumber(0, 9), default: '7' },
};

// The vector of the format's own description (Web3 Secret Storage).
const vectorKey = '0x7a28b5ba57c53603b0b07b56bba752f7784bf506fa95edc395f5cf6c7514fe9d';
const pbkdf2Vector = {
  crypto: {
    cipher: 'aes-128-ctr',
    cipherparams: { iv: '6087dab2f9fdbbfaddc31a909735c1e6' },
    ciphertext: '5318b4d5bcd28de64ee5559e671353e16f075ecae9f99c7a79a38af5f869aa46',
    kdf: 'pbkdf2',
    kdfparams: {
      c: 262_144,
      dklen: 32,
      prf: 'hmac-sha256',
      salt: 'ae3cd4e7013836a3df6bd7241b12db061dbe2c6785853cce422d148a624ce0bd',
    },
    mac: '517ead924a9d0dc3124507e3393d175ce3ff7c1e96529c6c555ce9e51205e9b2',
  },
  id: '3198bc9c-6672-5ab3-d995-4942343ae5b6',
  version: 3,
};

let folder = '';
let count = 0;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'secret-hidden-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

function file(content: string, mode = 0o600): string {
  count += 1;
  const path = join(folder, `${count}`);
  writeFileSync(path, content);
  chmodSync(path, mode);
  return path;
}

function problems(environment: Environment): string[] {
  try {
    readEnvironment(settings, environment);
  } catch (error) {
    return (error as Error).message.split('\n');
  }
  return [];
}

const raw = `0x${'a1'.repeat(32)}`;
const other = `0x${'b2'.repeat(32)}`;

// DP-16
describe('a secret setting from a file', () => {
  it('is its text, without the end of the line, and before the default', () => {
    const read = readEnvironment(settings, { TOKEN_FILE: file('token\n'), KEY_FILE: file(` ${raw}\n`, 0o440) });
    expect([read.TOKEN.reveal(), read.KEY?.reveal()]).toEqual(['token', raw]);
    const link = join(folder, 'link');
    symlinkSync(file('by-a-link'), link);
    expect(readEnvironment(settings, { TOKEN_FILE: link }).TOKEN.reveal()).toBe('by-a-link');
  });

  it('may be several files of a setting with several values', () => {
    const { NODES, KEYS } = readEnvironment(settings, {
      NODES_FILE: file('https://a.example,https://b.example'),
      KEYS_FILE: `${file(raw)}, ${file(other)}`,
    });
    expect(NODES?.map((each) => each.reveal())).toEqual(['https://a.example', 'https://b.example']);
    expect(KEYS?.map((each) => each.reveal())).toEqual([raw, other]);
  });

  it.each([0o604, 0o602, 0o601, 0o644, 0o666])('is refused if others may do anything with it: mode %o', (mode) => {
    expect(problems({ TOKEN_FILE: file('hidden', mode) })).toEqual([
      'TOKEN_FILE names a file that others may open: run chmod o= on it.',
    ]);
  });

  it('is refused for what it is, and neither its path nor its content is repeated', () => {
    const pipe = join(folder, 'pipe');
    execFileSync('sh', ['-c', 'mkfifo -m 600 "$0"', pipe]);
    const wrong: [Environment, string][] = [
      [{ TOKEN_FILE: join(folder, 'hidden') }, 'TOKEN_FILE names a file that does not exist.'],
      [{ TOKEN_FILE: raw }, 'TOKEN_FILE names a file that does not exist.'],
      [{ TOKEN_FILE: folder }, 'TOKEN_FILE must name a regular file.'],
      [{ TOKEN_FILE: pipe }, 'TOKEN_FILE must name a regular file.'],
      [{ TOKEN_FILE: file(' \n') }, 'TOKEN_FILE names an empty file.'],
      [{ TOKEN_FILE: file('a'.repeat(65_537)) }, 'TOKEN_FILE names a file of more than 65536 bytes.'],
      [{ TOKEN_FILE: file('hidden hidden') }, 'TOKEN must be the key alone: printable ASCII without spaces.'],
      [{ TOKEN: 'a', TOKEN_FILE: file('b') }, 'TOKEN and TOKEN_FILE are both set: set one of them.'],
      [{ KEY_PASSWORD_FILE: file('b') }, 'KEY_PASSWORD_FILE has no effect without KEY_FILE.'],
    ];
    for (const [environment, line] of wrong) expect(problems(environment)).toEqual([line]);
  });

  it('is no way in for a setting that is no secret', () => {
    expect(readEnvironment(settings, { PORT_FILE: file('3') }).PORT).toBe(7);
  });

  it('is told apart from what stands in the environment', () => {
    const seen: boolean[] = [];
    readEnvironment(settings, { TOKEN_FILE: file('t'), KEY: raw }, (_, isSet, isInEnvironment) => {
      for (const name of ['TOKEN', 'KEY', 'KEYS'] as const) seen.push(isSet(name), isInEnvironment(name));
      return [];
    });
    expect(seen).toEqual([true, false, true, true, false, false]);
  });
});

// DP-16
describe('an encrypted keystore', () => {
  const password = 'testpassword';
  // Encrypted by another implementation, with the parameters of `cast wallet import`.
  const [key, options] = Keystore.scrypt({ password, n: 8_192, r: 8, p: 1 });
  const scrypt = Keystore.encrypt(vectorKey, key, options);

  it.each([
    ['of scrypt', scrypt],
    ['of pbkdf2, the vector of the format', pbkdf2Vector],
  ])('%s is opened by its password', (_, vector) => {
    const environment = { KEY_FILE: file(JSON.stringify(vector)), KEY_PASSWORD_FILE: file(`${password}\n`) };
    expect(readEnvironment(settings, environment).KEY?.reveal()).toBe(vectorKey);
  });

  it('may stand beside another one and beside a plain key', () => {
    const environment = {
      KEYS_FILE: `${file(JSON.stringify(pbkdf2Vector))},${file(raw)}`,
      KEYS_PASSWORD_FILE: file(password),
    };
    expect(readEnvironment(settings, environment).KEYS?.map((each) => each.reveal())).toEqual([vectorKey, raw]);
  });

  it('has a password of its own in a list', () => {
    const otherKey = `0x${'7'.repeat(64)}` as const;
    const other = Keystore.encrypt(otherKey, ...Keystore.pbkdf2({ password: 'other', iterations: 1_000 }));
    const keystores = `${file(JSON.stringify(pbkdf2Vector))},${file(JSON.stringify(other))}`;
    const opened = (passwords: string) =>
      readEnvironment(settings, { KEYS_FILE: keystores, KEYS_PASSWORD_FILE: passwords }).KEYS?.map((each) =>
        each.reveal(),
      );
    expect(opened(`${file(password)},${file('other')}`)).toEqual([vectorKey, otherKey]);
    expect(() => opened(`${file('other')},${file(password)}`)).toThrow('does not open');
  });

  it('is refused by name', () => {
    const text = JSON.stringify(pbkdf2Vector);
    const opened = (keystore: unknown, by = file(password)) =>
      problems({
        KEY_FILE: file(typeof keystore === 'string' ? keystore : JSON.stringify(keystore)),
        KEY_PASSWORD_FILE: by,
      });
    const unknown = 'KEY_FILE names no supported version 3 keystore (aes-128-ctr, scrypt or pbkdf2).';
    expect(problems({ KEY_FILE: file(text) })).toEqual([
      'KEY_FILE names an encrypted keystore: its password file is missing.',
    ]);
    const closed = 'KEY_FILE names a keystore that this password does not open.';
    expect(opened(text, file('hidden'))).toEqual([closed]);
    const tampered = { ...pbkdf2Vector.crypto, ciphertext: `00${pbkdf2Vector.crypto.ciphertext.slice(2)}` };
    expect(opened({ ...pbkdf2Vector, crypto: tampered })).toEqual([closed]);
    expect(opened(text, file(password, 0o644))).toEqual([
      'KEY_PASSWORD_FILE names a file that others may open: run chmod o= on it.',
    ]);
    expect(opened('{"hidden')).toEqual([unknown]);
    expect(opened({ ...pbkdf2Vector, version: 1 })).toEqual([unknown]);
    const withParameters = (change: object) => ({
      ...scrypt,
      crypto: { ...scrypt.crypto, kdfparams: { ...scrypt.crypto.kdfparams, ...change } },
    });
    expect(opened(withParameters({ n: 4_096 }))).toEqual([closed]);
    for (const change of [{ n: 2 ** 24 }, { p: 10_000 }, { dklen: 16 }]) {
      expect(opened(withParameters(change))).toEqual([unknown]);
    }
    expect(opened(withParameters({ n: 1_000 }))).toEqual([
      'KEY_FILE names a keystore with scrypt parameters that Node.js does not take.',
    ]);
  });
});
