import { useQuery } from '@tanstack/react-query';
import { parseAbi } from 'viem';
import type { Asset } from '../api/settings.ts';
import { useChain } from '../chain/client.ts';

const abi = parseAbi([
  'function latestRoundData() view returns (uint80 roundId, int256 answer, uint256 startedAt, uint256 updatedAt, uint80 answeredInRound)',
]);

/** Chainlink's price of the paid token, by which the agent converts dollars: USD with 18 decimals. */
export function useFeed(pay: Asset | undefined) {
  const client = useChain();
  return useQuery({
    queryKey: ['chain', 'feed', pay?.feed],
    queryFn: async () => {
      const { feed: address, feedDecimals } = pay as Asset;
      const [, answer] = await client.readContract({ address, abi, functionName: 'latestRoundData' });
      return answer * 10n ** BigInt(18 - feedDecimals);
    },
    enabled: pay !== undefined,
    refetchInterval: 60_000,
  });
}
