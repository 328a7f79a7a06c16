import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { bscChainId, localChainId } from '@bowline/core/domain/chains';
import type { AddressBook } from '@bowline/core/registry/address-book';
import { type Address, encodeEventTopics, type Hex, numberToHex, type PublicClient, zeroHash } from 'viem';
import { expect, onTestFinished, test } from 'vitest';
import { answersLedger } from '../../cli/ledger/answers.ts';
import { authorizationUsed, transfer } from '../../cli/ledger/logs.ts';
import { payeeOf, sellersOf, termsOf } from '../../cli/ledger.ts';

const account = (number: number): Address => numberToHex(number, { size: 20 });
const word = (number: number): Hex => numberToHex(number, { size: 32 });
const [token, payer, payee, thief, other] = [1, 2, 3, 4, 5].map(account) as [
  Address,
  Address,
  Address,
  Address,
  Address,
];
const terms = { payee, token, permitted: [other] };

type Made = { readonly log: { readonly address: Address; readonly topics: unknown[]; readonly data: Hex } };
const used = (nonce: number, of = token, by = payer): Made => {
  const args = { authorizer: by, nonce: word(nonce) };
  return { log: { address: of, topics: encodeEventTopics({ abi: [authorizationUsed], args }), data: '0x' } };
};
const moved = (value: number, to = payee, of = token, from = payer): Made => {
  const topics = encodeEventTopics({ abi: [transfer], args: { from, to } });
  return { log: { address: of, topics, data: word(value) } };
};
/** A transaction, by its number, that called this contract. */
const tx = (number: number, called: Address, ...made: Made[]) => ({ number, called, made });

/** A chain of these transactions alone. */
function chainOf(transactions: readonly ReturnType<typeof tx>[]): PublicClient {
  const logsOf = ({ number, made }: ReturnType<typeof tx>) =>
    made.map(({ log }, logIndex) => ({ ...log, logIndex, blockNumber: 1n, transactionHash: word(number) }));
  const [topic] = encodeEventTopics({ abi: [transfer] });
  const isTo = (to: Hex | undefined, payees: readonly Address[]) =>
    payees.some((each) => to?.toLowerCase().endsWith(each.slice(2).toLowerCase()));
  return {
    getLogs: async ({ address, args }: { address: Address[]; args: { to: Address[] } }) =>
      transactions
        .flatMap(logsOf)
        .filter(
          (log) => address.includes(log.address) && log.topics[0] === topic && isTo(log.topics[2] as Hex, args.to),
        ),
    getTransactionReceipt: async ({ hash }: { hash: Hex }) => {
      const found = transactions.find(({ number }) => word(number) === hash);
      return found && { to: found.called, logs: logsOf(found) };
    },
    readContract: async () => 18,
  } as unknown as PublicClient;
}

/** A payment's file, as the agent writes it. */
const file = (
  nonce: number,
  name: string,
  transaction = nonce,
  changes: { value?: number; to?: Address; permit?: true } = {},
) => {
  const { value = 5, to = payee, permit } = changes;
  const times = { validAfter: '0', validBefore: '1' };
  return {
    payment: {
      ...{ key: `${nonce}`, id: '', network: 'eip155:56', method: permit ? 'permit2-exact' : 'eip3009' },
      ...{ asset: permit ? other : token, signature: '0x' },
      authorization: { from: payer, to, value: `${value}`, nonce: word(nonce), ...times },
    },
    question: { key: '', ask: { prompt: '' } },
    state: { name, since: '1', answer: {}, hashes: [], isUnanswered: false, transaction: word(transaction) },
  };
};

