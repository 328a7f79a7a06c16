import type { Authorization } from '@bowline/core/domain/payment';
import type { Address, Hex } from '@bowline/core/domain/units';
import { pad, toEventSelector, toHex } from 'viem';
import type { ChainClient } from '../chain/chain-client.ts';

// Finds the transaction that used or cancelled an authorisation: by the token's logs, or in the receipts of blocks where
// the node refuses logs, as many public nodes do.

const usedTopic = toEventSelector('AuthorizationUsed(address,bytes32)');
const cancelledTopic = toEventSelector('AuthorizationCanceled(address,bytes32)');

/** Fifteen minutes of 0.45 s blocks: three times the life of a usual payment, and a range public nodes accept. */
const LOG_BLOCKS = 2_000n;

/** Searches an hour of blocks after the authorisation was last seen unused, and the newest range. */
const MAX_RANGES = 4;

/** A reorganisation can move the use before the block in which the authorisation was seen unused. */
const REORG_BLOCKS = 16n;

/** Blocks whose receipts one search reads at most: two minutes. While a payment is awaited, its use is a few blocks away. */
const MAX_WALK = 256n;
const BLOCKS_AT_ONCE = 8n;
/** Short enough to be read without halving it first. */
const FEW_BLOCKS = 8n;

export interface Use {
  readonly transaction: Hex;
  readonly isCancelled: boolean;
}

interface Found {
  readonly topics: readonly Hex[];
  readonly transactionHash: Hex | null;
  readonly removed?: boolean;
}

/** The part of a receipt that is read. */
interface BlockReceipt {
  readonly logs: readonly (Found & { readonly address: Address })[];
}

/**
 * The use or cancellation of an authorisation that the token shows as used at the block `head`; undefined if the node
 * does not show it.
 * @param since last block in which it is known to be unused.
 * @param isUsed the token's state at a block. Throws if the node does not have that state any more.
 */
export async function findUse(
  client: ChainClient,
  token: Address,
  authorization: Authorization,
  { since, head }: { readonly since: bigint; readonly head: bigint },
  isUsed: (block: bigint) => Promise<boolean>,
): Promise<Use | undefined> {
  const { from, nonce } = authorization;
  let isRefused = false;
  const logs = await Promise.all(
    rangesToSearch(since, head).map(async ({ fromBlock, toBlock }) => {
      const topics: [Hex[], Hex, Hex] = [[usedTopic, cancelledTopic], pad(from), nonce];
      const range = { fromBlock: toHex(fromBlock), toBlock: toHex(toBlock) };
      try {
        return await client.request({ method: 'eth_getLogs', params: [{ address: token, topics, ...range }] });
      } catch {
        isRefused = true;
        return [];
      }
    }),
  );
  const found = lastIn(logs.flat());
  if (found !== undefined || !isRefused) return found;
  const isOurs = (log: BlockReceipt['logs'][number]) =>
    log.address.toLowerCase() === token.toLowerCase() &&
    (log.topics[0] === usedTopic || log.topics[0] === cancelledTopic) &&
    log.topics[1] === pad(from) &&
    log.topics[2] === nonce;
  const inBlocks = async (first: bigint, last: bigint): Promise<Use | undefined> => {
    for (let at = first; at <= last; at += BLOCKS_AT_ONCE) {
      const numbers = Array.from({ length: Number(BLOCKS_AT_ONCE) }, (_, next) => at + BigInt(next));
      const receipts = await Promise.all(
        numbers.filter((number) => number <= last).map((number) => receiptsOf(client, number)),
      );
      const use = lastIn(receipts.flat().flatMap((receipt) => receipt.logs.filter(isOurs)));
      if (use !== undefined) return use;
    }
    return undefined;
  };
  const narrowed = await narrow(since, head, isUsed);
  const last = narrowed.last - narrowed.first < MAX_WALK ? narrowed.last : narrowed.first + MAX_WALK - 1n;
  const before = since > REORG_BLOCKS ? since - REORG_BLOCKS : 0n;
  return (await inBlocks(narrowed.first, last)) ?? (await inBlocks(before, since));
}

function lastIn(logs: readonly Found[]): Use | undefined {
  const log = logs.find(({ removed }) => removed !== true);
  if (!log?.transactionHash) return undefined;
  return { transaction: log.transactionHash, isCancelled: log.topics[0] === cancelledTopic };
}

/** Empty if the node does not serve the receipts of a block. */
async function receiptsOf(client: ChainClient, number: bigint): Promise<readonly BlockReceipt[]> {
  try {
    const method = 'eth_getBlockReceipts';
    const receipts = (await client.request({ method, params: [toHex(number)] })) as readonly BlockReceipt[] | null;
    return receipts ?? [];
  } catch {
    return [];
  }
}

/** The blocks among which the use is, as few as the states that the node still has can tell. */
async function narrow(since: bigint, head: bigint, isUsed: (block: bigint) => Promise<boolean>) {
  let [unused, used] = [since, head];
  while (used - unused > FEW_BLOCKS) {
    const middle = (unused + used) / 2n;
    try {
      if (await isUsed(middle)) used = middle;
      else unused = middle;
    } catch {
      break;
    }
  }
  return { first: unused + 1n, last: used };
}

/**
 * Searches where the use is likely: soon after `since`, or just now. The whole range in between is too much for one
 * search.
 */
function rangesToSearch(since: bigint, head: bigint): { fromBlock: bigint; toBlock: bigint }[] {
  const ranges: { fromBlock: bigint; toBlock: bigint }[] = [];
  let fromBlock = since > REORG_BLOCKS ? since - REORG_BLOCKS : 0n;
  while (fromBlock <= head && ranges.length < MAX_RANGES) {
    const last = fromBlock + LOG_BLOCKS - 1n;
    const toBlock = last < head ? last : head;
    ranges.push({ fromBlock, toBlock });
    fromBlock = toBlock + 1n;
  }
  if (fromBlock <= head) {
    const newest = head - LOG_BLOCKS + 1n;
    ranges.push({ fromBlock: newest > fromBlock ? newest : fromBlock, toBlock: head });
  }
  return ranges;
}
