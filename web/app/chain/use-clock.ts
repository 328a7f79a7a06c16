import { useQuery } from '@tanstack/react-query';
import { useChain } from './client.ts';

/** The newest block's time in unix seconds: what the contracts go by. Undefined until it is known. */
export function useChainTime(): bigint | undefined {
  const client = useChain();
  const { data } = useQuery({
    queryKey: ['chain', 'time'],
    queryFn: async () => (await client.getBlock({ blockTag: 'latest' })).timestamp,
    refetchInterval: 4_000,
  });
  return data;
}
