import type { Payment } from '@bowline/core/domain/payment';
import { type Hex, numberToHex, parseSignature, serializeSignature } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { beforeAll, expect, test } from 'vitest';
import {
  digestOf,
  isSignedByKey,
  type Offer,
  readPayment,
  writePayload,
  wrongTerms,
} from '../../../src/selling/payments/payment.ts';

/** Anvil's third account. Its key is public. */
const payer = privateKeyToAccount('0x5de4111afa1a4b94908f83103eb1f1706367c2e68ca870fc3fb9a804cdab365a');
const other = '0x90F79bf6EB2c4f870365E785982E1f101E93b906';
const token = { name: 'United Stables', version: '1' };
const terms: Offer = {
  token,
  network: 'eip155:56',
  method: 'eip3009',
  asset: '0xcE24439F2D9C6a2289F741120FE202248B666666',
  amount: 20_000n,
  payTo: '0x976EA74026E726554dB657fA54763abd0C3a0aa9',
};
const now = 1_800_000_000n;
const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

const authorization = {
  from: payer.address,
  to: terms.payTo,
  value: '20000',
  validAfter: `${now - 600n}`,
  validBefore: `${now + 300n}`,
  nonce: numberToHex(7n, { size: 32 }),
};
let signature: Hex;
let payload: { authorization: typeof authorization; signature: Hex };

const fields = [
  'from:address',
  'to:address',
  'value:uint256',
  'validAfter:uint256',
  'validBefore:uint256',
  'nonce:bytes32',
];
const types = fields.map((field) => ({ name: field.split(':')[0] ?? '', type: field.split(':')[1] ?? '' }));

beforeAll(async () => {
  signature = await payer.signTypedData({
    domain: { ...token, chainId: 56, verifyingContract: terms.asset },
    types: { TransferWithAuthorization: types },
    primaryType: 'TransferWithAuthorization',
    message: authorization,
  });
  payload = { authorization, signature };
});

const accepting = (changes: object = {}) => {
  const { network, asset, payTo } = terms;
  return { network, asset, payTo, amount: '20000', ...changes };
};
const enclosed = (given: unknown, changes: object = {}) => ({
  x402Version: 2,
  accepted: accepting(changes),
  payload: given,
});

function read(given: unknown, changes: object = {}): Payment {
  const payment = readPayment(enclosed(given, changes));
  if (typeof payment === 'string') throw new Error(payment);
  return payment;
}

const isSigned = (payment: Payment, changes: Partial<Offer> = {}) =>
  isSignedByKey(payment, digestOf(payment, { ...terms, ...changes }));

test('PY-9: what the payer signed is right, in whatever case it is written, and has one key', async () => {
  const payment = read(payload);
  expect(wrongTerms(payment, terms, now)).toBeUndefined();
  expect(await isSigned(payment)).toBe(true);
  const upper = (hex: string) => `0x${hex.slice(2).toUpperCase()}`;
  const { from, to, nonce } = authorization;
  const shouted = { ...authorization, from: upper(from), to: upper(to), nonce: upper(nonce), value: '020000' };
  const again = read({ authorization: shouted, signature: upper(signature), more: 1 });
  expect(again).toEqual(payment);
  expect(payment.key).toBe(`eip155:56/${terms.asset.toLowerCase()}/${from.toLowerCase()}/0x${'0'.repeat(63)}7`);
});

test('PY-9: every digit of the authorisation, the domain and the signature counts', async () => {
  const mutants: [string, () => Payment][] = [];
  for (const [field, value] of Object.entries(authorization)) {
    const digits = [...value];
    const from = value.startsWith('0x') ? 2 : 0;
    for (const at of new Set([from, Math.floor((from + digits.length) / 2), digits.length - 1])) {
      const changed = digits.with(at, digits[at] === '1' ? '2' : '1').join('');
      mutants.push([
        `${field} ${at}`,
        () => read({ authorization: { ...authorization, [field]: changed }, signature }),
      ]);
    }
  }
  for (let at = 2; at < 130; at += 9) {
    const digit = signature[at] === '1' ? '2' : '1';
    const changed = signature.slice(0, at) + digit + signature.slice(at + 1);
    mutants.push([`signature ${at}`, () => read({ authorization, signature: changed })]);
  }
  const { r, s, yParity } = parseSignature(signature);
  const mirrored = serializeSignature({ r, s: numberToHex(order - BigInt(s), { size: 32 }), yParity: 1 - yParity });
  const nothing = numberToHex(0, { size: 32 });
  const shapes: Record<string, string> = {
    mirrored,
    'other parity': serializeSignature({ r, s, yParity: 1 - yParity }),
    'v of 0 or 1': `${signature.slice(0, -2)}0${yParity}`,
    'v of 29': `${signature.slice(0, -2)}1d`,
    compact: signature.slice(0, -2),
    'one byte more': `${signature}00`,
    'r of zero': `${nothing}${signature.slice(66)}`,
    's of zero': `${signature.slice(0, 66)}${nothing.slice(2)}${signature.slice(130)}`,
    'r above the order': `0x${'f'.repeat(64)}${signature.slice(66)}`,
    empty: '0x00',
  };
  for (const [name, shape] of Object.entries(shapes)) {
    mutants.push([name, () => read({ authorization, signature: shape })]);
  }

  expect(mutants.length).toBeGreaterThan(40);
  for (const [name, mutant] of mutants) {
    const payment = mutant();
    expect(await isSigned(payment), name).toBe(false);
    expect(payment.id, name).not.toBe(read(payload).id);
  }
  // The offer counts, whatever the payload says.
  const others: Partial<Offer>[] = [
    { network: 'eip155:97' },
    { asset: other },
    { token: { ...token, name: 'United Stable' } },
    { token: { ...token, version: '2' } },
  ];
  for (const changes of others) expect(await isSigned(read(payload), changes), JSON.stringify(changes)).toBe(false);
});

