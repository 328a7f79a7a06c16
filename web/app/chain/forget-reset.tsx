import { localChainId } from '@bowline/core/domain/chains';
import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useSettings } from '../settings.tsx';
import { type ChainClient, useChain } from './client.ts';
import { useNetwork } from './use-line.tsx';

const queryKey = ['first-block'];

/**
 * Drops all cached chain readings if the first block has changed: readings build on earlier ones and would mix plans
 * and records of both chains.
 * @returns the first block's hash; null if the chain has no block yet.
 */
export async function forgetReset(client: ChainClient, queries: QueryClient): Promise<string | null> {
  const before = queries.getQueryData<string | null>(queryKey);
  const hash = await client.getBlock({ blockNumber: 1n }).then(
    (block) => block.hash,
    () => null,
  );
  // A node that fails to answer tells nothing about its chain.
  if (hash === null) return before ?? null;
  if (before && before !== hash) void queries.resetQueries({ queryKey: ['chain'] });
  return hash;
}

/**
 * Only the local chain is ever reset. The page sees its node go down, or is hidden meanwhile, so it requests the first
 * block after either, and not every minute.
 */
export function ForgetReset() {
  return useSettings().chainId === localChainId ? <Forgetting /> : null;
}

function Forgetting() {
  const client = useChain();
  const queries = useQueryClient();
  const isSilent = useNetwork().state === 'silent';
  const { refetch } = useQuery({
    queryKey,
    queryFn: () => forgetReset(client, queries),
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: 'always',
    refetchOnReconnect: 'always',
  });
  useEffect(() => {
    if (!isSilent) void refetch();
  }, [isSilent, refetch]);
  return null;
}
