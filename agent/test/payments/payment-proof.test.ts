import { connectChain } from '@bowline/chain/chain-client';
import type { Payment } from '@bowline/core/domain/payment';
import { type Address, encodeAbiParameters, encodeEventTopics, type Hex, type Log, numberToHex, parseAbi } from 'viem';
import { expect, test } from 'vitest';
import { createPaymentProof } from '../../src/payments/payment-proof.ts';
import { transfersIn } from '../../src/payments/transfers.ts';
import { serve } from '../api/serve.ts';

const account = (number: number): Address => numberToHex(number, { size: 20 });
const [token, otherToken, payer, otherPayer, payee, thief] = [1, 2, 3, 4, 5, 6].map(account) as [
  Address,
  Address,
  Address,
  Address,
  Address,
  Address,
];
const amount = 100n;
const abi = parseAbi([
  'event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce)',
  'event AuthorizationCanceled(address indexed authorizer, bytes32 indexed nonce)',
  'event Transfer(address indexed from, address indexed to, uint256 value)',
  'event Noted(address indexed from, bytes32 indexed nonce)',
]);
const nonceOf = (number: number): Hex => numberToHex(number, { size: 32 });

const log = (address: Address, topics: readonly unknown[], data: Hex = '0x') => ({ address, topics, data }) as Log;
const used = (nonce: number, by = payer, address = token): Log =>
  log(
    address,
    encodeEventTopics({ abi, eventName: 'AuthorizationUsed', args: { authorizer: by, nonce: nonceOf(nonce) } }),
  );
const cancelled = (nonce: number): Log =>
  log(
    token,
    encodeEventTopics({ abi, eventName: 'AuthorizationCanceled', args: { authorizer: payer, nonce: nonceOf(nonce) } }),
  );
const noted = (nonce: number): Log =>
  log(token, encodeEventTopics({ abi, eventName: 'Noted', args: { from: payer, nonce: nonceOf(nonce) } }));
const moved = (to = payee, value = amount, from = payer, address = token): Log =>
  log(
    address,
    encodeEventTopics({ abi, eventName: 'Transfer', args: { from, to } }),
    encodeAbiParameters([{ type: 'uint256' }], [value]),
  );

const authorization = (nonce: number, from = payer) => ({
  from,
  to: payee,
  value: amount,
  validAfter: 0n,
  validBefore: 1n,
  nonce: nonceOf(nonce),
});
const paid = (logs: readonly Log[], nonce = 1, from = payer) =>
  transfersIn(logs, { asset: token, authorization: authorization(nonce, from) }).isPaidBy(nonceOf(nonce));

test('PY-9: the authorisation used and the transfer to us, in either order, with whatever else around', () => {
  expect(paid([used(1), moved()])).toBe(true);
  expect(paid([moved(), used(1)])).toBe(true);
  expect(paid([used(1), noted(1), moved(payee, amount + 1n)])).toBe(true);
  expect(paid([moved(thief), used(9, otherPayer), moved(thief, 5n, otherPayer), used(1), moved(), moved(thief)])).toBe(
    true,
  );
  expect(paid([used(1), log(otherToken, []), moved(thief, amount, payer, otherToken), moved()])).toBe(true);
});

test('PY-9: anything less is no proof', () => {
  const none: [string, Log[]][] = [
    ['nothing', []],
    ['transfer alone', [moved()]],
    ['use alone', [used(1)]],
    ['cancelled', [cancelled(1), moved()]],
    ['another nonce', [used(2), moved()]],
    ['another payer', [used(1, otherPayer), moved()]],
    ['used at another token', [used(1, payer, otherToken), moved()]],
    ['another token moved', [used(1), moved(payee, amount, payer, otherToken)]],
    ['another payee', [used(1), moved(thief)]],
    ['too little', [used(1), moved(payee, amount - 1n)]],
    ['in pieces', [used(1), moved(payee, 60n), moved(payee, 40n)]],
    ["another's money", [used(1), moved(payee, amount, otherPayer)]],
  ];
  for (const [name, logs] of none) expect(paid(logs), name).toBe(false);
});

