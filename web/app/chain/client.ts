import type { PublicClient } from 'viem';
import { usePublicClient } from 'wagmi';

/** A client that reads the page's one chain. */
export function useChain(): PublicClient {
  const client = usePublicClient();
  if (client === undefined) throw new Error('the page knows no chain');
  return client as PublicClient;
}

/**
 * Sends a list of reads as one eth_call without a deployed multicall contract. The answer returns as created code, at
 * most 24,576 bytes (EIP-170): inPages splits longer lists.
 */
export const inOneCall = { deployless: true, batchSize: 0 } as const;
