import { useQuery } from '@tanstack/react-query';
import { readMarket } from '../../read-market.ts';
import type { Trade } from '../../sound-offer.ts';
import { useChain } from '../chain/client.ts';
import { useSettings } from '../settings.tsx';

/** What the chain says of a trade just now, read by this page. */
export function useMarket(trade: Trade) {
  const client = useChain();
  const settings = useSettings();
  const { owner, calls, amountIn } = trade;
  return useQuery({
    queryKey: ['chain', 'market', owner, calls.at(-1)?.data, String(amountIn)],
    queryFn: () => readMarket(client, settings, trade),
    refetchInterval: 4_000,
    // A reading of before says nothing about an offer of now.
    gcTime: 0,
  });
}
