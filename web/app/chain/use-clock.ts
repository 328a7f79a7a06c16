import { useQuery, useQueryClient } from '@tanstack/react-query';
import { elapsed, type Moment, thisMoment } from '../api/age.ts';
import { useMoment } from '../api/use-moment.ts';
import { useChain } from './client.ts';

interface Seen {
  readonly timestamp: bigint;
  readonly at: Moment;
}

/**
 * The newest block's time in unix seconds, which the contracts use, plus the time since it was first seen: the clock
 * continues while the chain does not answer. Undefined until it is known.
 */
export function useChainTime(): bigint | undefined {
  const client = useChain();
  const queries = useQueryClient();
  const now = useMoment();
  const queryKey = ['chain', 'time'];
  const { data } = useQuery({
    queryKey,
    queryFn: async (): Promise<Seen> => {
      const at = thisMoment();
      const { timestamp } = await client.getBlock({ blockTag: 'latest' });
      const before = queries.getQueryData<Seen>(queryKey);
      return before?.timestamp === timestamp ? before : { timestamp, at };
    },
    refetchInterval: 6_000,
  });
  return data && data.timestamp + BigInt(Math.floor(elapsed(data.at, now) / 1_000));
}
