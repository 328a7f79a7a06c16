import { useQuery } from '@tanstack/react-query';
import { useChain } from './client.ts';

/** More than the steps of any transaction that pays BNB take: wrapping, an approval and a swap over three pools, or a payment to Venus. */
const STEPS_GAS = 700_000n;
/** The price of gas may rise until the last of them. */
const MARGIN = 2n;

/** wei of BNB that MAX leaves for the network's fees; undefined while not known, or not needed. */
export function useFeeReserve(isNeeded = true): bigint | undefined {
  const client = useChain();
  const { data: price } = useQuery({
    queryKey: ['chain', 'gas-price'],
    queryFn: () => client.getGasPrice(),
    enabled: isNeeded,
    refetchInterval: 60_000,
  });
  return price && MARGIN * STEPS_GAS * price;
}