async function ledgerOf(
  transactions: readonly ReturnType<typeof tx>[],
  files: readonly ReturnType<typeof file>[],
  given: typeof terms | undefined = terms,
) {
  const folder = mkdtempSync(join(tmpdir(), 'ledger-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const each of files) {
    const place = join(folder, each.state.name === 'PAID' ? 'answered' : 'open');
    mkdirSync(place, { recursive: true });
    writeFileSync(join(place, `${each.payment.key}.json`), JSON.stringify(each));
  }
  const blocks = { from: 0n, to: 9n };
  return answersLedger(chainOf(transactions), given, blocks, pathToFileURL(`${folder}/`));
}
const linesOf = async (...given: Parameters<typeof ledgerOf>) => (await ledgerOf(...given))?.lines.slice(1);
const dollars = (units: number) => `0.${'0'.repeat(17)}${units}`;
const line = (reason: string, units: number, number: number) =>
  `${reason}: ${dollars(units)} by ${payer}, transaction ${word(number)}`;

test('AG-150: the ledger names what is owed, what nobody asked for, and what was answered and not paid', async () => {
  const transactions = [1, 2, 3, 5].map((number) => tx(number, token, used(number), moved(5)));
  const files = [file(1, 'PAID'), file(2, 'UNKNOWN'), file(4, 'PAID'), file(5, 'PAID', 9), file(6, 'KEPT')];
  expect(await ledgerOf(transactions, files)).toEqual({
    lines: [
      `Blocks 0 to 9: 4 payments to ${payee}, 0.00000000000000002 dollars in all.`,
      `1 answered, ${dollars(5)} dollars.`,
      line('owed', 5, 2),
      line('no question known', 5, 3),
      line('no question known', 5, 5),
      `answered, and not paid on chain: nonce ${word(4)}`,
      `answered, and not paid on chain: nonce ${word(5)}`,
    ],
    differences: 5,
    unread: [],
  });
});

test('AG-150: one transfer answers one payment, by its payer, of its token, to its payee, of its amount', async () => {
  const ofOne = [tx(1, token, used(1), moved(5), used(2), moved(6))];
  expect(await ledgerOf(ofOne, [file(1, 'PAID', 1), file(2, 'PAID', 1)])).toMatchObject({ differences: 0 });
  expect(
    await ledgerOf(
      ofOne,
      [1, 2, 3].map((nonce) => file(nonce, 'PAID', 1)),
    ),
  ).toMatchObject({ differences: 1 });
  for (const made of [moved(4), moved(5, thief), moved(5, payee, other), moved(5, payee, token, thief)]) {
    const lines = await linesOf([tx(1, token, used(1), made)], [file(1, 'PAID')]);
    expect(lines).toContain(`answered, and not paid on chain: nonce ${word(1)}`);
  }
});

test('AG-150: a transfer that no signature made is no payment', async () => {
  // Sent by its payer, or by a contract that holds the payer's approval.
  const plain = [tx(1, token, moved(5)), tx(2, thief, moved(5)), tx(3, other, moved(5, payee, other))];
  expect(await linesOf(plain, [])).toEqual(['0 answered, 0 dollars.']);
  expect(await linesOf([tx(1, thief, used(1, token, thief), moved(5))], [])).toEqual(['0 answered, 0 dollars.']);
  // A token's own order of the two logs does not matter; a permit has no log but the transfer.
  const signed = [tx(1, token, moved(5), used(1)), tx(2, thief, moved(6, payee, other))];
  expect(await linesOf(signed, [])).toEqual([
    '0 answered, 0 dollars.',
    line('no question known', 5, 1),
    line('no question known', 6, 2),
  ]);
});

test('AG-150: two permits of one payer in one transaction are two payments', async () => {
  const transactions = [tx(1, thief, moved(7, payee, other), moved(5, payee, other), moved(5, payee, other))];
  const permits = [
    file(1, 'UNKNOWN', 1, { value: 5, permit: true }),
    file(2, 'PAID', 1, { value: 6, permit: true }),
    file(3, 'PAID', 1, { value: 6, permit: true }),
  ];
  expect(await linesOf(transactions, permits)).toEqual([
    `1 answered, ${dollars(7)} dollars.`,
    line('owed', 5, 1),
    line('no question known', 5, 1),
    `answered, and not paid on chain: nonce ${word(3)}`,
  ]);
  const exact = [file(1, 'PAID', 1, { value: 6, permit: true }), file(2, 'PAID', 1, { value: 7, permit: true })];
  const both = tx(1, thief, moved(7, payee, other), moved(6, payee, other));
  expect(await linesOf([both], exact)).toHaveLength(1);
  const dearer = file(3, 'UNKNOWN', 1, { value: 8, permit: true });
  expect(await linesOf([both], [dearer])).toContain(line('no question known', 7, 1));
});

test('AG-150: the ledger looks where answers were paid before the terms changed, too', async () => {
  const transactions = [tx(1, token, used(1), moved(5, thief)), tx(2, thief, moved(5, payee, other))];
  const files = [file(1, 'PAID', 1, { to: thief }), file(2, 'PAID', 2, { permit: true })];
  for (const now of [terms, { ...terms, permitted: [] }, undefined]) {
    expect(await linesOf(transactions, files, now)).toEqual(['2 answered, 0.00000000000000001 dollars.']);
  }
  expect(await answersLedger(chainOf([]), undefined, { from: 0n, to: 9n }, pathToFileURL('/none/'))).toBeUndefined();
});

test('AG-150: a file that is no payment is not skipped', async () => {
  await expect(ledgerOf([], [{ ...file(1, 'PAID'), question: {} } as never])).rejects.toThrow('question');
});

const book = {
  escrow: { token: { address: token } },
  assets: [
    { symbol: 'USDT', address: other },
    { symbol: 'USDC', address: thief },
    { symbol: 'BTCB', address: payer },
  ],
} as unknown as AddressBook;

test('AG-150: the payee is the one that is named, else the settings’, and is never guessed', () => {
  expect(payeeOf(payee, { PAY_TO: payer }, bscChainId)).toBe(payee);
  expect(payeeOf(undefined, { PAY_TO: ` ${payer} ` }, bscChainId)).toBe(payer);
  expect(payeeOf(undefined, {}, bscChainId)).toBeUndefined();
  expect(payeeOf(undefined, {}, localChainId)).toMatch(/^0x/);
  expect(() => payeeOf('0x1', {}, bscChainId)).toThrow('invalid_address: --payee must be an address');
  expect(() => payeeOf(undefined, { PAY_TO: zeroHash }, bscChainId)).toThrow('invalid_address: PAY_TO must be');
  expect(termsOf(payee, {}, book)).toEqual({ payee, token, permitted: [other, thief] });
  expect(termsOf(payee, { PERMIT2_TOKENS: 'USDC' }, book)).toEqual({ payee, token, permitted: [thief] });
  expect(termsOf(payee, { PERMIT2_TOKENS: 'none' }, book)).toEqual({ payee, token, permitted: [] });
  expect(() => termsOf(payee, {}, { assets: [] } as unknown as AddressBook)).toThrow('no known payment token');
});

test('AG-150: the sellers are those that are named, a former one too, else the account of the seller’s key', () => {
  const SELLER_PRIVATE_KEY = '0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d';
  expect(sellersOf(`${payer}, ${payee}`, { SELLER_PRIVATE_KEY }, localChainId)).toEqual([payer, payee]);
  expect(sellersOf(undefined, { SELLER_PRIVATE_KEY }, localChainId)).toEqual([
    '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
  ]);
  expect(sellersOf(undefined, {}, bscChainId)).toEqual([]);
  expect(() => sellersOf('0x1', {}, localChainId)).toThrow('invalid_address: --seller must be an address');
});
