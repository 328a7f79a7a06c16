import { erc20Abi } from '@bowline/chain/erc20-abi';
import { useQuery } from '@tanstack/react-query';
import type { Address } from 'viem';
import { useChain } from './client.ts';

/** The balances that a form needs: one token, and the BNB that pays fees. */
export function useHeld(owner: Address, token: Address | undefined) {
  const client = useChain();
  return useQuery({
    queryKey: ['chain', 'held', owner, token],
    queryFn: async () => {
      const address = token as Address;
      const [held, native] = await Promise.all([
        client.readContract({ address, abi: erc20Abi, functionName: 'balanceOf', args: [owner] }),
        client.getBalance({ address: owner }),
      ]);
      return { held, native };
    },
    enabled: token !== undefined,
    refetchInterval: 30_000,
  });
}
