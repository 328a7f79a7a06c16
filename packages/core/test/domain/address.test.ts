import { getAddress, isAddress, keccak256, stringToBytes } from 'viem';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { readAddress } from '../../domain/address.ts';
import { addressInputBy } from '../../schemas.ts';

const hash = (text: string) => keccak256(stringToBytes(text));

/** From EIP-55: all upper case, all lower case, and mixed case. */
const examples = [
  '0x52908400098527886E0F7030069857D2E4169EE7',
  '0x8617E340B3D01FA5F11F306F4090FD50E238070D',
  '0xde709f2102306220921060314715629080e2fb77',
  '0x27b1fdb04752bbc536007a920d24acb045561c26',
  '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
  '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB',
  '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb',
];

// AG-209
test.each(examples)('%s is an address in every case that people write', (address) => {
  const digits = address.slice(2);
  for (const text of [
    address,
    `0x${digits.toLowerCase()}`,
    `0x${digits.toUpperCase()}`,
    `0X${digits.toUpperCase()}`,
    `0X${digits}`,
    ` ${address}\n`,
  ]) {
    expect(readAddress(text, hash), text).toEqual({ ok: true, value: getAddress(address) });
  }
});

// AG-209
test('one letter in the other case is a wrong checksum, wherever it is', () => {
  const address = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
  for (let at = 2; at < address.length; at += 1) {
    const letter = address[at] ?? '';
    const other = letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase();
    if (other === letter) continue;
    const text = `${address.slice(0, at)}${other}${address.slice(at + 1)}`;
    expect(isAddress(text)).toBe(false);
    expect(readAddress(text, hash)).toEqual({
      ok: false,
      code: 'invalid_address',
      message: `has a wrong checksum (${text}): a letter may be mistyped`,
      retryable: false,
    });
  }
});

// AG-209
test.each([
  '',
  '0x',
  examples[0]?.slice(0, -1) ?? '',
  `${examples[0]}0`,
  `0x${'g'.repeat(40)}`,
  examples[0]?.slice(2) ?? '',
  'vitalik.eth',
])('"%s" is no address', (text) => {
  expect(readAddress(text, hash)).toMatchObject({
    code: 'invalid_address',
    message: 'must be an address: 0x and 40 hexadecimal digits',
  });
});

test('the schema of an input publishes how an address is written', () => {
  const schema = z.object({ owner: addressInputBy(hash).describe('Who pays.') });
  expect(z.toJSONSchema(schema, { io: 'input' })).toMatchObject({
    properties: { owner: { type: 'string', pattern: '^0[xX][0-9a-fA-F]{40}$', description: 'Who pays.' } },
  });
});
