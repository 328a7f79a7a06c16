import { sameAddress } from '@bowline/core/domain/same-address';
import { type Address, decodeEventLog, type Hex } from 'viem';
import { planRegistryAbi } from '../../../abis/index.ts';
import type { ChainClient } from './client.ts';

/** Identifies a record of a plan. */
interface Sought {
  readonly registry: Address;
  readonly planId: bigint;
  readonly record: number;
  /** The block time that the record names, unix seconds. */
  readonly time: bigint;
}

interface Receipt {
  readonly transactionHash: Hex;
  readonly logs: readonly { readonly address: Address; readonly topics: [Hex, ...Hex[]]; readonly data: Hex }[];
}

/**
 * Finds the transaction that made a record without searching logs: the record names its block’s time, a binary search
 * finds the blocks of that second, and their receipts name the transaction.
 * @returns undefined if no transaction of those blocks made it.
 * @throws if the node does not answer, or has forgotten those blocks.
 */
export async function findTransaction(client: ChainClient, sought: Sought): Promise<Hex | undefined> {
  for (let number = await firstBlockFrom(client, sought.time); ; number++) {
    const block = await client.getBlock({ blockNumber: number }).catch(() => undefined);
    if (block === undefined || block.timestamp !== sought.time) return undefined;
    const receipts = await client.request<{
      Method: 'eth_getBlockReceipts';
      Parameters: [Hex];
      ReturnType: readonly Receipt[] | null;
    }>({ method: 'eth_getBlockReceipts', params: [`0x${number.toString(16)}`] });
    const found = receipts?.find(({ logs }) => logs.some((log) => isRecord(log, sought)));
    if (found) return found.transactionHash;
  }
}

/** The number of the first block at `time` or later; a block at `time` is known to exist. */
async function firstBlockFrom(client: ChainClient, time: bigint): Promise<bigint> {
  let [low, high] = [0n, await client.getBlockNumber()];
  while (low < high) {
    const middle = (low + high) / 2n;
    const { timestamp } = await client.getBlock({ blockNumber: middle });
    if (timestamp < time) low = middle + 1n;
    else high = middle;
  }
  return low;
}

function isRecord({ address, topics, data }: Receipt['logs'][number], { registry, planId, record }: Sought): boolean {
  if (!sameAddress(address, registry)) return false;
  try {
    const { eventName, args } = decodeEventLog({ abi: planRegistryAbi, topics, data });
    const isOne = eventName === 'RunRecorded' || eventName === 'DeferralRecorded';
    return isOne && args.planId === planId && args.record === BigInt(record);
  } catch {
    return false;
  }
}
