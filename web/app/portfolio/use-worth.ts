import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { Address } from 'viem';
import { thisMoment } from '../api/age.ts';
import { useChain } from '../chain/client.ts';
import { datedBy } from '../chain/head.ts';
import { useSawBlock } from '../chain/use-clock.ts';
import { useNative } from '../chain/use-native.ts';
import { useSettings } from '../settings.tsx';
import { readWorth, type Worth } from './read-worth.ts';

/** Chainlink's prices and what the account has: one call each time, and another one twice a minute for its BNB. */
export function useWorth(owner: Address | undefined) {
  const client = useChain();
  const queries = useQueryClient();
  const settings = useSettings();
  const sawBlock = useSawBlock();
  const queryKey = ['chain', 'worth', owner];
  const native = useNative(owner, 30_000);
  const worth = useQuery({
    queryKey,
    queryFn: async () => {
      const at = thisMoment();
      const read = await readWorth(client, settings, owner, queries.getQueryData<Worth>(queryKey));
      return datedBy(read, at, sawBlock(read.time, at));
    },
    refetchInterval: 5_000,
  });
  return { worth: worth.data, native, refetch: worth.refetch };
}
