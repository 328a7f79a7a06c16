import { WAD } from '@bowline/core/domain/units';
import { useQuery } from '@tanstack/react-query';
import { chainlinkPriceSourceAbi as abi } from '../../../abis/index.ts';
import { thisMoment } from '../api/age.ts';
import type { Asset } from '../api/settings.ts';
import { useChain } from '../chain/client.ts';
import { useSawBlock } from '../chain/use-clock.ts';
import { useSettings } from '../settings.tsx';

/**
 * The prices by which the registry computes the minimum of a buy now, from the very source that the build pins: USD per whole
 * unit with 18 decimals. What the agent's server says of prices binds no contract.
 */
export function useFloorPrices(pay: Asset | undefined, buy: Asset | undefined) {
  const client = useChain();
  const sawBlock = useSawBlock();
  const { priceSource: address } = useSettings().contracts;
  return useQuery({
    queryKey: ['chain', 'floor-prices', address, pay?.address, buy?.address],
    queryFn: async () => {
      const [paid, bought] = [pay as Asset, buy as Asset];
      const asked = thisMoment();
      const args = [paid.address, bought.address] as const;
      const [payWad, buyWad] = await client.readContract({ address, abi, functionName: 'prices', args });
      // The source prices 1e18 base units.
      const perWhole = (price: bigint, { decimals }: Asset) => (price * 10n ** BigInt(decimals)) / WAD;
      const readAt = sawBlock(undefined, asked);
      return { payUsdWad: perWhole(payWad, paid), buyUsdWad: perWhole(buyWad, bought), readAt };
    },
    enabled: pay !== undefined && buy !== undefined,
    refetchInterval: 10_000,
  });
}
