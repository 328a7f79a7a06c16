import { useQuery } from '@tanstack/react-query';
import { readMarket } from '../../read-market.ts';
import type { Trade } from '../../sound-offer.ts';
import { useChain } from '../chain/client.ts';
import { useSettings } from '../settings.tsx';

/** The chain's current view of a trade, read by this page. */
export function useMarket(trade: Trade) {
  const client = useChain();
  const settings = useSettings();
  const { owner, calls, amountIn } = trade;
  return useQuery({
    queryKey: ['chain', 'market', owner, calls.at(-1)?.data, String(amountIn)],
    queryFn: () => readMarket(client, settings, trade),
    refetchInterval: 4_000,
    // An earlier reading is no evidence for a later offer.
    gcTime: 0,
  });
}
