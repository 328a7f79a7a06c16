import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { bscChainId, localChainId } from '@bowline/core/domain/chains';
import type { AddressBook } from '@bowline/core/registry/address-book';
import { type Address, encodeAbiParameters, encodeEventTopics, type Hex, type Log, numberToHex, parseAbi } from 'viem';
import { expect, onTestFinished, test } from 'vitest';
import { pairs, withoutAuthorised } from '../../cli/ledger/chain.ts';
import { compare, readKept, waysOf } from '../../cli/ledger/compare.ts';
import { sellersOf, tillOf } from '../../cli/ledger/parties.ts';

const account = (number: number): Address => numberToHex(number, { size: 20 });
const word = (number: number): Hex => numberToHex(number, { size: 32 });
const [token, payer, payee, thief] = [1, 2, 3, 4].map(account) as [Address, Address, Address, Address];
const abi = parseAbi([
  'event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce)',
  'event Transfer(address indexed from, address indexed to, uint256 value)',
]);

type Event = Omit<Log<bigint, number, false>, 'blockNumber' | 'logIndex' | 'transactionHash'>;
const event = (topics: readonly unknown[], data: Hex = '0x') => ({ address: token, topics, data }) as unknown as Event;
const used = (nonce: number): Event =>
  event(encodeEventTopics({ abi, eventName: 'AuthorizationUsed', args: { authorizer: payer, nonce: word(nonce) } }));
const moved = (value: bigint, to = payee, from = payer): Event =>
  event(
    encodeEventTopics({ abi, eventName: 'Transfer', args: { from, to } }),
    encodeAbiParameters([{ type: 'uint256' }], [value]),
  );
const inOne = (transaction: number, ...events: Event[]): Log<bigint, number, false>[] =>
  events.map((each, logIndex) => {
    const blockNumber = BigInt(transaction);
    return { ...each, logIndex, blockNumber, transactionHash: word(transaction) } as Log<bigint, number, false>;
  });
const paid = (...logs: Log<bigint, number, false>[]) =>
  pairs(logs, payee).map(({ nonce, amount }) => [Number(nonce), amount]);

test('AG-150: a payment is an authorisation and its own transfer to the payee, in either order', () => {
  expect(paid(...inOne(1, used(1), moved(5n)))).toEqual([[1, 5n]]);
  expect(paid(...inOne(1, moved(5n), used(1)))).toEqual([[1, 5n]]);
  expect(paid(...inOne(1, used(1), moved(5n), used(2), moved(6n)), ...inOne(2, used(3), moved(7n)))).toEqual([
    [1, 5n],
    [2, 6n],
    [3, 7n],
  ]);
  expect(paid(...inOne(1, used(1), moved(5n, thief)))).toEqual([]);
  expect(paid(...inOne(1, used(1), moved(5n, payee, thief)))).toEqual([]);
  expect(paid(...inOne(1, moved(5n)))).toEqual([]);
  expect(paid(...inOne(1, used(1)), ...inOne(2, moved(5n)))).toEqual([]);
  // One transfer for two authorisations.
  expect(paid(...inOne(1, used(1), moved(5n, thief), used(2), moved(5n)))).toEqual([[2, 5n]]);
});

test('AG-150: the ledger names what is owed, what nobody asked for, and what was answered and not paid', () => {
  const payment = (nonce: number) => {
    return { payer, payee, token, nonce: word(nonce), amount: 5n, transaction: word(100 + nonce), block: 1n };
  };
  const file = (nonce: number, name: string, transaction = word(100 + nonce)) =>
    readKept(
      JSON.stringify({
        state: { name, transaction },
        payment: {
          method: 'eip3009',
          asset: token,
          authorization: { from: payer, to: payee, nonce: word(nonce), value: '5' },
        },
      }),
    );
  const files = [file(1, 'PAID'), file(2, 'UNKNOWN'), file(4, 'PAID'), file(5, 'PAID', word(9)), file(6, 'KEPT')];
  const ledger = compare([1, 2, 3, 5].map(payment), files);
  expect(ledger.answered).toEqual([payment(1)]);
  expect(ledger.owed).toEqual([payment(2)]);
  expect(ledger.unasked).toEqual([payment(3)]);
  expect(ledger.unpaid).toEqual([word(4), word(5)]);
});

const other = account(5);

/** A payment's file, as far as the ledger reads it. */
const permitFile = (nonce: number, value: bigint, name: string, transaction = word(100), to = payee) =>
  readKept(
    JSON.stringify({
      state: { name, transaction },
      payment: {
        method: 'permit2-exact',
        asset: other,
        authorization: { from: payer, to, nonce: word(nonce), value: `${value}` },
      },
    }),
  );
