import { localChainId } from '@bowline/core/domain/chains';
import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import type { QuoteAnswer } from '../../wire.ts';
import { elapsed, type Moment, thisMoment } from '../api/age.ts';
import type { Dated } from '../api/freshness.ts';
import { useMoment } from '../api/use-moment.ts';
import { useSettings } from '../settings.tsx';
import { useChain } from './client.ts';
import { ageOfHead, asOfHead, type HeadAge, type Seen, seenAfter, serverFastMs } from './head.ts';

const queryKey = ['chain', 'time'];

/**
 * Feeds the page's clock with the time of a block that a reading has seen, so that the page need not request one.
 * @param timestamp undefined if the reading has none: then it counts as of the newest block seen.
 * @param at when the reading was requested.
 * @returns the moment as of which the reading is valid.
 */
export function sawBlock(queries: QueryClient, timestamp: bigint | undefined, at: Moment, isLocal: boolean): Moment {
  if (timestamp !== undefined) {
    queries.setQueryData<Seen>(queryKey, (before) => seenAfter(before, timestamp, at));
  }
  const seen = queries.getQueryData<Seen>(queryKey);
  if (seen === undefined) return at;
  const asOf = asOfHead(seen, ageOfHead(seen, serverFastMs(toldBy(queries), at), isLocal));
  return asOf.steady < at.steady ? asOf : at;
}

/** The server's newest price answer, which carries its time. The page's clock does not request one itself. */
const toldBy = (queries: QueryClient) => queries.getQueryData<Dated<QuoteAnswer>>(['quote']);

/** Returns `sawBlock` bound to the page: it feeds the clock and returns the moment as of which a reading is valid. */
export function useSawBlock(): (timestamp: bigint | undefined, at: Moment) => Moment {
  const queries = useQueryClient();
  const isLocal = useSettings().chainId === localChainId;
  return (timestamp, at) => sawBlock(queries, timestamp, at, isLocal);
}

/** Requested only if no reading has reported a block for a while. */
function useBlockQuery() {
  const client = useChain();
  const queries = useQueryClient();
  return useQuery({
    queryKey,
    queryFn: async (): Promise<Seen> => {
      const at = thisMoment();
      const { timestamp } = await client.getBlock({ blockTag: 'latest' });
      // A node may answer with anything, and every section computes with it.
      if (typeof timestamp !== 'bigint') throw new Error("The node's answer does not match the request.");
      return seenAfter(queries.getQueryData<Seen>(queryKey), timestamp, at);
    },
    refetchInterval: 6_000,
  });
}

/** Undefined until a block was seen. */
export const useNewestBlock = (): Seen | undefined => useBlockQuery().data;

/** Why no block was ever seen; null while the first request is pending and once there is a block. */
export function useNoBlock(): Error | null {
  const { data, error } = useBlockQuery();
  return data === undefined ? error : null;
}

/** The newest block and its age by the clocks; undefined until a block was seen. */
export function useHead(now: Moment): { readonly seen: Seen; readonly age: HeadAge } | undefined {
  const seen = useNewestBlock();
  const queries = useQueryClient();
  const isLocal = useSettings().chainId === localChainId;
  return seen && { seen, age: ageOfHead(seen, serverFastMs(toldBy(queries), now), isLocal) };
}

/**
 * The newest block's time in unix seconds, which the contracts use, plus the time since it was made, as far as the
 * clocks can tell, or since it was first seen. So the clock keeps running while the chain does not answer or its node
 * is behind. Undefined until it is known.
 */
export function useChainTime(): bigint | undefined {
  const now = useMoment();
  const head = useHead(now);
  if (head === undefined) return undefined;
  const since = elapsed(asOfHead(head.seen, head.age), now);
  return head.seen.timestamp + BigInt(Math.floor(since / 1_000));
}
