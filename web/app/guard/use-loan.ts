import { readerOf } from '@bowline/chain/lending/readers';
import { readGuardRescues } from '@bowline/chain/records';
import { type GuardKey, guardKey } from '@bowline/core/domain/guard-key';
import { protocolAt } from '@bowline/core/domain/lending';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { Address } from 'viem';
import { thisMoment } from '../api/age.ts';
import type { Settings } from '../api/settings.ts';
import { type ChainClient, useChain } from '../chain/client.ts';
import { datedBy } from '../chain/head.ts';
import { type Guarded, type GuardedById, readGuarded, readGuardedById } from '../chain/read-guarded.ts';
import type { Guard } from '../chain/read-guards.ts';
import { untilFinal } from '../chain/until-final.ts';
import { useSawBlock } from '../chain/use-clock.ts';
import { useSettings } from '../settings.tsx';

/** The account's loans and guards: twelve calls a minute. */
export function useGuarded(account: Address) {
  const client = useChain();
  const queries = useQueryClient();
  const settings = useSettings();
  const sawBlock = useSawBlock();
  const queryKey = ['chain', 'guarded', account];
  return useQuery({
    queryKey,
    queryFn: async () => {
      const at = thisMoment();
      const answered = await readGuarded(client, settings, account, queries.getQueryData<Guarded>(queryKey));
      const read = datedBy(answered, at, sawBlock(answered.time, at));
      // The search for approvals continues from what was found here.
      if (read.guards.data) queries.setQueryData(['chain', 'guards', account], read.guards.data);
      return read;
    },
    refetchInterval: 5_000,
  });
}

/** Anyone's guard and its loan: twelve calls a minute. */
export function useGuardedById(id: GuardKey) {
  const client = useChain();
  const queries = useQueryClient();
  const settings = useSettings();
  const sawBlock = useSawBlock();
  const queryKey = ['chain', 'guard', String(id)];
  return useQuery({
    queryKey,
    queryFn: async () => {
      const at = thisMoment();
      const read = await readGuardedById(client, settings, id, queries.getQueryData<GuardedById>(queryKey));
      return datedBy(read, at, sawBlock(read.time, at));
    },
    refetchInterval: 5_000,
  });
}

/** The least that a liquidation in a guard's protocol takes beyond what it repays, with 18 decimals. */
export function usePenalty({ adapter, market }: Pick<Guard, 'adapter' | 'market'>) {
  const client = useChain();
  const { lending } = useSettings();
  return useQuery({
    queryKey: ['chain', 'penalty', adapter, market],
    queryFn: () => penaltyWad(client, lending, { adapter, market }),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** @throws if it cannot be read, or nobody here knows the protocol. */
export async function penaltyWad(
  client: ChainClient,
  lending: Settings['lending'],
  guard: Pick<Guard, 'adapter' | 'market'>,
): Promise<bigint> {
  const protocol = protocolAt(lending, guard);
  const reader = protocol && readerOf(protocol);
  if (reader === undefined) throw new Error('Nobody here knows the protocol.');
  return reader.penaltyWad(client, protocol as NonNullable<typeof protocol>);
}

/** A rescue with its block's time, unix seconds. */
export type TimedRescue = Awaited<ReturnType<typeof readGuardRescues>>[number];

/** Rescues read before all are requested. */
const READ = 20;

/**
 * A guard's rescues, newest first.
 * @param isWhole whether all are read, or only the newest.
 */
export function useRescues(guard: Guard, isWhole: boolean) {
  const { rescues } = guard;
  const client = useChain();
  const { contracts } = useSettings();
  return useQuery({
    queryKey: ['chain', 'rescues', String(guardKey(guard)), isWhole, rescues],
    queryFn: async () => {
      const from = isWhole ? 0 : Math.max(0, rescues - READ);
      return (await readGuardRescues(client, contracts, guard, from)).toReversed();
    },
    refetchInterval: untilFinal,
    placeholderData: (before) => before,
  });
}
