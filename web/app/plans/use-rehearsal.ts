import { networkCost } from '@bowline/chain/network-cost';
import type { PlanTerms } from '@bowline/chain/plan';
import type { Call } from '@bowline/chain/try-as';
import { useQuery } from '@tanstack/react-query';
import { thisMoment } from '../api/age.ts';
import { useChain } from '../chain/client.ts';
import { useSawBlock } from '../chain/use-clock.ts';
import { useSettings } from '../settings.tsx';

/** Time for typing to end. */
const REST_MS = 600;

interface Rehearsed {
  readonly terms: PlanTerms;
  /** The owner's calls before the run. */
  readonly before: readonly Call[];
  readonly plan: { readonly id: bigint; readonly version: number; readonly records: number } | undefined;
}

/**
 * Rehearses a plan's next run and estimates the fee of the owner's transactions, once the fields rest.
 * @param key what a new rehearsal depends on: terms carry the time, which changes by the second.
 */
export function useRehearsal(key: string, draft: Rehearsed | undefined) {
  const client = useChain();
  const settings = useSettings();
  const sawBlock = useSawBlock();
  return useQuery({
    queryKey: ['chain', 'rehearsal', key],
    queryFn: async ({ signal }) => {
      await new Promise((resolve) => setTimeout(resolve, REST_MS));
      signal.throwIfAborted();
      const { terms, before, plan } = draft as Rehearsed;
      // Brings the search of a route, which a section that shows no form has no use for.
      const { rehearse } = await import('../chain/rehearse.ts');
      const asked = thisMoment();
      const [run, cost] = await Promise.all([
        rehearse(client, settings, { terms, before, plan }),
        before.length === 0 ? undefined : networkCost(client, terms.owner, before),
      ]);
      return { run, cost, readAt: sawBlock(undefined, asked) };
    },
    enabled: draft !== undefined,
    refetchInterval: 90_000,
    retry: 1,
    gcTime: 0,
  });
}
