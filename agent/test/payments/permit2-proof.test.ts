import type { Payment } from '@bowline/core/domain/payment';
import {
  type Address,
  custom,
  encodeAbiParameters,
  encodeEventTopics,
  type Hex,
  numberToHex,
  pad,
  parseAbi,
} from 'viem';
import { expect, test } from 'vitest';
import { connectChain } from '../../src/chain/chain-client.ts';
import { createPaymentProof } from '../../src/payments/payment-proof.ts';
import { permit2 } from '../../src/payments/permit2-check.ts';
import { transfersIn } from '../../src/payments/transfers.ts';

// What nodes that lag, forget or lie can have the agent believe of a permit, on a chain that is written down here.

const account = (number: number): Address => numberToHex(number, { size: 20 });
const [token, payer, payee, thief] = [1, 2, 3, 4].map(account) as [Address, Address, Address, Address];
const amount = 100n;
const validBefore = 1_000n;
/** When nothing can change any more. */
const FINAL = validBefore + 300n;
const [since, paidAt] = [5_000n, 5_010n];
const signature: Hex = `0x${'5a'.repeat(64)}1b`;
const abi = parseAbi([
  'event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce)',
  'event Transfer(address indexed from, address indexed to, uint256 value)',
  'event UnorderedNonceInvalidation(address indexed owner, uint256 word, uint256 mask)',
]);

const payment: Payment = {
  key: 'key',
  id: 'id',
  method: 'permit2',
  asset: token,
  authorization: {
    ...{ from: payer, to: payee, value: amount, validAfter: 0n, validBefore },
    nonce: numberToHex(7, { size: 32 }),
    spender: thief,
  },
  digest: pad('0x04'),
  signature,
};

interface Logged {
  readonly address: Address;
  readonly topics: readonly Hex[];
  readonly data: Hex;
}
const words = (...numbers: bigint[]) =>
  encodeAbiParameters(
    numbers.map(() => ({ type: 'uint256' })),
    numbers,
  );
const moved = (to = payee, value = amount): Logged => ({
  address: token,
  topics: encodeEventTopics({ abi, eventName: 'Transfer', args: { from: payer, to } }) as Hex[],
  data: words(value),
});
const used = (nonce: bigint): Logged => ({
  address: token,
  topics: encodeEventTopics({
    abi,
    eventName: 'AuthorizationUsed',
    args: { authorizer: payer, nonce: numberToHex(nonce, { size: 32 }) },
  }) as Hex[],
  data: '0x',
});
const voided = (nonce = 7n): Logged => ({
  address: permit2,
  topics: encodeEventTopics({ abi, eventName: 'UnorderedNonceInvalidation', args: { owner: payer } }) as Hex[],
  data: words(nonce >> 8n, 1n << (nonce & 255n)),
});

interface Transaction {
  readonly block: bigint;
  readonly logs: readonly Logged[];
  /** What it carries. */
  readonly input?: Hex;
}

interface NodeOptions {
  readonly head?: bigint;
  readonly timestamp?: bigint;
  /** The nonce is used from this block on. */
  readonly usedFrom?: bigint;
  /** The oldest state it has. */
  readonly stateFrom?: bigint;
  /** It answers queries of logs by none. */
  readonly hidesLogs?: boolean;
  readonly refusesLogs?: boolean;
  /** It serves the other logs. */
  readonly refusesTransfers?: boolean;
  /** Or takes no requests at all. */
  readonly isDown?: boolean;
  /** Asked for a block that it does not have yet, it answers of its newest. */
  readonly clamps?: boolean;
}

const hashOf = (at: number): Hex => numberToHex(at + 1, { size: 32 });
const blockHash = (block: bigint): Hex => numberToHex(block, { size: 32 });

