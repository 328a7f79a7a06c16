import { type Asked, beginReading } from '@bowline/chain/one-call';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { Address } from 'viem';
import { thisMoment } from '../api/age.ts';
import type { Settings } from '../api/settings.ts';
import { useSettings } from '../settings.tsx';
import { type ChainClient, useChain } from './client.ts';
import { datedBy } from './head.ts';
import { type Activity, readActivity } from './read-activity.ts';
import { type Latest, type LoansAndGuards, latest, readLoansAndGuards } from './read-guarded.ts';
import { type OwnedPlans, readPlans } from './read-plans.ts';
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

/** An account's loans, guards and plans, and their latest activity. */
export interface Overview extends LoansAndGuards {
  readonly plans: Latest<OwnedPlans>;
  readonly activity: Activity;
  /** The newest block's time, unix seconds; undefined if the node gave none. */
  readonly time: bigint | undefined;
  /** The requests to make in the next reading. */
  readonly asked: readonly Asked[];
}

/**
 * Uses one eth_call once the previous reading has shown what to request, plus one when there are new records. Never
 * throws. A part that cannot be read keeps its last known values and does not affect the others.
 */
async function readOverview(
  client: ChainClient,
  settings: Settings,
  account: Address,
  before: Overview | undefined,
): Promise<Overview> {
  const { contracts } = settings;
  const reading = beginReading(client, before?.asked ?? []);
  const [guarded, plans] = await Promise.all([
    readLoansAndGuards(reading.client, settings, account, before),
    latest(() => readPlans(reading.client, contracts.planRegistry, account, before?.plans.data), before?.plans),
  ]);
  const guards = [...(guarded.guards.data?.guards ?? []), ...(guarded.guards.data?.funded ?? [])];
  const activity = await readActivity(
    reading.client,
    contracts,
    plans.data?.plans ?? [],
    guards,
    before?.activity ?? {},
  );
  return { ...guarded, plans, activity, time: reading.time(), asked: reading.asked() };
}
