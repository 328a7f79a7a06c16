// The fixed grid of a plan's slots and what stops its runs, as in PlanRegistry. Times are unix seconds.

import { BLOCK_MS } from './heads.ts';
import type { BarePlan, Plan } from './permissions.ts';
import { mulDivUp, smallest } from './units.ts';

type Grid = Pick<BarePlan, 'startAt' | 'periodSeconds'>;

/** What decides when a plan may run. */
export type Schedule = Grid & Pick<BarePlan, 'windowSeconds' | 'cursor' | 'expiresAt' | 'runs' | 'maxRuns'>;

/** Start of the slot that contains `now`, which must not be before the plan's start. */
export const slotStartOf = ({ startAt, periodSeconds }: Grid, now: bigint): bigint =>
  now - ((now - startAt) % periodSeconds);

/** When a slot closes: at its window's end, or with the plan if that is sooner. */
export const slotEnd = (
  { windowSeconds, expiresAt }: Pick<Schedule, 'windowSeconds' | 'expiresAt'>,
  start: bigint,
): bigint => smallest([start + windowSeconds, expiresAt]);

/** Whether a plan is past its end, or has made all of its runs. @param now undefined if not known. */
export const isOver = (
  { runs, maxRuns, expiresAt }: Pick<Schedule, 'runs' | 'maxRuns' | 'expiresAt'>,
  now: bigint | undefined,
): boolean => runs >= maxRuns || (now !== undefined && now >= expiresAt);

/** Whether the plan can make no more runs, not even if it is resumed. */
export const hasEnded = (
  plan: Parameters<typeof isOver>[0] & Pick<BarePlan, 'status'>,
  now: bigint | undefined,
): boolean => (plan.status !== 'active' && plan.status !== 'paused') || isOver(plan, now);

/** Why the registry refuses every run of a plan in its present state. */
export const stateStops = ['plan_revoked', 'plan_not_active', 'plan_expired', 'runs_used_up'] as const;

/** All that applies, in this order. A revoked plan is only that, although the registry checks its own status first. */
export function stateStopsOf({ status, expiresAt, runs, maxRuns }: BarePlan, now: bigint) {
  const applies: Readonly<Record<(typeof stateStops)[number], boolean>> = {
    plan_revoked: status === 'revoked',
    plan_not_active: status === 'paused' || status === 'cancelled',
    plan_expired: now >= expiresAt,
    runs_used_up: runs >= maxRuns,
  };
  return stateStops.filter((stop) => applies[stop]);
}

/** Why an owner's funds do not cover a plan's next run. */
export const fundsStops = ['balance_too_low', 'allowance_too_low'] as const;

/** All that applies, in this order. @param plan pays in a listed token: no other's funds are read. */
export function fundsStopsOf({ ownerBalance, ownerAllowance, amountPerRun }: Plan) {
  const has = { balance_too_low: ownerBalance, allowance_too_low: ownerAllowance };
  return fundsStops.filter((stop) => has[stop] < amountPerRun);
}

/** Start of the open slot if the plan may still run in it, or else of the next one; undefined if none is left. */
export function nextSlot(plan: Schedule, now: bigint): bigint | undefined {
  const { startAt, periodSeconds, windowSeconds, cursor, expiresAt } = plan;
  if (isOver(plan, now)) return undefined;
  let start = now < startAt ? startAt : slotStartOf(plan, now);
  if (now >= start + windowSeconds) start += periodSeconds;
  // Used slots end at the cursor. An edit may have moved the grid since, so the cursor need not be the start of a slot.
  if (start < cursor) start += mulDivUp(cursor - start, 1n, periodSeconds) * periodSeconds;
  return start < expiresAt ? start : undefined;
}

/** Start of the first slot after `now` in which the plan may run; undefined if none is left. */
export function nextSlotAfter(plan: Schedule, now: bigint): bigint | undefined {
  const start = nextSlot(plan, now);
  return start === undefined || start > now ? start : nextSlot(plan, start + plan.windowSeconds);
}

/** Whether a plan has a run to come without its owner's help. */
export const isRunning = (plan: Schedule & { readonly status: string }, now: bigint): boolean =>
  plan.status === 'active' && nextSlot(plan, now) !== undefined;

/** Starts of the slots from `nextSlot` on: at most `count`, and no more than the remaining runs. */
export function nextSlots(plan: Schedule, now: bigint, count: number): bigint[] {
  const { periodSeconds, expiresAt, runs, maxRuns } = plan;
  const slots: bigint[] = [];
  const left = Math.min(count, maxRuns - runs);
  let start = nextSlot(plan, now) ?? expiresAt;
  for (; slots.length < left && start < expiresAt; start += periodSeconds) slots.push(start);
  return slots;
}

/** How many blocks this time takes. */
export const blocksIn = (seconds: bigint): bigint => (seconds * 1_000n) / BigInt(BLOCK_MS);
