import type { BarePlan as Plan } from '@bowline/core/domain/permissions';
import { nextSlot } from '@bowline/core/domain/slots';
import type { Deed } from './read-deeds.ts';

// The registry takes up to four deferrals in a slot, in which the plan may still run: one deferral is no skipped buy.

/** Whether the buy of a slot can still happen. @param now the chain's time, unix seconds. */
export const mayStillRun = (plan: Plan, slotStart: bigint, now: bigint): boolean =>
  (plan.status === 'active' || plan.status === 'paused') && nextSlot(plan, now) === slotStart;

/** The deferrals of a plan whose buy has not happened. */
export function deferralsOf(deeds: readonly Deed[]) {
  const ran = new Set(deeds.flatMap((deed) => (deed.kind === 'run' ? [deed.slotStart] : [])));
  return deeds.flatMap((deed) => (deed.kind !== 'skip' || ran.has(deed.slotStart) ? [] : [deed]));
}

/**
 * Those whose buy cannot happen any more.
 * @param plan as it is now.
 */
export const skipsOf = (plan: Plan, deeds: readonly Deed[], now: bigint) =>
  deferralsOf(deeds).filter(({ slotStart }) => !mayStillRun(plan, slotStart, now));