test('PY-9: another payee, another amount, and a time that has not come, is over or too short are named', () => {
  const wrong = (changes: Partial<Payment['authorization']>, at = now) =>
    wrongTerms({ ...read(payload), authorization: { ...read(payload).authorization, ...changes } }, terms, at);
  expect(wrong({ to: other.toLowerCase() as Hex })).toBe('other_payee');
  expect(wrong({ value: 19_999n })).toBe('other_amount');
  expect(wrong({ value: 20_001n })).toBe('other_amount');
  expect(wrong({ value: 0n })).toBe('other_amount');
  expect(wrong({ validAfter: now })).toBeUndefined();
  expect(wrong({ validAfter: now + 1n })).toBe('not_valid_yet');
  expect(wrong({ validBefore: now + 61n })).toBeUndefined();
  expect(wrong({ validBefore: now + 60n })).toBe('expired');
  expect(wrong({ validBefore: now + 4_200n })).toBeUndefined();
  expect(wrong({ validBefore: now + 4_201n })).toBe('valid_too_long');
  expect(wrong({ validBefore: 0n })).toBe('expired');
  expect(wrong({}, now + 240n)).toBe('expired');
  expect(wrong({}, now - 601n)).toBe('not_valid_yet');
});

test('PY-9: what has not the form of an authorisation with a signature cannot be read', () => {
  const most = (2n ** 256n).toString();
  const bad: unknown[] = [
    undefined,
    null,
    'payload',
    [],
    {},
    { authorization },
    { signature },
    { authorization: null, signature },
    { authorization, signature: null },
    { authorization, signature: 1 },
    { authorization, signature: '0x' },
    { authorization, signature: '0x1' },
    { authorization, signature: 'zz' },
  ];
  const fieldsWrong: Record<string, unknown[]> = {
    from: [undefined, null, 1, '', '0x', payer.address.slice(0, -1), `${payer.address}0`, { toLowerCase: 1 }],
    to: [undefined, `${terms.payTo.slice(2)}00`, []],
    value: [undefined, 20_000, '', '-1', '1.5', '1e3', '0x10', ' 1', '9'.repeat(79), most],
    validAfter: [undefined, 0, 'now', most],
    validBefore: [undefined, null, '-5', most],
    nonce: [undefined, '0x7', 7, authorization.nonce.slice(2), `${authorization.nonce}00`],
  };
  for (const [field, values] of Object.entries(fieldsWrong)) {
    for (const value of values) bad.push({ authorization: { ...authorization, [field]: value }, signature });
  }
  for (const given of bad) expect(readPayment(enclosed(given)), JSON.stringify(given)).toBe('unreadable');
  expect(readPayment({ ...enclosed(payload), x402Version: 1 })).toBe('unreadable');
  for (const accepted of [undefined, null, 5, accepting({ network: 56 }), accepting({ asset: '0x1' })]) {
    expect(readPayment({ ...enclosed(payload), accepted })).toBe('other_terms');
  }
});

test('PY-3: what was signed reads the same at other prices and payees, and another token is another payment', () => {
  const payment = read(payload);
  for (const changes of [{ amount: '1' }, { payTo: other }, { extra: { name: 'Euro' } }]) {
    expect(read(payload, changes)).toEqual(payment);
  }
  expect(read(payload, { asset: other }).key).not.toBe(payment.key);
  expect(read(payload, { network: 'eip155:97' }).key).not.toBe(payment.key);
});

test('PY-9: a permit is read with its spender, as Permit2 counts nonces, and only what was checked is given on', () => {
  const permit = {
    permitted: { token: terms.asset, amount: '20000' },
    from: payer.address,
    spender: other,
    nonce: '7',
    deadline: `${now + 299n}`,
    witness: { to: terms.payTo, validAfter: '0' },
  };
  const payment = read({ permit2Authorization: { ...permit, more: 1 }, signature });
  expect(payment).toMatchObject({ method: 'permit2-exact', asset: terms.asset.toLowerCase() });
  expect(payment.key).toBe(`eip155:56/permit2/${payer.address.toLowerCase()}/${authorization.nonce}`);
  expect(payment.authorization).toMatchObject({ validBefore: now + 300n, spender: other.toLowerCase() });
  expect(writePayload(payment)).toEqual({ permit2Authorization: permit, signature });
  expect(writePayload(read({ ...payload, more: 1 }))).toEqual(payload);
  expect(wrongTerms(payment, terms, now)).toBe('other_terms');
  const taking = { ...terms, method: 'permit2-exact' } as const;
  expect(wrongTerms(payment, taking, now)).toBeUndefined();
  expect(wrongTerms(payment, { ...taking, asset: other }, now)).toBe('other_token');
});
