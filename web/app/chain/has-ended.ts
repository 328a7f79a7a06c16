import type { BarePlan as Plan } from '@bowline/core/domain/permissions';

/** Whether a plan is past its end, or has made all of its buys. @param now the chain's time, unix seconds. */
export const isOver = (plan: Plan, now: bigint | undefined): boolean =>
  plan.runs >= plan.maxRuns || (now !== undefined && now >= plan.expiresAt);

/** Whether no buy of it can come any more: to resume one that has ended brings none. */
export const hasEnded = (plan: Plan, now: bigint | undefined): boolean =>
  (plan.status !== 'active' && plan.status !== 'paused') || isOver(plan, now);
