import { type Address, encodeAbiParameters, encodeEventTopics, type Hex, type Log, numberToHex, parseAbi } from 'viem';
import { expect, test } from 'vitest';
import { pairs } from '../../script/ledger/chain.ts';
import { compare, readKept } from '../../script/ledger/compare.ts';

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
    return { payer, token, nonce: word(nonce), amount: 5n, transaction: word(100 + nonce), block: 1n };
  };
  const file = (nonce: number, state: string, transaction = word(100 + nonce)) =>
    readKept(
      JSON.stringify({
        state,
        payment: { method: 'eip3009', authorization: { from: payer, nonce: word(nonce), value: '5' } },
        paid: { transaction },
      }),
    );
  const files = [
    file(1, 'answered'),
    file(2, 'paid'),
    file(4, 'answered'),
    file(5, 'answered', word(9)),
    file(6, 'settling'),
  ];
  const ledger = compare([1, 2, 3, 5].map(payment), files);
  expect(ledger.answered).toEqual([payment(1)]);
  expect(ledger.owed).toEqual([payment(2)]);
  expect(ledger.unasked).toEqual([payment(3)]);
  expect(ledger.unpaid).toEqual([word(4), word(5)]);
});
