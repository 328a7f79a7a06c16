import { beginReading } from '@bowline/chain/one-call';
import { useQuery } from '@tanstack/react-query';
import type { Asset } from '../api/settings.ts';
import { useChain } from '../chain/client.ts';
import { readFeed } from '../chain/read-feed.ts';

/** Chainlink's price of the paid token, by which the agent converts dollars; null if the feed gives none of now. */
export function useFeed(pay: Asset | undefined) {
  const client = useChain();
  return useQuery({
    queryKey: ['chain', 'feed', pay?.feed],
    queryFn: async () => (await readFeed(beginReading(client, []), pay as Asset)) ?? null,
    enabled: pay !== undefined,
    refetchInterval: 60_000,
  });
}
