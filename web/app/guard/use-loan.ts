import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Address } from 'viem';
import { loanGuardAbi } from '../../../abis/index.ts';
import { type Moment, thisMoment } from '../api/age.ts';
import { useChain } from '../chain/client.ts';
import { type Guarded, type GuardedById, readGuarded, readGuardedById } from '../chain/read-guarded.ts';
import type { Guard } from '../chain/read-guards.ts';
import { useSettings } from '../settings.tsx';

/** The account's loans and guards: twelve calls a minute. */
export function useGuarded(account: Address) {
  const client = useChain();
  const queries = useQueryClient();
  const settings = useSettings();
  const queryKey = ['chain', 'guarded', account];
  return useQuery({
    queryKey,
    queryFn: async () => {
      const at = thisMoment();
      const read = await readGuarded(client, settings, account, queries.getQueryData<Guarded>(queryKey));
      tellTime(queries, read.time, at);
      // The search for approvals goes on from what was found here.
      if (read.guards.data) queries.setQueryData(['chain', 'guards', account], read.guards.data);
      return read;
    },
    refetchInterval: 5_000,
  });
}

/** One guard of anybody's and its loan: twelve calls a minute. */
export function useGuardedById(id: bigint) {
  const client = useChain();
  const queries = useQueryClient();
  const settings = useSettings();
  const queryKey = ['chain', 'guard', String(id)];
  return useQuery({
    queryKey,
    queryFn: async () => {
      const at = thisMoment();
      const read = await readGuardedById(client, settings, id, queries.getQueryData<GuardedById>(queryKey));
      tellTime(queries, read.time, at);
      return read;
    },
    refetchInterval: 5_000,
  });
}

/** The page's clock goes on from the block's time that a reading brought along, and need not ask for it. */
function tellTime(queries: QueryClient, timestamp: bigint | undefined, at: Moment): void {
  if (timestamp === undefined) return;
  queries.setQueryData<{ readonly timestamp: bigint; readonly at: Moment }>(['chain', 'time'], (before) =>
    before?.timestamp === timestamp ? before : { timestamp, at },
  );
}

/** Rescues read before all are asked for. */
const READ = 20;
/** Rescues per call. */
const PAGE = 500;

/**
 * A guard's rescues, newest first.
 * @param isWhole whether all are read, or the newest alone.
 */
export function useRescues({ id, rescues }: Guard, isWhole: boolean) {
  const client = useChain();
  const { contracts } = useSettings();
  return useQuery({
    queryKey: ['chain', 'rescues', String(id), isWhole, rescues],
    queryFn: async () => {
      const call = { address: contracts.loanGuard, abi: loanGuardAbi, functionName: 'rescues' } as const;
      const starts: number[] = [];
      for (let from = isWhole ? 0 : Math.max(0, rescues - READ); from < rescues; from += PAGE) starts.push(from);
      const pages = starts.map((from) =>
        client.readContract({ ...call, args: [id, BigInt(from), BigInt(Math.min(from + PAGE, rescues))] }),
      );
      const read = (await Promise.all(pages)).flat();
      if (isWhole && read.length !== rescues) throw new Error('The node left out rescues.');
      return read.toReversed();
    },
    placeholderData: (before) => before,
  });
}
