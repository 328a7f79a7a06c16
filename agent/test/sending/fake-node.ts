import type { ChainClient } from '@bowline/chain/chain-client';
import type { Head, Heads } from '@bowline/core/domain/heads';
import type { Clock, Timers } from '@bowline/core/domain/time';
import {
  createPublicClient,
  custom,
  type Hex,
  keccak256,
  parseTransaction,
  RpcRequestError,
  recoverTransactionAddress,
  type TransactionSerialized,
} from 'viem';

// A node and its chain in virtual time: half a minute of blocks passes in milliseconds. What it models: nonces, a mempool
// with replacement prices, a minimum price, receipts that are forgotten, and whatever a test makes it do.

const blockMs = 450;

interface Waiting {
  readonly hash: Hex;
  readonly raw: Hex;
  readonly from: string;
  readonly nonce: number;
  readonly gasPrice: bigint;
  readonly data: Hex;
}

interface Mined extends Waiting {
  readonly block: bigint;
}

export interface FakeNode {
  readonly client: ChainClient;
  readonly heads: Heads;
  readonly clock: Clock;
  readonly timers: Timers;
  /** Everything that was broadcast, in order, whether the node took it or not. */
  readonly broadcasts: Waiting[];
  readonly mined: Mined[];
  /** Runs before each request: throw to lose it; return anything but undefined to answer in the node's place. */
  meddle: (method: string, params: readonly unknown[]) => unknown;
  /** The lowest gas price that the miner takes. */
  minGasPrice: bigint;
  /** Newest blocks whose receipts the node still has. */
  memory: bigint;
  /** Undoes the newest block with a transaction of this account, and forgets the transaction. */
  undo(from: string): void;
  passBlocks(count: number): Promise<void>;
  newest(): bigint;
}

export const lostLine = (): never => {
  throw new Error('the line is dead');
};

const gasPrice = 1_000_000_000n;

export function startFakeNode(chainId: number): FakeNode {
  let now = 1_000_000;
  let block = 100n;
  let timersLeft: { readonly at: number; readonly call: () => void }[] = [];
  const waiting = new Map<string, Waiting>();
  const listeners = new Set<(head: Head) => void>();
  const counts = new Map<string, number>();
  const usedBy = (from: string): number => counts.get(from) ?? 0;
  const refuse = (message: string): never => {
    throw new RpcRequestError({ body: {}, url: 'fake', error: { code: -32_000, message } });
  };
  const toHex = (value: bigint | number): Hex => `0x${value.toString(16)}`;

  async function take(raw: Hex): Promise<Hex> {
    const serializedTransaction = raw as TransactionSerialized;
    const { nonce = 0, gasPrice: price = 0n, data = '0x' } = parseTransaction(serializedTransaction);
    const from = (await recoverTransactionAddress({ serializedTransaction })).toLowerCase();
    const sent = { hash: keccak256(raw), raw, from, nonce, gasPrice: price, data };
    node.broadcasts.push(sent);
    const meddled = node.meddle('eth_sendRawTransaction', [raw]);
    if (meddled !== undefined) return meddled as Hex;
    if (nonce < usedBy(from)) refuse('nonce too low');
    const key = `${from} ${nonce}`;
    const before = waiting.get(key);
    if (before?.hash === sent.hash) refuse('already known');
    if (before !== undefined && price * 10n < before.gasPrice * 11n) refuse('replacement transaction underpriced');
    waiting.set(key, sent);
    return sent.hash;
  }

  function receiptOf(hash: Hex) {
    const found = node.mined.find((each) => each.hash === hash);
    if (found === undefined || block - found.block >= node.memory) return null;
    const { from, block: blockNumber, gasPrice: price } = found;
    return {
      ...{ transactionHash: hash, status: '0x1', blockNumber: toHex(blockNumber), blockHash: keccak256(hash), from },
      ...{ gasUsed: toHex(100_000), effectiveGasPrice: toHex(price), logs: [], transactionIndex: '0x0', type: '0x0' },
      ...{ to: from, cumulativeGasUsed: toHex(100_000), contractAddress: null, logsBloom: '0x' },
    };
  }

  async function request({ method, params = [] }: { method: string; params?: unknown }): Promise<unknown> {
    const list = params as readonly string[];
    if (method === 'eth_sendRawTransaction') return take(list[0] as Hex);
    const meddled = node.meddle(method, list);
    if (meddled !== undefined) return meddled;
    const of = String(list[0]).toLowerCase();
    switch (method) {
      case 'eth_chainId':
        return toHex(chainId);
      case 'eth_gasPrice':
        return toHex(gasPrice);
      case 'eth_getBalance':
        return toHex(10n ** 20n);
      case 'eth_call':
        return '0x';
      case 'eth_getTransactionCount': {
        let next = usedBy(of);
        if (list[1] === 'pending') while (waiting.has(`${of} ${next}`)) next += 1;
        return toHex(next);
      }
      case 'eth_getTransactionReceipt':
        return receiptOf(of as Hex);
      case 'eth_getTransactionByHash':
        return [...waiting.values()].find(({ hash }) => hash === of) ?? null;
      default:
        return refuse(`${method} is not modelled`);
    }
  }

  function mine(): void {
    block += 1n;
    for (const from of new Set([...waiting.values()].map((each) => each.from))) {
      for (;;) {
        const key = `${from} ${usedBy(from)}`;
        const next = waiting.get(key);
        if (next === undefined || next.gasPrice < node.minGasPrice) break;
        waiting.delete(key);
        counts.set(from, next.nonce + 1);
        node.mined.push({ ...next, block });
      }
    }
    for (const listen of listeners) listen(head());
  }

  const head = (): Head => ({ number: block, timestamp: BigInt(Math.floor(now / 1000)), hash: '0x' });
  const settle = async (): Promise<void> => {
    for (let turn = 0; turn < 3; turn++) await new Promise<void>((resolve) => setImmediate(resolve));
  };

  /** Runs timers in order up to that time. */
  async function runTo(until: number): Promise<void> {
    for (;;) {
      await settle();
      const [next] = timersLeft.filter(({ at }) => at <= until).toSorted((a, b) => a.at - b.at);
      if (next === undefined) break;
      timersLeft = timersLeft.filter((each) => each !== next);
      now = Math.max(now, next.at);
      next.call();
    }
    now = until;
  }

  const node: FakeNode = {
    client: createPublicClient({
      transport: custom({ request }, { retryCount: 0 }),
      cacheTime: 0,
    }) as unknown as ChainClient,
    heads: {
      newest: head,
      onHead(listen) {
        listeners.add(listen);
        return () => void listeners.delete(listen);
      },
    },
    clock: () => BigInt(Math.floor(now / 1000)),
    timers: {
      now: () => now,
      after(milliseconds, call) {
        const timer = { at: now + milliseconds, call };
        timersLeft.push(timer);
        return () => {
          timersLeft = timersLeft.filter((each) => each !== timer);
        };
      },
    },
    broadcasts: [],
    mined: [],
    meddle: () => undefined,
    minGasPrice: 0n,
    memory: 128n,
    undo(from) {
      counts.set(from, usedBy(from) - 1);
      node.mined.splice(
        node.mined.findLastIndex((each) => each.from === from),
        1,
      );
    },
    async passBlocks(count) {
      for (let each = 0; each < count; each++) {
        await runTo(now + blockMs);
        mine();
        await settle();
      }
    },
    newest: () => block,
  };
  return node;
}
