import { useQuery } from '@tanstack/react-query';
import { type Address, erc20Abi } from 'viem';
import { usePublicClient } from 'wagmi';
import { useConfig } from './config.tsx';

/** What an account holds of every listed asset, in base units by symbol. */
export function useBalances(account: Address | undefined) {
  const { assets } = useConfig();
  const node = usePublicClient();
  return useQuery({
    queryKey: ['balances', account],
    enabled: account !== undefined && node !== undefined,
    refetchInterval: 5_000,
    queryFn: async () => {
      if (node === undefined || account === undefined) return {};
      const contracts = assets.map(
        ({ address }) => ({ address, abi: erc20Abi, functionName: 'balanceOf', args: [account] }) as const,
      );
      const held = await node.multicall({ contracts, deployless: true, allowFailure: false });
      return Object.fromEntries(assets.map(({ symbol }, at) => [symbol, held[at] ?? 0n]));
    },
  });
}
