import type { Block } from '@bowline/core/domain/facts';
import { BowlineError } from '@bowline/core/domain/result';
import {
  type Address,
  bytesToHex,
  createPublicClient,
  type Hex,
  isHex,
  numberToHex,
  type TransactionReceipt,
  TransactionReceiptNotFoundError,
  type Transport,
} from 'viem';
import { faultOf, nodeAnswer } from './errors.ts';
import { httpTransport } from './http-transport.ts';

export { inOneCall } from './reads.ts';

/** viem's client, shared by all code that calls the node. */
export type ChainClient = ReturnType<typeof connectChain>;

/**
 * Milliseconds until a lost request is retried. A rescue that waits for a node must be sent within five seconds of the
 * node's return.
 */
const answerMs = 3_000;

/** Retries of a request to the node. The first comes soon: a rate limit or a restart may be over in a moment. */
export const repeats = { retryCount: 2, retryDelay: 150 } as const;

/**
 * @param node JSON-RPC over HTTP, or another way to a node.
 * @param inBatches whether concurrent requests to a URL are sent as one batch of up to eight. A node without batch
 * support does not answer.
 */
export function connectChain(node: string | Transport, inBatches = false) {
  return createPublicClient({
    transport: typeof node === 'string' ? overHttp(node, inBatches, repeats) : node,
    // A cached block number is too old when blocks come every half second.
    cacheTime: 0,
    // Otherwise a called contract could make this process fetch any URL it names.
    ccipRead: false,
  });
}

/** The transport to one node. Requests are not retried unless configured. */
export const overHttp = (
  url: string,
  inBatches = false,
  repeated: { readonly retryCount: number; readonly retryDelay?: number } = { retryCount: 0 },
): Transport => httpTransport(url, { timeoutMs: answerMs, batchSize: inBatches ? 8 : 1, ...repeated });

/**
 * Runs a request to the node. Throws `chain_unavailable` with viem's error in `cause` if the node refuses or does not
 * answer. Any other error is thrown unchanged: a contract's revert, a value that cannot be encoded, a fault of ours.
 */
export async function asking<Answer>(request: () => Promise<Answer>): Promise<Answer> {
  try {
    return await request();
  } catch (cause) {
    if (cause instanceof BowlineError || faultOf(cause) !== 'node') throw cause;
    throw new BowlineError('chain_unavailable', 'The chain does not answer.', { retryable: true, cause });
  }
}

/** Wraps every function of a reader in `asking`. */
export const askingAll = <Reader extends object>(reader: Reader): Reader =>
  Object.fromEntries(
    Object.entries(reader).map(([name, ask]) => [name, (...asked: unknown[]) => asking(async () => ask(...asked))]),
  ) as Reader;

export async function newestBlock(client: ChainClient): Promise<Block> {
  const { number, timestamp } = await client.getBlock({ blockTag: 'latest' });
  return { number, timestamp };
}

/**
 * A random address without code and without a known key. Each call gets a new one, so that no source recognises the
 * caller.
 */
export const nobody = (): Address => bytesToHex(crypto.getRandomValues(new Uint8Array(20)));

// Public nodes allow a call 50,000,000 gas. The lens divides its gas: this is enough if every source uses its whole
// share.
export const lensGas = 40_000_000n;

/** Storage words that a call sees in place of the real ones. A form of viem's `StateOverride`. */
export interface Supposed {
  address: Address;
  stateDiff: { slot: Hex; value: Hex }[];
}

/**
 * Runs a lens at the newest block through an `eth_call` that overrides the code at `at`.
 * @param at an address that nobody controls.
 * @param supposed storage overrides of other contracts.
 * @returns undefined if the node ignores state overrides: it called an address without code.
 */
export async function runLens(
  client: ChainClient,
  code: Hex,
  question: Hex,
  at: Address = nobody(),
  supposed: readonly Supposed[] = [],
): Promise<Hex | undefined> {
  // viem's own call takes five times as long to write the same request.
  const call = { from: nobody(), to: at, data: question, gas: numberToHex(lensGas) };
  const overrides = Object.fromEntries(
    supposed.map(({ address, stateDiff }) => [
      address,
      { stateDiff: Object.fromEntries(stateDiff.map(({ slot, value }) => [slot, value])) },
    ]),
  );
  const data = await client.request({
    method: 'eth_call',
    params: [call, 'latest', { ...overrides, [at]: { code } }],
  });
  return isHex(data) && data !== '0x' ? data : undefined;
}

/** JSON-RPC codes (EIP-1474): the node does not support state overrides, or the call. Retrying cannot help. */
const unsupportedCodes: ReadonlySet<number> = new Set([-32_601, -32_602, -32_004]);

/** Like `runLens`, but also undefined if the node refuses state overrides. */
export const tryLens = (client: ChainClient, code: Hex, data: Hex): Promise<Hex | undefined> =>
  runLens(client, code, data).catch((error) => {
    if (unsupportedCodes.has(nodeAnswer(error)?.code ?? 0)) return undefined;
    throw error;
  });

/**
 * The receipt of whichever transaction is mined. Throws viem's error if the node does not answer, and `chain_unavailable` if it
 * returns anything but a receipt of that transaction: neither allows a conclusion.
 */
export async function receiptOf(client: ChainClient, hashes: readonly Hex[]): Promise<TransactionReceipt | undefined> {
  for (const hash of hashes) {
    try {
      const receipt = await client.getTransactionReceipt({ hash });
      if (isWhole(receipt, hash)) return receipt;
      throw new BowlineError(
        'chain_unavailable',
        'The node returned something other than the receipt of the transaction.',
        {
          retryable: true,
        },
      );
    } catch (error) {
      if (!(error instanceof TransactionReceiptNotFoundError)) throw error;
    }
  }
  return undefined;
}

/** Nodes omit fields, and viem passes the gaps through. */
function isWhole(receipt: TransactionReceipt, hash: Hex): boolean {
  const { transactionHash, status, blockNumber, gasUsed, effectiveGasPrice, logs } = receipt;
  return (
    transactionHash === hash &&
    (status === 'success' || status === 'reverted') &&
    [blockNumber, gasUsed, effectiveGasPrice].every((each) => typeof each === 'bigint') &&
    Array.isArray(logs)
  );
}

export const paidWei = ({ gasUsed, effectiveGasPrice }: TransactionReceipt): bigint => gasUsed * effectiveGasPrice;
