import type { PaymentMethod } from '@bowline/core/domain/payment';
import { expect, test } from 'vitest';
import { createPayloads, type Offer } from '../../src/payments/payload.ts';

const network = 'eip155:56';
const account = (digit: string): `0x${string}` => `0x${digit.repeat(40)}`;
const signature = `0x${'5'.repeat(130)}`;
const offer = (asset: string, method: PaymentMethod, name: string): Offer => ({
  network,
  method,
  asset: account(asset),
  amount: 7n,
  payTo: account('2'),
  token: { name, version: '1' },
});
const dollar = offer('6', 'eip3009', 'Dollar');
const tether = offer('7', 'permit2', 'Tether USD');
const acceptedOf = ({ token, method, amount, asset, payTo }: Offer) => ({
  scheme: 'exact',
  network,
  asset,
  payTo,
  amount: `${amount}`,
  extra: { ...token, assetTransferMethod: method },
});
const byToken = {
  x402Version: 2,
  accepted: acceptedOf(dollar),
  payload: {
    authorization: {
      from: account('1'),
      to: account('2'),
      value: '7',
      validAfter: '0',
      validBefore: '1000',
      nonce: `0x${'3'.repeat(64)}`,
    },
    signature,
  },
};
const byPermit = {
  x402Version: 2,
  accepted: acceptedOf(tether),
  payload: {
    permit2Authorization: {
      permitted: { token: account('7'), amount: '7' },
      from: account('1'),
      spender: account('4'),
      nonce: '3',
      deadline: '1000',
      witness: { to: account('2'), validAfter: '0' },
    },
    signature,
  },
};

test('AG-292: what was signed reads the same at other prices, payees and tokens, and is then no new payment', () => {
  const before = createPayloads([dollar, tether]);
  const dearer = { ...dollar, amount: 8n };
  const others = [
    [dearer, tether],
    [{ ...dollar, payTo: account('9') }],
    [offer('8', 'eip3009', 'Euro')],
    [tether],
    [],
  ];
  for (const payload of [byToken, byPermit]) {
    const read = before.read(payload);
    expect(read).toMatchObject({ authorization: { from: account('1'), to: account('2'), value: 7n } });
    expect(before.isAccepting(payload)).toBe(true);
    for (const offers of others) {
      const after = createPayloads(offers);
      expect(after.read(payload)).toEqual(read);
      expect(after.isAccepting(payload)).toBe(payload === byPermit && offers.includes(tether));
    }
  }
});

test('AG-292: a token of ours is read by its own name, whatever the payload calls it; of another, wrong words are another payment', () => {
  const named = (name: string) => ({
    ...byToken,
    accepted: { ...byToken.accepted, extra: { ...byToken.accepted.extra, name } },
  });
  const idOf = (payload: unknown, ...offers: Offer[]) => {
    const read = createPayloads(offers).read(payload);
    return typeof read === 'string' ? read : read.id;
  };
  const right = idOf(byToken, dollar);
  expect(idOf(named('Euro'), dollar)).toBe(right);
  expect(idOf(named('Dollar'), tether)).toBe(right);
  expect(idOf(named('Euro'), tether)).not.toBe(right);
  for (const accepted of [
    { ...byToken.accepted, network: 'eip155:0' },
    { ...byToken.accepted, network: 56 },
    5,
    null,
  ]) {
    expect(idOf({ ...byToken, accepted }, tether), JSON.stringify(accepted)).toBe('other_terms');
  }
  // Said to be one of ours, and signed in another way.
  expect(idOf({ ...byToken, accepted: acceptedOf(tether) }, tether)).toBe('unreadable');
  expect(idOf({ ...byToken, x402Version: 1 }, dollar)).toBe('unreadable');
});
