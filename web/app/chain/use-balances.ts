import { useQuery } from '@tanstack/react-query';
import type { Address } from 'viem';
import { timed } from '../api/freshness.ts';
import { useSettings } from '../settings.tsx';
import { useChain } from './client.ts';
import { readBalances } from './read-balances.ts';

export function useBalances(owner: Address | undefined) {
  const client = useChain();
  const { assets } = useSettings();
  return useQuery({
    queryKey: ['chain', 'balances', owner],
    queryFn: () => timed(() => readBalances(client, assets, owner as Address)),
    enabled: owner !== undefined,
    refetchInterval: 5_000,
  });
}