test('PY-9: one transfer never stands for two authorisations, in any order of logs', () => {
  // Every order of two uses of one payer, one or two transfers to us, and one to somebody else.
  for (const toUs of [1, 2]) {
    const events = [used(1), used(2), moved(thief), ...Array.from({ length: toUs }, () => moved())];
    for (const logs of orders(events)) {
      const counted = [1, 2].filter((nonce) => paid(logs, nonce)).length;
      expect(counted, logs.map(({ topics }) => topics[2]).join()).toBeLessThanOrEqual(toUs);
    }
  }
  // As tokens log it: the one that paid us is the one that counts.
  expect([1, 2].map((nonce) => paid([used(1), moved(), used(2), moved(thief)], nonce))).toEqual([true, false]);
  expect([1, 2].map((nonce) => paid([used(2), moved(thief), used(1), moved()], nonce))).toEqual([true, false]);
  const three = [used(1), moved(), used(2), moved(), used(3), moved()];
  expect([1, 2, 3].map((nonce) => paid(three, nonce))).toEqual([true, true, true]);
  const before = [moved(), used(1), moved(), used(2), moved(), used(3)];
  expect([1, 2, 3].map((nonce) => paid(before, nonce))).toEqual([true, true, true]);
  // Two payers in one transaction.
  const both = [used(1), moved(), used(1, otherPayer), moved(payee, amount, otherPayer)];
  expect([payer, otherPayer].map((from) => paid(both, 1, from))).toEqual([true, true]);
  const one = [used(1), used(1, otherPayer), moved()];
  expect([payer, otherPayer].map((from) => paid(one, 1, from))).toEqual([true, false]);
});

function orders<Item>(items: readonly Item[]): Item[][] {
  if (items.length === 0) return [[]];
  return items.flatMap((item, at) => orders(items.toSpliced(at, 1)).map((rest) => [item, ...rest]));
}

/** A node whose newest block is `head`; the authorisation paid in `usedIn`. It refuses logs of more than 2,000 blocks. */
async function startNode({ usedIn, head }: { usedIn: bigint; head: bigint }) {
  let searches = 0;
  const hash = numberToHex(usedIn, { size: 32 });
  const place = {
    blockNumber: numberToHex(usedIn),
    blockHash: hash,
    transactionHash: hash,
    transactionIndex: '0x0',
    removed: false,
  };
  const logs = [used(1), moved()].map((each, at) => ({ ...each, ...place, logIndex: numberToHex(at) }));
  const receipt = { ...place, status: '0x1', logs, gasUsed: '0x1', effectiveGasPrice: '0x1', type: '0x2' };
  const answers: Record<string, (params: never) => unknown> = {
    eth_getBlockByNumber: () => ({ number: numberToHex(head), timestamp: '0x1', transactions: [] }),
    eth_call: () => numberToHex(1, { size: 32 }),
    eth_getTransactionReceipt: ([asked]: [Hex]) => (asked === hash ? receipt : null),
    eth_getLogs: ([{ fromBlock, toBlock }]: [{ fromBlock: Hex; toBlock: Hex }]) => {
      searches += 1;
      if (BigInt(toBlock) - BigInt(fromBlock) >= 2_000n) throw new Error('range');
      return usedIn >= BigInt(fromBlock) && usedIn <= BigInt(toBlock) ? [logs[0]] : [];
    },
  };
  const url = await serve(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const { id, method, params } = JSON.parse(body);
    let answer: object;
    try {
      answer = { result: answers[method]?.(params as never) };
    } catch {
      answer = { error: { code: -32005, message: 'block range too large' } };
    }
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ jsonrpc: '2.0', id, ...answer }));
  });
  const payment: Payment = {
    key: 'key',
    id: 'id',
    method: 'eip3009',
    asset: token,
    authorization: authorization(1),
    digest: nonceOf(1),
    signature: '0x05',
  };
  const proof = createPaymentProof(connectChain(url), [], async () => true);
  return { standing: (since: bigint) => proof.standing(payment, since, []), hash, searches: () => searches };
}

test('PY-10: the use is found however long ago it was, as long as it was soon after it was seen unused, or is recent', async () => {
  const since = 1_000_000n;
  for (const [after, age] of [
    [1n, 0n],
    [1n, 2_001n],
    [2_000n, 5_000n],
    [1n, 1_000_000n],
    [2_001n, 1_000_000n],
    [6_000n, 1_000_000n],
    [500_000n, 1_000n],
    // A reorganisation put it before the block at which it was seen unused.
    [-3n, 1_000n],
  ] as const) {
    const usedIn = since + after;
    const node = await startNode({ usedIn, head: usedIn + age });
    expect(await node.standing(since), `${after} after, ${age} ago`).toEqual({ state: 'paid', transaction: node.hash });
    expect(node.searches()).toBeLessThanOrEqual(5);
  }
});

test('PY-10: a use in the middle of a long time is not found, and stays open', async () => {
  const node = await startNode({ usedIn: 1_500_000n, head: 2_000_000n });
  expect(await node.standing(1_000_000n)).toEqual({ state: 'unclear', waiting: false, isFinal: false });
  expect(node.searches()).toBe(5);
});
