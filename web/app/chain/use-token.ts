import type { Token } from '@bowline/core/audit/history';
import { shortAddress } from '@bowline/core/domain/readable';
import { useQuery } from '@tanstack/react-query';
import { type Address, zeroAddress } from 'viem';
import { assetAt } from '../api/settings.ts';
import { useSettings } from '../settings.tsx';
import { erc20Abi } from './abis.ts';
import { useChain } from './client.ts';

/** A token by the build's list, or by its own words; undefined while those are asked for. */
export function useToken(address: Address | undefined): Token | undefined {
  const client = useChain();
  const listed = assetAt(useSettings(), address ?? zeroAddress);
  const { data } = useQuery({
    queryKey: ['chain', 'token', address],
    queryFn: async (): Promise<Token> => {
      const call = { address: address ?? zeroAddress, abi: erc20Abi } as const;
      const [symbol, decimals] = await Promise.all([
        client.readContract({ ...call, functionName: 'symbol' }).catch(() => ''),
        // Without them amounts would be wrong by powers of ten.
        client.readContract({ ...call, functionName: 'decimals' }),
      ]);
      // A stranger's token may call itself anything.
      return { symbol: /^[\w.$-]{1,20}$/.test(symbol) ? symbol : shortAddress(call.address), decimals };
    },
    enabled: address !== undefined && listed === undefined,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return listed ?? data;
}
