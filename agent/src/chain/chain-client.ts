import type { Block } from '@bowline/core/domain/facts';
import { BowlineError } from '@bowline/core/domain/result';
import type { Address, Hex } from '@bowline/core/domain/units';
import { BaseError, createPublicClient, http, type TransactionReceipt, TransactionReceiptNotFoundError } from 'viem';

/** viem's client, as everything that speaks to the node uses it. */
export type ChainClient = ReturnType<typeof connectChain>;

/**
 * A question that the node has lost is asked again after so long: a rescue that waits for a node has no more than five
 * seconds when it is back.
 */
const answerMs = 3_000;

/**
 * @param url JSON-RPC over HTTP.
 * @param inBatches whether what is asked in one moment goes in one request, up to eight questions of it. A node that takes
 * none does not answer.
 */
export function connectChain(url: string, inBatches = false) {
  return createPublicClient({
    transport: http(url, {
      timeout: answerMs,
      retryCount: 2,
      retryDelay: 150,
      batch: inBatches && { batchSize: 8 },
      fetchFn: fetchWhole,
    }),
    // A block number that is remembered is a block too old when blocks come every half second.
    cacheTime: 0,
    // Else a contract that is asked could have this process fetch any address it names.
    ccipRead: false,
  });
}

/** As much as viem takes. */
const MAX_BYTES = 10_485_760;

/**
 * As `fetch`, but resolves once the whole answer is there: viem's limit of time ends with what it waits for, and a node could
 * otherwise hold a question for minutes by not ending its answer. Without Retry-After, which viem obeys, however long that is:
 * the node may be well again after a second.
 */
const fetchWhole: typeof fetch = async (input, init) => {
  const { status, statusText, headers, body } = await fetch(input, init);
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of body ?? []) {
    parts.push(part);
    length += part.length;
    if (length > MAX_BYTES) throw new Error(`The node's answer has more than ${MAX_BYTES} bytes.`);
  }
  const kept = new Headers(headers);
  kept.delete('retry-after');
  return new Response(length === 0 ? null : Buffer.concat(parts), { status, statusText, headers: kept });
};

/** Does what asks the node; whatever viem throws becomes `chain_unavailable`, and what it said stays in `cause`. */
export async function asking<Answer>(question: () => Promise<Answer>): Promise<Answer> {
  try {
    return await question();
  } catch (cause) {
    if (!(cause instanceof BaseError)) throw cause;
    throw new BowlineError('chain_unavailable', 'The chain does not answer.', { retryable: true, cause });
  }
}

export const hasCode =
  (client: Pick<ChainClient, 'getCode'>) =>
  async (address: Address): Promise<boolean> =>
    (await asking(() => client.getCode({ address }))) !== undefined;

export async function newestBlock(client: ChainClient): Promise<Block> {
  const { number, timestamp } = await client.getBlock({ blockTag: 'latest' });
  return { number, timestamp };
}

/**
 * So that a list of reads is one eth_call, without a contract that must stand on the chain: the question goes as creation
 * code (48 kB at most) and the answer comes back as the code created (24 kB at most). Longer lists need pages.
 */
export const inOneCall = { deployless: true, batchSize: 0 } as const;

/**
 * The receipt of whichever of them is in a block. Throws viem's errors when the node does not answer, or answers with what is
 * no receipt of that transaction: nothing may be concluded from that.
 */
export async function receiptOf(client: ChainClient, hashes: readonly Hex[]): Promise<TransactionReceipt | undefined> {
  for (const hash of hashes) {
    try {
      const receipt = await client.getTransactionReceipt({ hash });
      if (isWhole(receipt, hash)) return receipt;
      throw new BaseError('The node answered with what is no receipt of the transaction.');
    } catch (error) {
      if (!(error instanceof TransactionReceiptNotFoundError)) throw error;
    }
  }
  return undefined;
}

/** Nodes leave out what they do not have, and viem takes it as it comes. */
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
