import { type Asked, beginReading } from '@bowline/chain/one-call';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { Address } from 'viem';
import { thisMoment } from '../api/age.ts';
import type { Timed } from '../api/freshness.ts';
import { useChain } from '../chain/client.ts';
import { type OwnedPlans, readPlans } from '../chain/read-plans.ts';
import { useSawBlock } from '../chain/use-clock.ts';
import { useSettings } from '../settings.tsx';

type Read = Timed<OwnedPlans> & { readonly asked: readonly Asked[] };

/** The owner's plans: one call each time while nobody makes new ones, and one more to search those. */
export function usePlans(owner: Address) {
  const client = useChain();
  const queries = useQueryClient();
  const { contracts } = useSettings();
  const sawBlock = useSawBlock();
  const queryKey = ['chain', 'plans', owner];
  return useQuery({
    queryKey,
    queryFn: async () => {
      const asked = thisMoment();
      const known = queries.getQueryData<Read>(queryKey);
      const reading = beginReading(client, known?.asked ?? []);
      const read = await readPlans(reading.client, contracts.planRegistry, owner, known);
      const readAt = sawBlock(reading.time(), asked);
      return { ...read, readAt, asked: reading.asked() } satisfies Read;
    },
    refetchInterval: 5_000,
  });
}
