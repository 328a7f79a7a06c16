import type { Dependency } from '../../domain/readiness.ts';
import { BowlineError } from '../../domain/result.ts';
import type { Timers } from '../runner.ts';

/**
 * The rescues that are due and not made: since when each has been known to be due. What the guard refuses and what the serving
 * policy leaves out is not due. A node that is away changes nothing: what was due when it was last read is due still.
 */
export interface WaitingRescues {
  /** Counts from the first time; later ones change nothing. */
  add(policyId: bigint): void;
  /** Made, or not due any more. */
  remove(policyId: bigint): void;
  /** Removes all others. */
  keepOnly(policyIds: readonly bigint[]): void;
  /** How long the oldest has waited, in milliseconds; undefined when none does. */
  oldestMs(): number | undefined;
}

export function createWaitingRescues({ now }: Pick<Timers, 'now'>): WaitingRescues {
  const dueSince = new Map<bigint, number>();
  return {
    add(policyId) {
      if (!dueSince.has(policyId)) dueSince.set(policyId, now());
    },
    remove: (policyId) => void dueSince.delete(policyId),
    keepOnly(policyIds) {
      const kept = new Set(policyIds);
      for (const id of dueSince.keys()) if (!kept.has(id)) dueSince.delete(id);
    },
    oldestMs() {
      const since = [...dueSince.values()];
      return since.length === 0 ? undefined : now() - Math.min(...since);
    },
  };
}

/** Longer than a rescue takes when everything works: a block or two. */
const mostWaitMs = 10_000;

/** Not ready while a rescue that is due has not been made for more than ten seconds. */
export const rescuesDependency = ({ oldestMs }: Pick<WaitingRescues, 'oldestMs'>): Dependency => ({
  name: 'rescues',
  needed: true,
  look: async () => {
    const waited = oldestMs();
    if (waited === undefined) return 'No rescue is waiting.';
    const seconds = Math.floor(waited / 1000);
    if (waited > mostWaitMs)
      throw new BowlineError('timeout', `A rescue has waited ${seconds} s.`, { retryable: true });
    return `A rescue has been due for ${seconds} s.`;
  },
});
