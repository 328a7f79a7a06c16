import { useQuery } from '@tanstack/react-query';
import { useChain } from './client.ts';

/** More gas than any BNB payment takes: wrapping, approval and a swap over three pools, or a payment to Venus. */
const STEPS_GAS = 700_000n;
/** The gas price may rise before the last step. */
const MARGIN = 2n;

/** wei of BNB that MAX leaves for network fees; undefined while unknown or not needed. */
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
