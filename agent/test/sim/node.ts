import { type Address, type Hex, padHex, RpcRequestError, toHex } from 'viem';
import { blockGas } from '../../../lab/world/block.ts';
import { bundlerKey, chainId, wallet } from './addresses.ts';
import type { Block, Chain, Receipt } from './chain.ts';
import { call, copyOf, isDue, lies, Reverted } from './contracts.ts';
import { readTransaction } from './fast-account.ts';

// A node's JSON-RPC answers, as BNB Chain's nodes give them.

/** Blocks whose state a node keeps. */
const rememberedBlocks = 128;

/** What a node sees of the chain, and what it misreports. */
export interface View {
  /** Number of blocks by which it is behind. */
  readonly behind: number;
  /** Adds this many blocks to each number that it reports. */
  readonly headsAhead?: number;
  /** `forged`: it shows receipts of transactions that are in no block. `hidden`: it shows none. */
  readonly receipts?: 'forged' | 'hidden';
  /** The number of the last block that it knows. */
  readonly frozenAt?: number;
  /** Every call fails, or is answered as if its block's state were gone. */
  readonly calls?: 'reverted' | 'forgotten';
  /** What it says of every loan. */
  readonly loans?: keyof typeof lies;
  /** The fate of a transaction that is sent to it; absent: it enters the pool. */
  readonly sends?: Sends;
}

/**
 * `swallowed`: the node takes it and tells nobody. `held`: no block takes it for this time. Milliseconds of virtual
 * time.
 */
type Sends = { readonly kind: 'swallowed' } | { readonly kind: 'held'; readonly untilMs: number };

interface Asked {
  readonly method: string;
  readonly params?: readonly unknown[] | undefined;
}

/** Throws viem's RpcRequestError for an error of the node. */
export function answer(chain: Chain, view: View, { method, params = [] }: Asked): unknown {
  const head = blockOf(chain, view, 'latest');
  switch (method) {
    case 'eth_chainId':
      return toHex(chainId);
    case 'eth_gasPrice':
      return toHex(chain.minGasPriceWei());
    case 'eth_getBalance':
      return toHex(10n ** 20n);
    case 'eth_getCode':
      return '0x01';
    case 'eth_blockNumber':
      return toHex(head.number + (view.headsAhead ?? 0));
    case 'eth_getTransactionCount':
      return transactionCount(chain, view, params[0] as Address, params[1] as At);
    case 'eth_sendRawTransaction':
      return send(chain, view, params[0] as Hex);
    case 'eth_getTransactionByHash':
      return isKnown(chain, head, params[0] as Hex) ? { hash: params[0] } : null;
    case 'eth_getTransactionReceipt':
      return receipt(chain, view, head, params[0] as Hex);
    case 'eth_getBlockReceipts':
      return blockOf(chain, view, params[0] as string).receipts.map(inRpc);
    case 'eth_getBlockByNumber':
      return block(blockOf(chain, view, params[0] as string), view, params[1] === true);
    case 'eth_getBlockByHash':
      return block(blockOf(chain, view, { blockHash: params[0] as Hex }), view, params[1] === true);
    case 'eth_call':
      if (view.calls === 'forgotten') throw refusal(-32_000, 'missing trie node');
      if (view.calls === 'reverted') throw refusal(3, 'execution reverted', '0x');
      return simulate(chain, view, blockOf(chain, view, params[1] as At), params[0] as CallRequest);
    // Stands in for the lens: whether the loans of these guards are due.
    case 'model_due': {
      if (view.calls === 'forgotten') throw refusal(-32_000, 'missing trie node');
      const around = chain.around(head);
      return params.map((id) => (view.loans ? view.loans === 'endangered' : isDue(head.state, around, id as bigint)));
    }
    default:
      throw refusal(-32_601, `the method ${method} does not exist`);
  }
}

export const refusal = (code: number, message: string, data?: Hex): RpcRequestError =>
  new RpcRequestError({ body: {}, url: 'node', error: { code, message, ...(data !== undefined && { data }) } });

type At = string | { readonly blockHash: Hex } | undefined;

function blockOf(chain: Chain, view: View, tag: At): Block {
  const newest = Math.max(0, Math.min(view.frozenAt ?? chain.head().number, chain.head().number - view.behind));
  if (typeof tag === 'object') {
    const named = chain.blockBy(tag.blockHash);
    if (named === undefined || named.number > newest) throw refusal(-32_000, 'header not found');
    return blockAt(chain, named.number, newest);
  }
  const isNewest = tag === undefined || tag === 'latest' || tag === 'pending';
  // On BNB Chain, a block is normally final two blocks later.
  const number = isNewest
    ? newest
    : tag === 'finalized'
      ? Math.max(0, newest - 2)
      : Number(tag) - (view.headsAhead ?? 0);
  return blockAt(chain, number, newest);
}

