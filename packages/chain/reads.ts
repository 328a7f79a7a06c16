import type { Chain, PublicActions, Transport } from 'viem';

/** What may be asked of a chain. */
export type ChainActions = PublicActions<Transport, Chain | undefined, undefined>;

/** A client that reads contracts: viem's, the page's smaller one, or a reading that is one call (one-call.ts). */
export type Reads = Pick<ChainActions, 'readContract' | 'multicall' | 'simulateContract'>;

/** One that also reads blocks. */
export type BlockReads = Reads & Pick<ChainActions, 'getBlock'>;

/** One that also makes raw calls. */
export type Calls = Reads & Pick<ChainActions, 'call' | 'getCode'>;

/**
 * Turns a list of reads into one eth_call without a deployed contract: the request is sent as creation code (48 kB at
 * most) and the answer returns as the created code (24 kB at most). Longer lists need pages.
 */
export const inOneCall = { deployless: true, batchSize: 0 } as const;

/** The same reads of one block. */
export function atBlock(client: Reads, blockNumber: bigint): Reads {
  const reads = {
    readContract: (call: object) => client.readContract({ ...call, blockNumber } as never),
    multicall: (calls: object) => client.multicall({ ...calls, blockNumber } as never),
    simulateContract: (call: object) => client.simulateContract({ ...call, blockNumber } as never),
  };
  return reads as unknown as Reads;
}

/** For values without which a loan can still be judged. */
export const readOrUndefined = <Value>(reading: Promise<Value>): Promise<Value | undefined> =>
  reading.catch(() => undefined);
