import type { Address } from 'viem';
import { loanGuardAbi, planRegistryAbi } from '../../../abis/index.ts';
import type { ChainClient } from './client.ts';
import type { Guard } from './read-guards.ts';
import type { Plan } from './read-plans.ts';

/** A record on chain of what was done, or not done and why. */
export type Deed =
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
      /** Of several in one slot, which may still run, none or all are of one buy that was skipped (skips.ts). */
      readonly slotStart: bigint;
      /** As the executor numbers it. */
      readonly reason: number;
      readonly isAttested: boolean;
    }
  | {
      readonly kind: 'rescue';
      readonly guard: Guard;
      readonly time: bigint;
      readonly repaid: bigint;
      readonly healthBeforeWad: bigint;
      /** `noDebtWad` if none is left. */
      readonly healthAfterWad: bigint;
    };

/** The recorded health when no debt is left. */
export const noDebtWad = 2n ** 128n - 1n;

/** A permission's newest records, read when it had that many. Records never change, so they are read once. */
interface Recorded {
  readonly count: number;
  readonly deeds: readonly Deed[];
}

/** By "plan-3" and "guard-1". */
export type Deeds = Readonly<Record<string, Recorded>>;

/** Newest records of each permission. */
export const NEWEST = 10;
/** Plans and guards whose records are read, those that are active first, then the newest. */
const PERMISSIONS = 10;

/**
 * The newest records of an account's plans and guards. What was read before is read again only where records were
 * added; what cannot be read keeps what was read before. Never throws.
 */
export async function readDeeds(
  client: ChainClient,
  contracts: { readonly planRegistry: Address; readonly loanGuard: Address },
  plans: readonly Plan[],
  guards: readonly Guard[],
  before: Deeds,
): Promise<Deeds> {
  const recent = <Each extends Plan | Guard>(all: readonly Each[]) =>
    all.toSorted((a, b) => Number(b.status === 'active') - Number(a.status === 'active')).slice(0, PERMISSIONS);
  const asked = [
    ...recent(plans).map((plan) => ({
      key: `plan-${plan.id}`,
      count: plan.records,
      read: () => readRuns(client, contracts.planRegistry, plan),
    })),
    ...recent(guards).map((guard) => ({
      key: `guard-${guard.id}`,
      count: guard.rescues,
      read: () => readRescues(client, contracts.loanGuard, guard),
    })),
  ];
  const read = await Promise.all(
    asked.map(async ({ key, count, read }) => {
      const known = before[key];
      if (known?.count === count) return [key, known] as const;
      const deeds = count === 0 ? [] : await read().catch(() => undefined);
      return [key, deeds === undefined ? known : { count, deeds }] as const;
    }),
  );
  return Object.fromEntries(read.flatMap(([key, recorded]) => (recorded === undefined ? [] : [[key, recorded]])));
}

async function readRuns(client: ChainClient, address: Address, plan: Plan): Promise<readonly Deed[]> {
  const from = BigInt(Math.max(0, plan.records - NEWEST));
  const args = [plan.id, from, BigInt(plan.records)] as const;
  const runs = await client.readContract({ address, abi: planRegistryAbi, functionName: 'runs', args });
  return runs.map((run) => {
    const [time, slotStart] = [BigInt(run.time), BigInt(run.slotStart)];
    if (run.outcome !== EXECUTED) {
      return { kind: 'skip', plan, time, slotStart, reason: run.reason, isAttested: run.isAttested };
    }
    const { amountIn, amountOut, floor } = run;
    return { kind: 'run', plan, time, slotStart, amountIn, amountOut, floor };
  });
}

async function readRescues(client: ChainClient, address: Address, guard: Guard): Promise<readonly Deed[]> {
  const from = BigInt(Math.max(0, guard.rescues - NEWEST));
  const args = [guard.id, from, BigInt(guard.rescues)] as const;
  const rescues = await client.readContract({ address, abi: loanGuardAbi, functionName: 'rescues', args });
  return rescues.map(({ time, repaid, healthBeforeWad, healthAfterWad }) => {
    return { kind: 'rescue', guard, time: BigInt(time), repaid, healthBeforeWad, healthAfterWad };
  });
}

const EXECUTED = 1;

/** Whether the permission's newest records are known as they are now. @param count how many it has. */
function isRead(deeds: Deeds, kind: 'plan' | 'guard', id: bigint, count: number): boolean {
  const recorded = deeds[`${kind}-${id}`];
  return recorded?.count === count && recorded.deeds.length === Math.min(count, NEWEST);
}

/** Of which of these the newest records are not known: they could not be read, or there are too many to look at. */
export const unlooked = (deeds: Deeds, plans: readonly Plan[], guards: readonly Guard[]) => ({
  plans: plans.filter(({ id, records }) => !isRead(deeds, 'plan', id, records)),
  guards: guards.filter(({ id, rescues }) => !isRead(deeds, 'guard', id, rescues)),
});

/** All of them, newest first. */
export const inOrder = (deeds: Deeds): readonly Deed[] =>
  Object.values(deeds)
    .flatMap((each) => each.deeds)
    .toSorted((a, b) => Number(b.time - a.time));
