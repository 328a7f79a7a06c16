import { networkCost } from '@bowline/chain/network-cost';
import { WRAPPED_BNB } from '@bowline/core/domain/assets';
import { useQuery } from '@tanstack/react-query';
import { type Address, parseUnits } from 'viem';
import { isAnswerOld } from '../api/freshness.ts';
import { useQuote } from '../api/quote.ts';
import { useMoment } from '../api/use-moment.ts';
import { useChain } from '../chain/client.ts';
import type { Step } from '../chain/step.ts';

/** The network's fee for an account's transactions, simulated in order, and the price of BNB that it is shown with. */
export function useCost(owner: Address, calls: readonly Step[]) {
  const client = useChain();
  const { data: quote } = useQuote();
  const moment = useMoment();
  const { data, isPending } = useQuery({
    queryKey: ['chain', 'cost', owner, calls.map(({ data }) => data)],
    queryFn: async () => ({ cost: await networkCost(client, owner, calls) }),
    gcTime: 0,
  });
  const bnb = quote?.assets.find(({ symbol }) => symbol === WRAPPED_BNB)?.price_usd;
  const isOld = quote === undefined || isAnswerOld(quote, moment);
  return { cost: isPending ? null : data?.cost, bnbUsdWad: bnb && !isOld ? parseUnits(bnb, 18) : undefined };
}
