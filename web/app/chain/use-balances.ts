import { type Asked, beginReading } from '@bowline/chain/one-call';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { Address } from 'viem';
import { thisMoment } from '../api/age.ts';
import type { Timed } from '../api/freshness.ts';
import { useSettings } from '../settings.tsx';
import { useChain } from './client.ts';
import { type Balances, readTokens } from './read-balances.ts';
import { useSawBlock } from './use-clock.ts';
import { useNative } from './use-native.ts';

type Read = Timed<Pick<Balances, 'of'>> & { readonly asked: readonly Asked[] };

/** The account's balances: one call each time, and another one a minute for the BNB that pays fees. */
export function useBalances(owner: Address | undefined) {
  const client = useChain();
  const queries = useQueryClient();
  const { assets } = useSettings();
  const sawBlock = useSawBlock();
  const native = useNative(owner);
  const queryKey = ['chain', 'balances', owner];
  const tokens = useQuery({
    queryKey,
    queryFn: async () => {
      const asked = thisMoment();
      const reading = beginReading(client, queries.getQueryData<Read>(queryKey)?.asked ?? []);
      const of = await readTokens(reading.client, assets, owner as Address);
      const readAt = sawBlock(reading.time(), asked);
      return { of, readAt, asked: reading.asked() } satisfies Read;
    },
    enabled: owner !== undefined,
    refetchInterval: 5_000,
  });
  return { ...tokens, data: tokens.data && { ...tokens.data, native } };
}
