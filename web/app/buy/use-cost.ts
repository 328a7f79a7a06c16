import { networkCost } from '@bowline/chain/network-cost';
import { WRAPPED_BNB } from '@bowline/core/domain/assets';
import { useQuery } from '@tanstack/react-query';
import type { Address } from 'viem';
import { useToldPrice } from '../api/quote.ts';
import { useChain } from '../chain/client.ts';
import type { Step } from '../chain/step.ts';

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
