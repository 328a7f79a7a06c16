import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import { elapsed, type Moment, thisMoment } from '../api/age.ts';
import { useMoment } from '../api/use-moment.ts';
import { useChain } from './client.ts';

/** The newest block that the page has seen. */
export interface Seen {
  readonly timestamp: bigint;
  /** When it was seen first. */
  readonly at: Moment;
  /** When it was last asked for in vain whether there is a newer one. */
  readonly stillAt?: Moment;
}

const queryKey = ['chain', 'time'];

const seen = (before: Seen | undefined, timestamp: bigint, at: Moment): Seen =>
  before?.timestamp === timestamp ? { ...before, stillAt: at } : { timestamp, at };

/**
 * Tells the page's clock the time of a block that a reading has seen, so that the page need not ask for it.
 * @param at when the reading was asked for.
 */
export const sawBlock = (queries: QueryClient, timestamp: bigint | undefined, at: Moment): void => {
  if (timestamp !== undefined) queries.setQueryData<Seen>(queryKey, (before) => seen(before, timestamp, at));
};

/** Undefined until a block was seen. It is asked for only if no reading has told of one for a while. */
export function useNewestBlock(): Seen | undefined {
  const client = useChain();
  const queries = useQueryClient();
  const { data } = useQuery({
    queryKey,
    queryFn: async (): Promise<Seen> => {
      const at = thisMoment();
      const { timestamp } = await client.getBlock({ blockTag: 'latest' });
      // A node may answer with anything, and every section computes with it.
      if (typeof timestamp !== 'bigint') throw new Error('The node answered another question.');
      return seen(queries.getQueryData<Seen>(queryKey), timestamp, at);
    },
    refetchInterval: 6_000,
  });
  return data;
}

/**
 * The newest block's time in unix seconds, which the contracts use, plus the time since it was first seen: the clock
 * continues while the chain does not answer. Undefined until it is known.
 */
export function useChainTime(): bigint | undefined {
  const block = useNewestBlock();
  const now = useMoment();
  return block && block.timestamp + BigInt(Math.floor(elapsed(block.at, now) / 1_000));
}
