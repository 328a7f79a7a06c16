import { networkCost } from '@bowline/chain/network-cost';
import { beginReading } from '@bowline/chain/one-call';
import { WRAPPED_BNB } from '@bowline/core/domain/assets';
import { useQuery } from '@tanstack/react-query';
import type { Address } from 'viem';
import { readMarket } from '../../read-market.ts';
import type { Trade } from '../../validate-offer.ts';
import { useToldPrice } from '../api/quote.ts';
import type { Asset } from '../api/settings.ts';
import { useChain } from '../chain/client.ts';
import { readFeed } from '../chain/read-tokens.ts';
import type { Step } from '../chain/step.ts';
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

/** The network's fee for an account's transactions, simulated in order, and the price of BNB that it is shown with. */
export function useCost(owner: Address, calls: readonly Step[]) {
  const client = useChain();
  const bnbUsdWad = useToldPrice(WRAPPED_BNB);
  const { data, isPending } = useQuery({
    queryKey: ['chain', 'cost', owner, calls.map(({ data }) => data)],
    queryFn: async () => ({ cost: await networkCost(client, owner, calls) }),
    gcTime: 0,
  });
  return { cost: isPending ? null : data?.cost, bnbUsdWad };
}

/** Chainlink's price of the paid token, by which the agent converts dollars; null if the feed has no current price. */
export function useFeed(pay: Asset | undefined) {
  const client = useChain();
  return useQuery({
    queryKey: ['chain', 'feed', pay?.feed],
    queryFn: async () => (await readFeed(beginReading(client, []), pay as Asset)) ?? null,
    enabled: pay !== undefined,
    refetchInterval: 60_000,
  });
}
