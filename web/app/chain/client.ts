import type { PublicClient } from 'viem';
import { usePublicClient } from 'wagmi';

/** Reads of the page's one chain. */
export function useChain(): PublicClient {
  const client = usePublicClient();
  if (client === undefined) throw new Error('the page knows no chain');
  return client as PublicClient;
}

/**
 * A list of reads as one eth_call, without a contract that must stand on the chain. The answer comes back as the code
 * created, 24,576 bytes at most (EIP-170): longer lists are read by inPages.
 */
export const inOneCall = { deployless: true, batchSize: 0 } as const;
