import type { ChainClient } from './chain-client.ts';

/** Number of the last block before a time in unix seconds; 0 if there is none. Throws viem's errors. */
export async function lastBlockBefore(client: ChainClient, time: bigint): Promise<bigint> {
  const timeOf = async (blockNumber: bigint) => (await client.getBlock({ blockNumber })).timestamp;
  const { number, timestamp } = await client.getBlock({ blockTag: 'latest' });
  if (timestamp < time) return number;
  let [before, after] = [0n, number];
  while (after - before > 1n) {
    const middle = (before + after) / 2n;
    if ((await timeOf(middle)) < time) before = middle;
    else after = middle;
  }
  return before;
}
