import { readGuardRescues, readRuns, toRun } from '@bowline/chain/records';
import { type GuardContracts, type GuardKey, guardKey } from '@bowline/core/domain/guard-key';
import type { BarePlan as Plan, Rescue } from '@bowline/core/domain/permissions';
import { mayStillRun } from '@bowline/core/domain/skips';
import type { Address } from 'viem';
import type { ChainClient } from './client.ts';
import type { Guard } from './read-guards.ts';

/** An on-chain record of what was done, or why it was not done. */
export type ActivityItem =
  | {
      readonly kind: 'run';
      readonly plan: Plan;
      /** Unix seconds. */
      readonly time: bigint;
      readonly slotStart: bigint;
      readonly amountIn: bigint;
      readonly amountOut: bigint;
      readonly floor: bigint;
    }
  | {
      readonly kind: 'skip';
      readonly plan: Plan;
      readonly time: bigint;
      /** Several in one slot belong to one buy: all of them are skipped, or none (skips.ts). */
      readonly slotStart: bigint;
      /** The executor's reason code. */
      readonly reason: number;
      readonly isAttested: boolean;
    }
  | ({ readonly kind: 'rescue'; readonly guard: Guard; readonly time: bigint } & Pick<
      Rescue,
      'repaid' | 'healthBeforeWad' | 'healthAfterWad'
    >);

/**
 * A permission's newest records, read when it had `count` of them. They are read once. A permission acts once in
 * minutes, so a reorg can replace the block of the newest record only; each reading checks that one again.
 */
interface Recorded {
  readonly count: number;
  readonly items: readonly ActivityItem[];
}

/** Keyed by "plan-3" and "guard-1". */
export type Activity = Readonly<Record<string, Recorded>>;

/** How many of the newest records are read for each permission. */
export const NEWEST = 10;
/** How many plans and guards have their records read: active ones first, then the newest. */
const PERMISSIONS = 10;

/**
 * The newest records of an account's plans and guards. They are read again only where records were added or the newest
 * one changed; what cannot be read keeps its previous data. Never throws.
 */
export async function readActivity(
  client: ChainClient,
  contracts: GuardContracts & { readonly planRegistry: Address },
  plans: readonly Plan[],
  guards: readonly Guard[],
  before: Activity,
): Promise<Activity> {
  const recent = <Each extends Plan | Guard>(all: readonly Each[]) =>
    all.toSorted((a, b) => Number(b.status === 'active') - Number(a.status === 'active')).slice(0, PERMISSIONS);
  const asked = [
    ...recent(plans).map((plan) => ({
      key: `plan-${plan.id}`,
      count: plan.records,
      read: (most: number) => runsOf(client, contracts.planRegistry, plan, most),
    })),
    ...recent(guards).map((guard) => ({
      key: `guard-${guardKey(guard)}`,
      count: guard.rescues,
      read: (most: number) => rescuesOf(client, contracts, guard, most),
    })),
  ];
  const read = await Promise.all(
    asked.map(async ({ key, count, read }) => {
      const known = before[key];
      if (count === 0) return [key, { count, items: [] }] as const;
      const isKnown = known?.count === count;
      // Both in parallel, so that the next reading's single call also includes the newest record.
      const [newest, items] = await Promise.all([
        read(1).catch(() => undefined),
        isKnown ? known.items : read(NEWEST).catch(() => undefined),
      ]);
      const isReplaced = isKnown && newest !== undefined && textOf(newest.at(-1)) !== textOf(known.items.at(-1));
      const found = isReplaced ? await read(NEWEST).catch(() => undefined) : items;
      return [key, found === undefined ? known : { count, items: found }] as const;
    }),
  );
  return Object.fromEntries(read.flatMap(([key, recorded]) => (recorded === undefined ? [] : [[key, recorded]])));
}

async function runsOf(
  client: ChainClient,
  registry: Address,
  plan: Plan,
  most: number,
): Promise<readonly ActivityItem[]> {
  const from = Math.max(0, plan.records - most);
  const runs = await readRuns(client, registry, plan.id, from, plan.records);
  return runs.map((run, at): ActivityItem => {
    const { outcome, time, slotStart, ...told } = toRun(plan.id, from + at, run);
    if (outcome === 'deferred') {
      return { kind: 'skip', plan, time, slotStart, reason: told.reasonCode, isAttested: told.isAttested };
    }
    const { amountIn, amountOut, floor } = told;
    return { kind: 'run', plan, time, slotStart, amountIn, amountOut, floor };
  });
}

async function rescuesOf(
  client: ChainClient,
  contracts: GuardContracts,
  guard: Guard,
  most: number,
): Promise<readonly ActivityItem[]> {
  const rescues = await readGuardRescues(client, contracts, guard, Math.max(0, guard.rescues - most));
  return rescues.map((rescue) => ({ kind: 'rescue', guard, ...rescue }));
}

/** The recorded values without the permission, whose state changes. */
const textOf = (item: ActivityItem | undefined): string =>
  JSON.stringify({ ...item, plan: 0, guard: 0 }, (_, value) => (typeof value === 'bigint' ? String(value) : value));

/** Whether the permission's newest records are known and up to date. @param count how many it has. */
function isRead(activity: Activity, kind: 'plan' | 'guard', id: GuardKey, count: number): boolean {
  const recorded = activity[`${kind}-${id}`];
  return recorded?.count === count && recorded.items.length === Math.min(count, NEWEST);
}

/** The plans and guards whose newest records are unknown: they could not be read, or there are too many. */
export const unlooked = (activity: Activity, plans: readonly Plan[], guards: readonly Guard[]) => ({
  plans: plans.filter(({ id, records }) => !isRead(activity, 'plan', id, records)),
  guards: guards.filter((guard) => !isRead(activity, 'guard', guardKey(guard), guard.rescues)),
});

/** All of them, newest first. */
export const inOrder = (activity: Activity): readonly ActivityItem[] =>
  Object.values(activity)
    .flatMap((each) => each.items)
    .toSorted((a, b) => Number(b.time - a.time));

/** The deferrals of a plan in slots that have not run. */
export function deferralsOf(items: readonly ActivityItem[]) {
  const ran = new Set(items.flatMap((item) => (item.kind === 'run' ? [item.slotStart] : [])));
  return items.flatMap((item) => (item.kind !== 'skip' || ran.has(item.slotStart) ? [] : [item]));
}

/**
 * The deferrals whose buy can no longer happen.
 * @param plan in its current state.
 */
export const skipsOf = (plan: Plan, items: readonly ActivityItem[], now: bigint) =>
  deferralsOf(items).filter(({ slotStart }) => !mayStillRun(plan, slotStart, now));