function nodeOf(transactions: readonly Transaction[], options: NodeOptions = {}) {
  const { head = 5_100n, timestamp = 900n, usedFrom = paidAt, stateFrom = 0n } = options;
  const receipts = transactions.map(({ block, logs }, at) => {
    const place = { blockNumber: numberToHex(block), blockHash: blockHash(block), transactionHash: hashOf(at) };
    const first = transactions.slice(0, at).reduce((sum, other) => sum + other.logs.length, 0);
    return {
      ...{ ...place, transactionIndex: numberToHex(at), status: '0x1', type: '0x2' },
      ...{ gasUsed: '0x1', effectiveGasPrice: '0x1' },
      logs: logs.map((log, next) => ({ ...log, ...place, logIndex: numberToHex(first + next), removed: false })),
    };
  });
  const known = receipts.filter(({ blockNumber }) => BigInt(blockNumber) <= head);
  type Query = { fromBlock?: Hex; toBlock?: Hex; blockHash?: Hex; address: Address | Address[]; topics: unknown[] };
  const answers: Record<string, (...params: never[]) => unknown> = {
    eth_blockNumber: () => numberToHex(head),
    eth_getBlockByNumber: () => ({ number: numberToHex(head), timestamp: numberToHex(timestamp), transactions: [] }),
    eth_call: ({ to }: { to: Address }, block: Hex) => {
      const asked = BigInt(block);
      if ((asked > head && !options.clamps) || asked < stateFrom) throw new Error('missing trie node');
      // The token keeps one nonce a word.
      return words(asked < usedFrom ? 0n : to === token ? 1n : 1n << 7n);
    },
    eth_getTransactionReceipt: (hash: Hex) => known.find(({ transactionHash }) => transactionHash === hash) ?? null,
    eth_getTransactionByHash: (hash: Hex) => {
      const at = known.findIndex(({ transactionHash }) => transactionHash === hash);
      return at < 0 ? null : { hash, input: transactions[at]?.input ?? '0x', type: '0x2' };
    },
    eth_getBlockReceipts: () => null,
    eth_getLogs: ({ fromBlock = '0x0', toBlock = '0xffffff', blockHash: only, address, topics }: Query) => {
      if (options.refusesLogs) throw new Error('limit exceeded');
      if (options.refusesTransfers && address === token) throw new Error('limit exceeded');
      if (options.hidesLogs) return [];
      return known
        .filter(({ blockNumber }) => BigInt(blockNumber) >= BigInt(fromBlock) && BigInt(blockNumber) <= BigInt(toBlock))
        .filter((each) => only === undefined || each.blockHash === only)
        .flatMap(({ logs }) => logs)
        .filter((log) => [address].flat().some((one) => one.toLowerCase() === log.address.toLowerCase()))
        .filter((log) => topics.every((one, at) => [one].flat().some((topic) => topic === log.topics[at])));
    },
  };
  const request = async ({ method, params }: { method: string; params?: unknown }) => {
    if (options.isDown) throw new Error('down');
    return answers[method]?.(...((params ?? []) as never[]));
  };
  return connectChain(custom({ request }, { retryCount: 0 }));
}

const direct = `0x1234${signature.slice(2)}00` as Hex;
const settled: Transaction = { block: paidAt, logs: [moved()], input: direct };
/** A batch whose calldata is packed. */
const packed: Transaction = { block: paidAt, logs: [moved()], input: '0x1234' };
const paid = { state: 'paid', transaction: hashOf(0) };

function standingOf(
  nodes: readonly ReturnType<typeof nodeOf>[],
  { named = [] as readonly Hex[], claim = async () => true, of = payment } = {},
) {
  const [first] = nodes;
  if (first === undefined) throw new Error('No node.');
  return createPaymentProof(first, nodes, claim).standing(of, since, named);
}