const permit = (amount: bigint, transaction = word(100)) => {
  return { payer, payee, token: other, amount, transaction, block: 1n };
};

test('AG-150: two permits of one payer in one transaction are two payments', () => {
  const [answered, owed, unasked] = [permit(7n), permit(5n), permit(5n)];
  const ledger = compare(
    [answered, owed, unasked],
    [permitFile(1, 5n, 'UNKNOWN'), permitFile(2, 6n, 'PAID'), permitFile(3, 6n, 'PAID')],
  );
  expect(ledger).toEqual({ answered: [answered], owed: [owed], unasked: [unasked], unpaid: [word(3)] });
});

test('AG-150: the ledger looks where answers were paid before the terms changed, too', () => {
  const before = readKept(
    JSON.stringify({
      state: { name: 'PAID', transaction: word(9) },
      payment: {
        method: 'eip3009',
        asset: token,
        authorization: { from: payer, to: thief, nonce: word(1), value: '5' },
      },
    }),
  );
  const now = [
    { payee, asset: token, method: 'eip3009' },
    { payee, asset: other, method: 'permit2-exact' },
  ];
  expect(waysOf(now, [permitFile(1, 5n, 'UNKNOWN'), before])).toEqual([
    ...now,
    { payee: thief, asset: token, method: 'eip3009' },
  ]);
  // Answers are free now.
  expect(waysOf([], [permitFile(1, 5n, 'UNKNOWN')])).toEqual([{ payee, asset: other, method: 'permit2-exact' }]);
});

test('AG-150: an authorisation that a contract sent is no permit as well', () => {
  const authorised = { ...permit(5n), nonce: word(1) };
  expect(withoutAuthorised([permit(5n), permit(5n), permit(6n)], [authorised])).toEqual([permit(5n), permit(6n)]);
});
const book = {
  escrow: { token: { address: token } },
  assets: [
    { symbol: 'USDT', address: other },
    { symbol: 'USDC', address: thief },
    { symbol: 'BTCB', address: payer },
  ],
} as unknown as AddressBook;

/** An agent that answers about its price. */
async function agentThatSays(terms: unknown): Promise<string> {
  const server = createServer((_, response) => response.end(JSON.stringify(terms))).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test('AG-252: the payee is the one that is named, else the running agent’s, else the settings’, and is never guessed', async () => {
  const nobody = 'http://127.0.0.1:9';
  const own = { asset: token, method: 'eip3009' };
  const [usdt, usdc] = [other, thief].map((asset) => ({ asset, method: 'permit2-exact' }));
  const priced = await agentThatSays({ payment: { pay_to: payer, tokens: [own] } });
  expect(await tillOf(undefined, priced, {}, bscChainId, book)).toEqual({ payee: payer, tokens: [own] });
  expect(await tillOf(payee, priced, {}, bscChainId, book)).toEqual({ payee, tokens: [own, usdt, usdc] });
  expect(await tillOf(undefined, await agentThatSays({ price_usd: 0 }), {}, bscChainId, book)).toBeUndefined();
  const set = { PAY_TO: payee, PERMIT2_TOKENS: 'USDC' };
  expect(await tillOf(undefined, nobody, set, bscChainId, book)).toEqual({ payee, tokens: [own, usdc] });
  await expect(tillOf(undefined, nobody, {}, bscChainId, book)).rejects.toThrow(/^no agent answers at .*--payee$/);
  await expect(tillOf(undefined, nobody, set, bscChainId, undefined)).rejects.toThrow('no payment token');
  await expect(tillOf('0x1', nobody, {}, bscChainId, book)).rejects.toThrow(
    'invalid_address: --payee must be an address',
  );
  expect(await tillOf(undefined, nobody, {}, localChainId, book)).toMatchObject({ tokens: [own, usdt, usdc] });
});

test('AG-252: the sellers are those that are named, a former one too, else the account of the seller’s key', () => {
  const SELLER_PRIVATE_KEY = '0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d';
  expect(sellersOf(`${payer}, ${payee}`, { SELLER_PRIVATE_KEY }, localChainId)).toEqual([payer, payee]);
  expect(sellersOf(undefined, { SELLER_PRIVATE_KEY }, localChainId)).toEqual([
    '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
  ]);
  expect(sellersOf(undefined, {}, bscChainId)).toEqual([]);
  expect(() => sellersOf('0x1', {}, localChainId)).toThrow('invalid_address: --seller must be an address');
});
