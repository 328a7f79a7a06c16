import { useQuery } from '@tanstack/react-query';
import type { Address } from 'viem';
import { useChain } from './client.ts';

/** wei of BNB in a wallet, which pays fees. Undefined without an account and while unknown. */
export function useNative(owner: Address | undefined, everyMs = 60_000): bigint | undefined {
  const client = useChain();
  return useQuery({
    queryKey: ['chain', 'native', owner],
    queryFn: () => client.getBalance({ address: owner as Address }),
    enabled: owner !== undefined,
    refetchInterval: everyMs,
  }).data;
}
