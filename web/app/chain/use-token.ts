import { erc20Abi, soundDecimals } from '@bowline/chain/erc20-abi';
import type { Token } from '@bowline/core/audit/history';
import { tokenName } from '@bowline/core/audit/token';
import { useQuery } from '@tanstack/react-query';
import { type Address, zeroAddress } from 'viem';
import { assetAt } from '../api/settings.ts';
import { useSettings } from '../settings.tsx';
import { useChain } from './client.ts';

/** A token from the build's list or its own contract; undefined while the contract is being read or if that failed. */
export const useToken = (address: Address | undefined): Token | undefined => useTokenReading(address).token;

/** The same, with the error if it could not be read. */
export function useTokenReading(address: Address | undefined) {
  const client = useChain();
  const settings = useSettings();
  const listed = assetAt(settings, address ?? zeroAddress);
  const { data, error, refetch } = useQuery({
    queryKey: ['chain', 'token', address],
    queryFn: async (): Promise<Token> => {
      const call = { address: address ?? zeroAddress, abi: erc20Abi } as const;
      const [symbol, decimals] = await Promise.all([
        client.readContract({ ...call, functionName: 'symbol' }).catch(() => ''),
        // Not caught: without decimals, amounts would be wrong by powers of ten.
        client.readContract({ ...call, functionName: 'decimals' }),
      ]);
      return { symbol: tokenName(call.address, symbol, settings.assets), decimals: soundDecimals(decimals) };
    },
    enabled: address !== undefined && listed === undefined,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return { token: listed ?? data, error, retry: () => void refetch() };
}