function blockAt(chain: Chain, number: number, newest: number): Block {
  const found = number > newest ? undefined : chain.block(number);
  if (found === undefined) throw refusal(-32_000, 'header not found');
  if (number <= newest - rememberedBlocks) throw refusal(-32_000, 'missing trie node');
  return found;
}

function transactionCount(chain: Chain, view: View, from: Address, tag: At): Hex {
  const key = from.toLowerCase() as Address;
  const mined = blockOf(chain, view, tag).state.nonces.get(key) ?? 0;
  return toHex(tag === 'pending' ? Math.max(mined, chain.pool.nextNonce(key, newestNonce(chain, key))) : mined);
}

const newestNonce = (chain: Chain, key: Address): number => chain.head().state.nonces.get(key) ?? 0;

function send(chain: Chain, { sends }: View, raw: Hex): Hex {
  const transaction = readTransaction(raw);
  const { hash, from } = transaction;
  if (sends?.kind === 'swallowed') return hash;
  const refused = chain.pool.submit(transaction, newestNonce(chain, from), sends?.kind === 'held' ? sends.untilMs : 0);
  if (refused !== undefined) throw refusal(-32_000, refused);
  return hash;
}

const isKnown = (chain: Chain, head: Block, hash: Hex): boolean =>
  chain.pool.has(hash) || (chain.receipt(hash)?.block.number ?? Number.POSITIVE_INFINITY) <= head.number;

function receipt(chain: Chain, { receipts }: View, head: Block, hash: Hex): unknown {
  if (receipts === 'hidden') return null;
  const found = chain.receipt(hash);
  if (found !== undefined && found.block.number <= head.number) return inRpc(found);
  return receipts === 'forged' ? forged(head, hash) : null;
}

const inRpc = ({ transaction, block: { number, hash }, isSuccess, gasUsed, logs }: Receipt) => ({
  status: isSuccess ? '0x1' : '0x0',
  transactionHash: transaction.hash,
  transactionIndex: '0x0',
  blockNumber: toHex(number),
  blockHash: hash,
  from: transaction.from,
  to: transaction.to,
  contractAddress: null,
  gasUsed: toHex(gasUsed),
  cumulativeGasUsed: toHex(gasUsed),
  effectiveGasPrice: toHex(transaction.gasPriceWei),
  logsBloom: '0x',
  type: '0x0',
  logs: logs.map((log, at) => ({
    ...log,
    blockNumber: toHex(number),
    blockHash: hash,
    transactionHash: transaction.hash,
    transactionIndex: '0x0',
    logIndex: toHex(at),
    removed: false,
  })),
});

/** Says that the transaction succeeded and did nothing. */
const forged = (head: Block, hash: Hex) =>
  inRpc({
    transaction: { hash, from: bundlerKey, nonce: 0, to: wallet, data: '0x', gas: 0n, gasPriceWei: 1n },
    block: head,
    isSuccess: true,
    gasUsed: 21_000n,
    logs: [],
  });

const zero = padHex('0x', { size: 32 });

const block = ({ number, hash, parentHash, timestamp, receipts }: Block, view: View, isWhole: boolean) => ({
  number: toHex(number + (view.headsAhead ?? 0)),
  hash,
  parentHash,
  timestamp: toHex(timestamp),
  transactions: receipts.map(({ transaction }, at) =>
    isWhole
      ? {
          hash: transaction.hash,
          from: transaction.from,
          to: transaction.to,
          nonce: toHex(transaction.nonce),
          gas: toHex(transaction.gas),
          gasPrice: toHex(transaction.gasPriceWei),
          value: '0x0',
          input: transaction.data,
          type: '0x0',
          blockNumber: toHex(number),
          blockHash: hash,
          transactionIndex: toHex(at),
          ...{ v: '0x0', r: zero, s: zero },
        }
      : transaction.hash,
  ),
  gasLimit: toHex(blockGas),
  gasUsed: '0x0',
  baseFeePerGas: '0x0',
  difficulty: '0x0',
  totalDifficulty: '0x0',
  size: '0x0',
});

interface CallRequest {
  readonly from?: Address;
  readonly to?: Address;
  readonly data?: Hex;
  readonly input?: Hex;
}

function simulate(chain: Chain, { loans }: View, at: Block, { from = wallet, to, data, input }: CallRequest): Hex {
  // Code of permissionless that asks the factory for the account's address.
  if (to === undefined) return padHex(wallet, { size: 32 });
  const asked = {
    from: from.toLowerCase() as Address,
    to: to.toLowerCase() as Address,
    data: data ?? input ?? '0x',
  };
  try {
    const around = { ...chain.around(at), ...(loans && { judgeRescue: lies[loans] }) };
    return call(copyOf(at.state), around, asked).output;
  } catch (error) {
    if (!(error instanceof Reverted)) throw error;
    throw refusal(3, 'execution reverted', error.data);
  }
}
