import { depositAbi } from '@bowline/chain/guard-abi';
import { useQuery } from '@tanstack/react-query';
import type { Address, Hex } from 'viem';
import { useChain } from '../chain/client.ts';

/** What stands for an account's deposit, and what it is worth, by the adapter; undefined while not read. */
export function useDeposit(adapter: Address | undefined, account: Address, market: Hex) {
  const client = useChain();
  return useQuery({
    queryKey: ['chain', 'deposit', adapter, account, market],
    queryFn: async () => {
      const call = {
        abi: depositAbi,
        functionName: 'accrueAndReadCollateral',
        args: [account, market],
      } as const;
      const { receipt, rateWad, token } = (await client.simulateContract({ address: adapter as Address, ...call }))
        .result;
      return { receipt, rateWad, token };
    },
    enabled: adapter !== undefined,
    refetchInterval: 60_000,
  }).data;
}

export type Deposit = NonNullable<ReturnType<typeof useDeposit>>;
