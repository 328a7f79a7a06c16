import type { BarePlan as Plan } from '@bowline/core/domain/permissions';
import { useQuery } from '@tanstack/react-query';
import { useChain } from '../chain/client.ts';
import { useSettings } from '../settings.tsx';

/** What one run of a plan would lose now. @param isRead whether it is read at all. */
export function useOwnCost(plan: Plan, isRead: boolean) {
  const client = useChain();
  const settings = useSettings();
  return useQuery({
    queryKey: ['chain', 'own-cost', String(plan.id), plan.version],
    queryFn: async () => {
      // Brings the search of a route, which plans that do not wait have no use for.
      const { readCost } = await import('./own-cost.ts');
      return (await readCost(client, settings, plan)) ?? null;
    },
    enabled: isRead,
    refetchInterval: 30_000,
    gcTime: 0,
  });
}
