import { networkCost } from '@bowline/chain/network-cost';
import { useQuery } from '@tanstack/react-query';
import { parseUnits } from 'viem';
import type { Trade } from '../../sound-offer.ts';
import { isAnswerOld } from '../api/freshness.ts';
import { useQuote } from '../api/quote.ts';
import { useMoment } from '../api/use-moment.ts';
import { useChain } from '../chain/client.ts';

/** The network's fee for a trade's transactions, simulated in order, and the price of BNB that it is shown with. */
export function useCost({ owner, calls }: Trade) {
  const client = useChain();
  const { data: quote } = useQuote();
  const moment = useMoment();
  const { data, isPending } = useQuery({
    queryKey: ['chain', 'cost', owner, calls.map(({ data }) => data)],
    queryFn: async () => ({ cost: await networkCost(client, owner, calls) }),
    gcTime: 0,
  });
  const bnb = quote?.assets.find(({ symbol }) => symbol === 'WBNB')?.price_usd;
  const isOld = quote === undefined || isAnswerOld(quote, moment);
  return { cost: isPending ? null : data?.cost, bnbUsdWad: bnb && !isOld ? parseUnits(bnb, 18) : undefined };
}
