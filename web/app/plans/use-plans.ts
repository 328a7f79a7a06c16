import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { Address } from 'viem';
import { timed } from '../api/freshness.ts';
import { useChain } from '../chain/client.ts';
import { type OwnedPlans, readPlans } from '../chain/read-plans.ts';
import { useSettings } from '../settings.tsx';

export function usePlans(owner: Address) {
  const client = useChain();
  const queries = useQueryClient();
  const { contracts } = useSettings();
  const queryKey = ['chain', 'plans', owner];
  return useQuery({
    queryKey,
    queryFn: () =>
      timed(() => readPlans(client, contracts.planRegistry, owner, queries.getQueryData<OwnedPlans>(queryKey))),
    refetchInterval: 5_000,
  });
}
