import { inspect } from 'node:util';
import { readEnvironment } from '@bowline/http/environment';
import { addressOfKey } from '@bowline/http/private-key';
import { Secret, secretsOf } from '@bowline/http/secret';
import {
  allowedHosts,
  amount,
  apiKey,
  hosts,
  isSecret,
  secret,
  url,
  urlOrOff,
  wholeNumber,
  words,
} from '@bowline/http/setting-schemas';
import { privateKeyToAddress } from 'viem/accounts';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { accountKey, accountKeyOrOff, accountKeys, privateKey } from '../../../agent/src/key-schemas.ts';

const shared = { group: 'G', about: 'A.' };
const settings = {
  NODE: { ...shared, schema: secret(url), default: { local: 'http://127.0.0.1:1' } },
  PORT: { ...shared, schema: wholeNumber(0, 9), default: '7' },
  PACE: { ...shared, schema: wholeNumber(1, 99), default: { local: '1', bsc: '60' } },
  KEY: { ...shared, schema: secret(apiKey).optional() },
};

function problems(environment: Record<string, string>): string[] {
  try {
    readEnvironment(settings, environment, ({ PORT }, isSet) =>
      PORT === 3 && !isSet('KEY') ? ['PORT 3 needs KEY.', 'And so on.'] : [],
    );
  } catch (error) {
    return (error as Error).message.split('\n');
  }
  return [];
}

// AG-10
describe('readEnvironment', () => {
  it('takes what is set and else the default of the chain', () => {
    const local = readEnvironment(settings, { PORT: ' 5 ', PACE: '', KEY: ' \t' });
    expect(local).toMatchObject({ PORT: 5, PACE: 1, KEY: undefined });
    expect(local.NODE.reveal()).toBe('http://127.0.0.1:1');
    const bsc = readEnvironment(settings, { CHAIN: 'bsc', NODE: 'https://a.example', KEY: 'k' });
    expect(bsc).toMatchObject({ PORT: 7, PACE: 60 });
    expect([bsc.NODE.reveal(), bsc.KEY?.reveal()]).toEqual(['https://a.example', 'k']);
  });

  it('says everything that is wrong, a line for each setting, and repeats no value', () => {
    const lines = problems({ CHAIN: 'bsc', PORT: 'hidden', PACE: '0', KEY: 'hidden key' });
    expect(lines).toEqual([
      'NODE is required when CHAIN is bsc.',
      'PORT must be a whole number from 0 to 9.',
      'PACE must be a whole number from 1 to 99.',
      'KEY must be the key alone: printable ASCII without spaces.',
    ]);
  });

  it('says what is in conflict only of settings that are well formed', () => {
    expect(problems({ PORT: '3' })).toEqual(['PORT 3 needs KEY.', 'And so on.']);
    expect(problems({ PORT: '3', PACE: '0' })).toEqual(['PACE must be a whole number from 1 to 99.']);
    expect(problems({ PORT: '3', KEY: 'k' })).toEqual([]);
  });
});

// AG-10
describe('a secret', () => {
  it('is shown by nothing but reveal', () => {
    const held = new Secret('hidden');
    for (const text of [`${held}`, JSON.stringify({ held }), inspect({ held }, { depth: 9, showHidden: true })]) {
      expect(text).toContain('[secret]');
      expect(text).not.toContain('hidden');
    }
    expect(held.reveal()).toBe('hidden');
  });

  it('is found wherever it lies', () => {
    const config = { a: new Secret('1'), b: { c: [{ d: new Secret('2') }] }, e: 5n, f: null, g: new URL('file:///h') };
    expect(secretsOf(config)).toEqual(['1', '2']);
  });

  it('is known by its schema, optional or not', () => {
    expect([secret(url), secret(url).optional()].map(isSecret)).toEqual([true, true]);
    expect([url, url.optional(), z.string()].map(isSecret)).toEqual([false, false, false]);
  });
});

// AG-10
describe('the text of a setting', () => {
  const messages = (schema: z.ZodType, text: string) =>
    schema.safeParse(text).error?.issues.map(({ message }) => message);

  it.each([
    [url, 'http://127.0.0.1:1/a?b', 'wss://a.example', 'must be an http or https URL'],
    [urlOrOff, 'off', 'none', 'must be an http or https URL, or off'],
    [wholeNumber(2, 5), '5', '6', 'must be a whole number from 2 to 5'],
    [wholeNumber(2, 5), '2', '1', 'must be a whole number from 2 to 5'],
    [wholeNumber(0, 99), '10', '1e1', 'must be a whole number from 0 to 99'],
    [amount(18, 'BNB'), '0.5', '-1', 'must be a number of BNB, like 5 or 0.5'],
    [apiKey, 'sk-1', 'sk\n-1', 'must be the key alone: printable ASCII without spaces'],
    [privateKey, `0x${'a1'.repeat(32)}`, `0x${'a1'.repeat(31)}`, 'must be 64 hexadecimal digits, with or without 0x'],
    [privateKey, `0x${'A1'.repeat(32)}`, `0x${'hi'.repeat(32)}`, 'must be 64 hexadecimal digits, with or without 0x'],
    [privateKey, `0x${'0'.repeat(63)}1`, `0x${'0'.repeat(64)}`, 'is not a valid secp256k1 private key'],
    [words((word) => word !== '', 'must be words'), 'a, b', 'a,,b', 'must be words'],
    [
      hosts,
      'a.example, [fe80::1], *',
      'a.example, 1.2.3',
      'must be host names or addresses without a port, separated by commas, or *',
    ],
  ])('%#: is taken, or refused in one sentence', (schema, right, wrong, message) => {
    expect(messages(schema, right)).toBeUndefined();
    expect(messages(schema, wrong)).toEqual([message]);
  });
});

// Wallets export it and people paste it in all these forms.
it('a private key may have 0x, 0X or neither, and is read in one form', () => {
  const digits = 'a1'.repeat(32);
  for (const written of [digits, `0x${digits}`, `0X${digits}`]) {
    for (const schema of [privateKey, accountKey, accountKeyOrOff]) expect(schema.parse(written)).toBe(`0x${digits}`);
    expect(accountKeys.parse(`${written}, ${'b2'.repeat(32)}`).map((key) => key.reveal())).toEqual([
      `0x${digits}`,
      `0x${'b2'.repeat(32)}`,
    ]);
    expect(accountKeys.safeParse(`0x${digits.toUpperCase()},${written}`).error?.issues).toMatchObject([
      { message: 'must not name a key twice' },
    ]);
  }
  expect(accountKeyOrOff.parse('off')).toBe('off');
  for (const wrong of [`0x0x${digits}`, `0${digits}`, digits.slice(1)]) {
    expect(accountKey.safeParse(wrong).success).toBe(false);
  }
});

// DP-18
it('the account of a private key is the one that viem gives it', () => {
  for (const byte of ['01', 'a1', '7f', 'fe']) {
    const key = `0x${byte.repeat(32)}` as const;
    expect(addressOfKey(key)).toBe(privateKeyToAddress(key).toLowerCase());
  }
});

// AG-28
it('a server is called by its own name, by those of this machine and by those that are added', () => {
  const own = ['localhost', '127.0.0.1', '[::1]'];
  expect(allowedHosts('::', ['Agent.example', 'fe80::1'])).toEqual(['[::]', ...own, 'agent.example', '[fe80::1]']);
});
