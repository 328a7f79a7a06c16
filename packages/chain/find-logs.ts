import { LOG_BLOCKS } from '@bowline/core/domain/heads';
import { sameAddress } from '@bowline/core/domain/same-address';
import type { Address, Hex } from '@bowline/core/domain/units';
import { type Log, toHex } from 'viem';
import type { ChainClient } from './chain-client.ts';

// Finds what the chain logged when a nonce was used: by log queries, or in the receipts of blocks if the node refuses
// log queries, as many public nodes do.

/** Searches an hour of blocks after the nonce was last seen unused, and the newest range. */
const MAX_RANGES = 4;
/** Two hours. This covers the longest validity with time to spare: all of it is searched once it is over. */
export const MAX_FINAL_RANGES = 8;

/** A reorganisation can move the use before the block in which the nonce was seen unused. */
export const REORG_BLOCKS = 16n;

/** Maximum blocks whose receipts one search reads: two minutes. An awaited payment's use is a few blocks away. */
const MAX_WALK = 256n;
const BLOCKS_AT_ONCE = 8n;
/** Short enough to be read without halving it first. */
const FEW_BLOCKS = 8n;

/** Logs of one contract: one of the first topics, then exactly these. */
export interface Wanted {
  readonly address: Address;
  readonly topics: readonly [readonly Hex[], ...Hex[]];
}

export interface FoundLog {
  readonly address: Address;
  readonly topics: readonly Hex[];
  readonly data: Hex;
  readonly transactionHash: Hex;
}

type NodeLog = Pick<Log, 'address' | 'topics' | 'data' | 'transactionHash' | 'removed'>;

/** The part of a receipt that is read. */
interface BlockReceipt {
  readonly logs: readonly NodeLog[];
}

/**
 * The wanted logs around the use of a nonce, which the chain shows as used at the block `head`.
 * @param since last block in which it is known to be unused.
 * @param isUsed whether it is used at a block. Throws if the node no longer has that state.
 * @returns also whether the node returned the logs of all blocks from `since` to `head`.
 */
export async function findLogs(
  client: ChainClient,
  wanted: readonly Wanted[],
  { since, head }: { readonly since: bigint; readonly head: bigint },
  isUsed: (block: bigint) => Promise<boolean>,
  maxRanges = MAX_RANGES,
): Promise<{ readonly logs: readonly FoundLog[]; readonly isWhole: boolean }> {
  const ranges = rangesToSearch(since, head, maxRanges);
  let isRefused = false;
  const logs = await Promise.all(
    wanted.flatMap(({ address, topics: [first, ...others] }) =>
      ranges.map(async ({ fromBlock, toBlock }) => {
        const topics = [[...first], ...others];
        const range = { fromBlock: toHex(fromBlock), toBlock: toHex(toBlock) };
        try {
          return (await client.request({
            method: 'eth_getLogs',
            params: [{ address, topics, ...range }],
          })) as unknown as NodeLog[];
        } catch {
          isRefused = true;
          return [];
        }
      }),
    ),
  );
  const found = standing(logs.flat());
  if (found.length > 0 || !isRefused) return { logs: found, isWhole: !isRefused && !hasGap(ranges) };
  const isWanted = (log: NodeLog) =>
    wanted.some(
      ({ address, topics: [first, ...others] }) =>
        sameAddress(log.address, address) &&
        first.some((topic) => topic === log.topics[0]) &&
        others.every((topic, at) => topic === log.topics[at + 1]),
    );
  const inBlocks = async (first: bigint, last: bigint): Promise<readonly FoundLog[]> => {
    for (let at = first; at <= last; at += BLOCKS_AT_ONCE) {
      const numbers = Array.from({ length: Number(BLOCKS_AT_ONCE) }, (_, next) => at + BigInt(next));
      const receipts = await Promise.all(
        numbers.filter((number) => number <= last).map((number) => receiptsOf(client, number)),
      );
      const those = standing(receipts.flat().flatMap((receipt) => receipt.logs.filter(isWanted)));
      if (those.length > 0) return those;
    }
    return [];
  };
  const narrowed = await narrow(since, head, isUsed);
  const last = narrowed.last - narrowed.first < MAX_WALK ? narrowed.last : narrowed.first + MAX_WALK - 1n;
  const before = since > REORG_BLOCKS ? since - REORG_BLOCKS : 0n;
  const after = await inBlocks(narrowed.first, last);
  return { logs: after.length > 0 ? after : await inBlocks(before, since), isWhole: false };
}

/** Those that no reorganisation has removed. */
const standing = (logs: readonly NodeLog[]): FoundLog[] =>
  logs.flatMap(({ address, topics, data, transactionHash, removed }) =>
    removed === true || transactionHash === null ? [] : [{ address, topics, data, transactionHash }],
  );

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

/** The blocks that contain the use, narrowed as far as the node's remaining state allows. */
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
function rangesToSearch(since: bigint, head: bigint, maxRanges: number): { fromBlock: bigint; toBlock: bigint }[] {
  const ranges: { fromBlock: bigint; toBlock: bigint }[] = [];
  let fromBlock = since > REORG_BLOCKS ? since - REORG_BLOCKS : 0n;
  while (fromBlock <= head && ranges.length < maxRanges) {
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

/** Whether the ranges leave out blocks in between. */
const hasGap = (ranges: readonly { fromBlock: bigint; toBlock: bigint }[]): boolean =>
  ranges.some(({ fromBlock }, at) => at > 0 && fromBlock !== (ranges[at - 1]?.toBlock ?? 0n) + 1n);
