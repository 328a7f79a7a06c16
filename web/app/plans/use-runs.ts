import { type RunOnChain, readRuns } from '@bowline/chain/records';
import type { BarePlan as Plan } from '@bowline/core/domain/permissions';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { Address } from 'viem';
import { type ChainClient, useChain } from '../chain/client.ts';
import { untilFinal } from '../chain/until-final.ts';
import { useSettings } from '../settings.tsx';

/** Records read before the whole history is requested. */
export const SHOWN = 10;
export type Run = RunOnChain & {
  /** Its number, from 0 on, as the registry's events name it. */
  readonly record: number;
};

/**
 * A record never changes once its block is final, so only the newest are read again; the rest of `known` is kept.
 * @returns newest first.
 */
export async function readHistory(
  client: ChainClient,
  address: Address,
  { id, records }: Pick<Plan, 'id' | 'records'>,
  isWhole: boolean,
  known: readonly Run[],
): Promise<readonly Run[]> {
  const newest = Math.max(0, records - SHOWN);
  const kept = known.filter(({ record }) => record < newest);
  const from = isWhole ? kept.length : newest;
  const read = await readRuns(client, address, id, from, records);
  return [...read.map((run, at) => ({ ...run, record: from + at })).toReversed(), ...kept];
}

/**
 * A plan's runs and deferrals, newest first, with the numbers that the registry's events give them.
 * @param isWhole whether the whole history is read, or only the newest records.
 * @param isRead whether it is read at all.
 */
export function useRuns(
  { id, records }: Plan,
  { isWhole, isRead }: { readonly isWhole: boolean; readonly isRead: boolean },
) {
  const client = useChain();
  const queries = useQueryClient();
  const { planRegistry } = useSettings().contracts;
  const queryKey = ['chain', 'runs', String(id), isWhole];
  return useQuery({
    queryKey: [...queryKey, records],
    queryFn: () => {
      const known = isWhole ? longest(queries.getQueriesData<readonly Run[]>({ queryKey })) : [];
      return readHistory(client, planRegistry, { id, records }, isWhole, known);
    },
    enabled: isRead,
    refetchInterval: untilFinal,
    placeholderData: (before) => before,
  });
}

const longest = (all: readonly (readonly [unknown, readonly Run[] | undefined])[]): readonly Run[] =>
  all.reduce<readonly Run[]>((most, [, runs = []]) => (runs.length > most.length ? runs : most), []);
