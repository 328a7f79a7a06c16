import type { BarePlan as Plan } from '@bowline/core/domain/permissions';
import { mayStillRun } from '@bowline/core/domain/skips';
import type { Deed } from './read-deeds.ts';

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
