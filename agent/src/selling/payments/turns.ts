import type { Prefix } from '@bowline/http/caller';
import pLimit from 'p-limit';

/** Runs a piece of work in its turn. Undefined: there is no place for it now. */
export type InTurn = <Answer>(work: () => Promise<Answer>) => Promise<Answer> | undefined;

/**
 * Runs at most `max` pieces of work at once and queues up to `maxWaiting`, first come first served. No caller holds more places
 * than are left for all others: one that floods leaves half of them, two leave a third.
 * @param callerNow keys of the current caller. Empty: no limit but the queue.
 */
export function createTurns(max: number, maxWaiting: number, callerNow: () => readonly Prefix[]): InTurn {
  const run = pLimit(max);
  const held = new Map<string, number>();
  return (work) => {
    const free = max + maxWaiting - run.activeCount - run.pendingCount;
    const callers = callerNow();
    const isFull = callers.some(({ key, weight }) => (held.get(key) ?? 0) >= weight * free);
    if (free <= 0 || isFull) return undefined;
    for (const { key } of callers) held.set(key, (held.get(key) ?? 0) + 1);
    return run(work).finally(() => {
      for (const { key } of callers) {
        const left = (held.get(key) ?? 1) - 1;
        if (left === 0) held.delete(key);
        else held.set(key, left);
      }
    });
  };
}
