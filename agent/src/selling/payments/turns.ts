import type { Prefix } from '@bowline/http/caller';

/** Runs a piece of work in its turn. Undefined: there is no place for it now. */
export type InTurn = <Answer>(work: () => Promise<Answer>) => Promise<Answer> | undefined;

/**
 * Runs at most `max` pieces of work at once; up to `maxWaiting` others queue, first come first served. Who asks may hold no more
 * places than are left for everybody else: one that floods leaves half of them, two leave a third.
 * @param callerNow who asks now; nobody in particular, and only the queue bounds it, if empty.
 */
export function createTurns(max: number, maxWaiting: number, callerNow: () => readonly Prefix[]): InTurn {
  let running = 0;
  const waiting: (() => void)[] = [];
  const held = new Map<string, number>();

  function hold(callers: readonly Prefix[], by: 1 | -1): void {
    for (const { key } of callers) {
      const count = (held.get(key) ?? 0) + by;
      if (count === 0) held.delete(key);
      else held.set(key, count);
    }
  }

  async function run<Answer>(callers: readonly Prefix[], work: () => Promise<Answer>): Promise<Answer> {
    hold(callers, 1);
    try {
      if (running < max) running += 1;
      else await new Promise<void>((resolve) => waiting.push(resolve));
      try {
        return await work();
      } finally {
        const next = waiting.shift();
        if (next === undefined) running -= 1;
        else next();
      }
    } finally {
      hold(callers, -1);
    }
  }

  return (work) => {
    const free = max + maxWaiting - running - waiting.length;
    const callers = callerNow();
    const isFull = callers.some(({ key, weight }) => (held.get(key) ?? 0) >= weight * free);
    return free <= 0 || isFull ? undefined : run(callers, work);
  };
}