test('AG-233: that a node shows no transfer is no outcome before the payment is final, and then only from two nodes', async () => {
  const unclear = { state: 'unclear', waiting: false };
  const blind = { hidesLogs: true };
  const late = { timestamp: FINAL };
  const elsewhere: Transaction = { block: paidAt, logs: [] };
  // One node answers "none", though it was paid.
  expect(await standingOf([nodeOf([settled], blind)])).toEqual({ ...unclear, isFinal: false });
  expect(await standingOf([nodeOf([settled], { ...blind, head: 9_000n })])).toEqual({ ...unclear, isFinal: false });
  // At the end another node may show it.
  const blindAndLate = nodeOf([settled], { ...blind, ...late });
  expect(await standingOf([blindAndLate])).toEqual({ ...unclear, isFinal: true });
  expect(await standingOf([blindAndLate, nodeOf([settled], late)])).toEqual(paid);
  // It was not paid: that takes two that have all logs until that block.
  const honest = nodeOf([elsewhere], late);
  const second = (options: NodeOptions) => standingOf([honest, nodeOf([elsewhere], { ...late, ...options })]);
  expect(await standingOf([honest])).toEqual({ ...unclear, isFinal: true });
  for (const failing of [
    { isDown: true },
    { refusesLogs: true },
    { head: 5_099n },
    { head: 5_099n, clamps: true },
    { usedFrom: 9_999n },
    { stateFrom: 9_999n },
  ]) {
    expect(await second(failing), JSON.stringify(Object.keys(failing))).toEqual({ ...unclear, isFinal: true });
  }
  expect(await second({})).toEqual({ state: 'used_elsewhere', isFinal: true });
  expect(await second({ head: 6_000n })).toEqual({ state: 'used_elsewhere', isFinal: true });
  // A transaction that the facilitator named may come still.
  const named = [hashOf(9)];
  expect(await standingOf([honest, honest], { named })).toEqual({ state: 'unclear', waiting: true, isFinal: true });
  // A second before, nothing is concluded.
  const early = nodeOf([elsewhere], { timestamp: FINAL - 1n });
  expect(await standingOf([early, early])).toEqual({ ...unclear, isFinal: false });
});

test('AG-234: a transfer proves no permit whose nonce its payer made void in the same block, in any order of asking', async () => {
  const voiding: Transaction = { block: paidAt, logs: [voided()] };
  for (const transfer of [settled, packed]) {
    const node = nodeOf([voiding, transfer]);
    const cancelled = { state: 'cancelled', isFinal: false };
    expect(await standingOf([node])).toEqual(cancelled);
    expect(await standingOf([node], { named: [hashOf(1)] })).toEqual(cancelled);
  }
  // Another nonce made void says nothing, nor does this one after it has paid.
  const other: Transaction = { block: paidAt, logs: [voided(8n)] };
  for (const transfer of [settled, packed]) expect(await standingOf([nodeOf([transfer, other])])).toEqual(paid);
  expect(await standingOf([nodeOf([settled, voiding])])).toEqual(paid);
  // If nothing but the block binds transfer and permit, it cannot be told which came of which.
  expect((await standingOf([nodeOf([packed, voiding])])).state).toBe('unclear');
  // Nor may the node keep silent about that block.
  expect((await standingOf([nodeOf([packed], { hidesLogs: true })], { named: [hashOf(0)] })).state).toBe('unclear');
});

test('AG-234: a nonce made void after it has paid ends no payment at a node that shows that alone', async () => {
  const voiding: Transaction = { block: paidAt + 5n, logs: [voided()] };
  const node = (options: NodeOptions) => nodeOf([settled, voiding], options);
  expect(await standingOf([node({ timestamp: FINAL })])).toEqual(paid);
  const partial = { refusesTransfers: true };
  expect((await standingOf([node(partial)])) as object).toMatchObject({ isFinal: false });
  const late = node({ ...partial, timestamp: FINAL });
  expect(await standingOf([late, late])).toEqual({ state: 'unclear', waiting: false, isFinal: true });
  expect(await standingOf([late, node({ timestamp: FINAL })])).toEqual(paid);
});

test('AG-239: of a payment whose validity is over, all blocks of the longest validity are searched', async () => {
  const own: Payment = { ...payment, method: 'eip3009' };
  const block = since + 9_000n;
  const logs = [used(7n), moved()];
  const node = (timestamp: bigint) => nodeOf([{ block, logs }], { usedFrom: block, head: since + 40_000n, timestamp });
  expect((await standingOf([node(FINAL - 1n)], { of: own })).state).toBe('unclear');
  expect(await standingOf([node(FINAL)], { of: own })).toEqual(paid);
});

test('AG-235: a transaction that may be the payment keeps it open, whatever logs two nodes lack', async () => {
  const pruned = nodeOf([packed], { timestamp: FINAL, hidesLogs: true, stateFrom: paidAt + 50n });
  expect((await standingOf([pruned, pruned], { named: [hashOf(0)] })).state).toBe('unclear');
  expect((await standingOf([pruned, pruned])).state).toBe('used_elsewhere');
});

