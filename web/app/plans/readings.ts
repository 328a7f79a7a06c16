import { networkCost } from '@bowline/chain/network-cost';
import { type Asked, beginReading } from '@bowline/chain/one-call';
import { type RunOnChain, readRuns } from '@bowline/chain/records';
import type { BarePlan as Plan } from '@bowline/core/domain/permissions';
import { WAD } from '@bowline/core/domain/units';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { Address } from 'viem';
import { chainlinkPriceSourceAbi as abi } from '../../../abis/index.ts';
import { thisMoment } from '../api/age.ts';
import type { Timed } from '../api/freshness.ts';
import type { Asset } from '../api/settings.ts';
import { type ChainClient, useChain } from '../chain/client.ts';
import { type OwnedPlans, readPlans } from '../chain/read-plans.ts';
import type { SimulatedPlan } from '../chain/simulate-run.ts';
import { untilFinal } from '../chain/until-final.ts';
import { useSawBlock } from '../chain/use-clock.ts';
import { useSettings } from '../settings.tsx';

/** Records read before the whole history is requested. */
export const SHOWN = 10;
export type Run = RunOnChain & {
  /** The record's number, from 0, as in the registry's events. */
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

type Read = Timed<OwnedPlans> & { readonly asked: readonly Asked[] };

/** The owner's plans: one call per reading, and one more to search new plans if anyone has made some. */
export function usePlans(owner: Address) {
  const client = useChain();
  const queries = useQueryClient();
  const { contracts } = useSettings();
  const sawBlock = useSawBlock();
  const queryKey = ['chain', 'plans', owner];
  return useQuery({
    queryKey,
    queryFn: async () => {
      const asked = thisMoment();
      const known = queries.getQueryData<Read>(queryKey);
      const reading = beginReading(client, known?.asked ?? []);
      const read = await readPlans(reading.client, contracts.planRegistry, owner, known);
      const readAt = sawBlock(reading.time(), asked);
      return { ...read, readAt, asked: reading.asked() } satisfies Read;
    },
    refetchInterval: 5_000,
  });
}

/**
 * The prices by which the registry computes a buy's minimum now, from the source that the build pins: USD per whole
 * unit with 18 decimals. Prices from the agent's server bind no contract.
 */
export function useFloorPrices(pay: Asset | undefined, buy: Asset | undefined) {
  const client = useChain();
  const sawBlock = useSawBlock();
  const { priceSource: address } = useSettings().contracts;
  return useQuery({
    queryKey: ['chain', 'floor-prices', address, pay?.address, buy?.address],
    queryFn: async () => {
      const [paid, bought] = [pay as Asset, buy as Asset];
      const asked = thisMoment();
      const args = [paid.address, bought.address] as const;
      const [payWad, buyWad] = await client.readContract({ address, abi, functionName: 'prices', args });
      // The source prices 1e18 base units.
      const perWhole = (price: bigint, { decimals }: Asset) => (price * 10n ** BigInt(decimals)) / WAD;
      const readAt = sawBlock(undefined, asked);
      return { payUsdWad: perWhole(payWad, paid), buyUsdWad: perWhole(buyWad, bought), readAt };
    },
    enabled: pay !== undefined && buy !== undefined,
    refetchInterval: 10_000,
  });
}

/** What one run of a plan would lose now. @param isRead whether it is read at all. */
export function useOwnCost(plan: Plan, isRead: boolean) {
  const client = useChain();
  const settings = useSettings();
  return useQuery({
    queryKey: ['chain', 'own-cost', String(plan.id), plan.version],
    queryFn: async () => {
      // Loads the route search, which plans that do not wait do not need.
      const { readCost } = await import('./own-cost.ts');
      return (await readCost(client, settings, plan)) ?? null;
    },
    enabled: isRead,
    refetchInterval: 30_000,
    gcTime: 0,
  });
}

/** Debounce while the user types. */
const REST_MS = 600;

/**
 * Simulates a plan's next run and estimates the fee of the owner's transactions, once typing has stopped.
 * @param key what triggers a new simulation: the terms contain the time, which changes every second.
 */
export function useRunSimulation(key: string, plan: SimulatedPlan | undefined) {
  const client = useChain();
  const settings = useSettings();
  const sawBlock = useSawBlock();
  return useQuery({
    queryKey: ['chain', 'simulation', key],
    queryFn: async ({ signal }) => {
      await new Promise((resolve) => setTimeout(resolve, REST_MS));
      signal.throwIfAborted();
      // Loads the route search, which a section without an open form does not need.
      const simulated = plan as SimulatedPlan;
      const { simulateRun } = await import('../chain/simulate-run.ts');
      const asked = thisMoment();
      const [run, cost] = await Promise.all([
        simulateRun(client, settings, simulated),
        simulated.before.length === 0 ? undefined : networkCost(client, simulated.terms.owner, simulated.before),
      ]);
      return { run, cost, readAt: sawBlock(undefined, asked) };
    },
    enabled: plan !== undefined,
    refetchInterval: 90_000,
    retry: 1,
    gcTime: 0,
  });
}
