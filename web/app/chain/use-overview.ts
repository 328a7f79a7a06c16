import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { Address } from 'viem';
import { thisMoment } from '../api/age.ts';
import { useSettings } from '../settings.tsx';
import { useChain } from './client.ts';
import { datedBy } from './head.ts';
import { type Overview, readOverview } from './read-overview.ts';
import { useSawBlock } from './use-clock.ts';

interface Pace {
  /** Milliseconds between two readings. */
  readonly every: number;
  /** Whether it continues while the page is hidden. */
  readonly isAlways?: boolean;
}

/** What is known about an account: one chain call per reading. */
export function useOverview(owner: Address | undefined, { every, isAlways = false }: Pace) {
  const client = useChain();
  const queries = useQueryClient();
  const settings = useSettings();
  const sawBlock = useSawBlock();
  const queryKey = ['chain', 'overview', owner];
  return useQuery({
    queryKey,
    queryFn: async () => {
      const at = thisMoment();
      const read = await readOverview(client, settings, owner as Address, queries.getQueryData<Overview>(queryKey));
      return datedBy(read, at, sawBlock(read.time, at));
    },
    enabled: owner !== undefined,
    refetchInterval: every,
    refetchIntervalInBackground: isAlways,
  });
}
