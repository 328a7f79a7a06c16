import { connectChain } from '@bowline/chain/chain-client';
import type { Payment } from '@bowline/core/domain/payment';
import { type Address, custom, encodeAbiParameters, encodeEventTopics, type Hex, numberToHex, parseAbi } from 'viem';
import { type Claim, createProof } from '../../../src/selling/payments/proof.ts';

// A chain that is written down here, and nodes that show it, lag, forget or lie.

const account = (number: number): Address => numberToHex(number, { size: 20 });
const [token, payer, payee] = [1, 2, 3].map(account) as [Address, Address, Address];
export const thief = account(4);
const amount = 100n;
export const validBefore = 1_000n;
/** From here on, nothing can change. */
export const FINAL = validBefore + 300n;
export const [since, paidAt] = [5_000n, 5_010n];
const signature: Hex = `0x${'5a'.repeat(64)}1b`;
const abi = parseAbi([
  'event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce)',
  'event AuthorizationCanceled(address indexed authorizer, bytes32 indexed nonce)',
  'event Transfer(address indexed from, address indexed to, uint256 value)',
]);

export const payment: Payment = {
  key: 'key',
  id: 'id',
  network: 'eip155:31337',
  method: 'eip3009',
  asset: token,
  authorization: {
    ...{ from: payer, to: payee, value: amount, validAfter: 0n, validBefore },
    nonce: numberToHex(7, { size: 32 }),
  },
  signature,
};

export interface Logged {
  readonly address: Address;
  readonly topics: readonly Hex[];
  readonly data: Hex;
}
const words = (...numbers: bigint[]) =>
  encodeAbiParameters(
    numbers.map(() => ({ type: 'uint256' })),
    numbers,
  );
export const moved = (to = payee, value = amount): Logged => ({
  address: token,
  topics: encodeEventTopics({ abi, eventName: 'Transfer', args: { from: payer, to } }) as Hex[],
  data: words(value),
});
const ended = (eventName: 'AuthorizationUsed' | 'AuthorizationCanceled', nonce: bigint): Logged => ({
  address: token,
  topics: encodeEventTopics({
    abi,
    eventName,
    args: { authorizer: payer, nonce: numberToHex(nonce, { size: 32 }) },
  }) as Hex[],
  data: '0x',
});
export const used = (nonce: bigint): Logged => ended('AuthorizationUsed', nonce);
export const cancelled = (nonce = 7n): Logged => ended('AuthorizationCanceled', nonce);
export interface Transaction {
  readonly block: bigint;
  readonly logs: readonly Logged[];
  readonly status?: 'reverted';
}

export interface NodeOptions {
  readonly head?: bigint;
  readonly timestamp?: bigint;
  /** The nonce is used from this block on. */
  readonly usedFrom?: bigint;
  /** The oldest state it has. */
  readonly stateFrom?: bigint;
  /** It answers log queries with no logs. */
  readonly hidesLogs?: boolean;
  /** It shows receipts without their logs. */
  readonly stripsReceipts?: boolean;
  readonly refusesLogs?: boolean;
  /** It takes no requests at all. */
  readonly isDown?: boolean;
  /** Asked for a block that it does not have yet, it answers for its newest. */
  readonly clamps?: boolean;
}

export const hashOf = (at: number): Hex => numberToHex(at + 1, { size: 32 });
const blockHash = (block: bigint): Hex => numberToHex(block, { size: 32 });

export function nodeOf(transactions: readonly Transaction[], options: NodeOptions = {}) {
  const { head = 5_100n, timestamp = 900n, usedFrom = paidAt, stateFrom = 0n } = options;
  const receipts = transactions.map(({ block, logs, status }, at) => {
    const place = { blockNumber: numberToHex(block), blockHash: blockHash(block), transactionHash: hashOf(at) };
    const first = transactions.slice(0, at).reduce((sum, other) => sum + other.logs.length, 0);
    return {
      ...{ ...place, transactionIndex: numberToHex(at), status: status ? '0x0' : '0x1', type: '0x2' },
      ...{ gasUsed: '0x1', effectiveGasPrice: '0x1' },
      logs: logs.map((log, next) => ({ ...log, ...place, logIndex: numberToHex(first + next), removed: false })),
    };
  });
  const known = receipts.filter(({ blockNumber }) => BigInt(blockNumber) <= head);
  type Query = { fromBlock?: Hex; toBlock?: Hex; blockHash?: Hex; address: Address | Address[]; topics: unknown[] };
  const answers: Record<string, (...params: never[]) => unknown> = {
    eth_blockNumber: () => numberToHex(head),
    eth_getBlockByNumber: () => ({ number: numberToHex(head), timestamp: numberToHex(timestamp), transactions: [] }),
    eth_call: (_: unknown, block: Hex) => {
      const asked = BigInt(block);
      if ((asked > head && !options.clamps) || asked < stateFrom) throw new Error('missing trie node');
      // The token stores one nonce per word.
      return words(asked < usedFrom ? 0n : 1n);
    },
    eth_getTransactionReceipt: (hash: Hex) => {
      const receipt = known.find(({ transactionHash }) => transactionHash === hash);
      return receipt ? { ...receipt, ...(options.stripsReceipts && { logs: [] }) } : null;
    },
    eth_getBlockReceipts: () => null,
    eth_getLogs: ({ fromBlock = '0x0', toBlock = '0xffffff', blockHash: only, address, topics }: Query) => {
      if (options.refusesLogs) throw new Error('limit exceeded');
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

export const settled: Transaction = { block: paidAt, logs: [used(7n), moved()] };
export const paid = { state: 'paid', transaction: hashOf(0) };

interface Looking {
  readonly named?: readonly Hex[];
  readonly claim?: Claim;
  readonly of?: Payment;
  /** By the agent's clock. */
  readonly now?: bigint;
}

export function lookAt(
  nodes: readonly ReturnType<typeof nodeOf>[],
  { named = [] as readonly Hex[], claim = async () => true, of = payment, now = FINAL }: Looking = {},
) {
  const [first] = nodes;
  if (first === undefined) throw new Error('No node.');
  return createProof(first, nodes, claim).look(of, since, named, now);
}