test('AG-235: what a node does not have proves nothing: without the old state, the signature in the transaction has to', async () => {
  const named = [hashOf(0)];
  const pruned = { stateFrom: 5_090n };
  expect(await standingOf([nodeOf([packed], pruned)], { named })).toMatchObject({ state: 'unclear' });
  expect(await standingOf([nodeOf([settled], pruned)], { named })).toEqual(paid);
  expect(await standingOf([nodeOf([settled], { ...pruned, refusesLogs: true })], { named })).toEqual(paid);
  // Nor does it prove the contrary, though all nodes have all logs.
  const forgetful = nodeOf([packed], { ...pruned, timestamp: FINAL });
  expect(await standingOf([forgetful, forgetful])).toEqual({ state: 'unclear', waiting: false, isFinal: true });
  // A transfer of long before, which the facilitator names.
  for (const transfer of [settled, packed]) {
    const old = { ...transfer, block: since - 17n };
    expect(await standingOf([nodeOf([old], pruned)], { named })).toMatchObject({ state: 'unclear' });
  }
  // A reorganisation may have put it before the block in which the nonce was seen unused.
  const reorganised = { ...settled, block: since - 16n };
  expect(await standingOf([nodeOf([reorganised], { usedFrom: since - 16n })], { named })).toEqual(paid);
  // An unused nonce has paid nothing, whatever else there is.
  const unused = nodeOf([settled], { ...pruned, usedFrom: 9_999n });
  expect(await standingOf([unused], { named })).toMatchObject({ state: 'unused', waiting: false });
  // The node that was asked for its newest block lags behind the one that has the receipt.
  const behind = nodeOf([settled], { head: paidAt - 1n });
  const ahead = nodeOf([settled], {});
  const mixed = Object.assign(behind, { getTransactionReceipt: ahead.getTransactionReceipt });
  expect(await standingOf([mixed], { named })).toMatchObject({ state: 'unused', waiting: true });
  // Used before, or after: not by this transfer.
  for (const usedFrom of [paidAt - 1n, paidAt + 1n]) {
    for (const transfer of [settled, packed]) {
      expect(await standingOf([nodeOf([transfer], { usedFrom })], { named })).toMatchObject({ state: 'unclear' });
    }
  }
});

test('AG-236: in a batch each transfer belongs to what made it, and none to two', async () => {
  const of = (logs: readonly Logged[]) => {
    const { isPaidBy, others } = transfersIn(logs as never, payment);
    return [[1n, 2n].filter((nonce) => isPaidBy(numberToHex(nonce, { size: 32 }))).map(Number), others];
  };
  expect(of([moved()])).toEqual([[], [0]]);
  // Two payments of one payer: one by an authorisation, one by a permit, in either order of the token's logs.
  expect(of([used(1n), moved(), moved()])).toEqual([[1], [2]]);
  expect(of([moved(), used(1n), moved()])).toEqual([[1], [0]]);
  expect(of([moved(), moved(), used(1n)])).toEqual([[1], [0]]);
  expect(of([used(1n), moved(thief), moved()])).toEqual([[], [2]]);
  expect(of([moved(), moved(thief), used(1n)])).toEqual([[], [0]]);
  expect(of([used(1n), moved(), used(2n), moved(), moved()])).toEqual([[1, 2], [4]]);
  // One transfer and two that might have made it: no permit.
  expect(of([moved(), used(1n), moved(thief)])).toEqual([[1], []]);
  expect(of([moved(), used(1n), used(2n)])[1]).toEqual([]);
  // Whatever the order, there are no more payments than transfers.
  for (const logs of orders([used(1n), used(2n), moved(), moved(), moved(thief)])) {
    const [paidBy, others] = of(logs);
    expect((paidBy?.length ?? 0) + (others?.length ?? 0), JSON.stringify(logs)).toBeLessThanOrEqual(2);
  }
  // On the chain of a facilitator that settles several at once.
  const batch: Transaction = { block: paidAt, logs: [used(1n), moved(), moved()], input: direct };
  expect(await standingOf([nodeOf([batch])], { named: [hashOf(0)] })).toEqual(paid);
});

function orders<Item>(items: readonly Item[]): Item[][] {
  if (items.length === 0) return [[]];
  return items.flatMap((item, at) => orders(items.toSpliced(at, 1)).map((rest) => [item, ...rest]));
}
