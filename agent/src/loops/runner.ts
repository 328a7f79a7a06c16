import type { Log } from '@bowline/core/domain/ports';

/** Why a round begins: the interval elapsed, or `trigger` was called. */
export type Cause = 'interval' | 'trigger';

export interface Round {
  readonly counts: Counts;
  /** Requests the next round this many seconds after this one's start, unless the interval ends earlier. */
  readonly nextInSeconds?: number;
}

/** One round of a loop. Starts nothing new after `stopping` is aborted. */
export type Tick = (stopping: AbortSignal, cause: Cause) => Promise<Round>;

export interface Timers {
  /** Milliseconds of a monotonic clock. */
  now(): number;
  /** Calls once after `milliseconds`. The returned function cancels it. */
  after(milliseconds: number, call: () => void): () => void;
}

export interface Loop {
  /** Starts a tick now, or right after the running one. Does not move the interval. */
  trigger(): void;
  /** Starts no further tick. Resolves when the running one has ended. */
  stop(): Promise<void>;
}

/**
 * Ticks at once, then every `intervalSeconds`, measured from start to start, and in between when triggered. Ticks never
 * overlap and an exception does not end the loop. Each tick ends with one `tick.end` line: at debug if there was
 * nothing to do, or if an earlier tick in the interval logged the same events. Otherwise an unreachable node would fill
 * the log at block pace.
 */
export function startLoop(name: string, tick: Tick, intervalSeconds: number, timers: Timers, log: Log): Loop {
  const stopping = new AbortController();
  let ticking = false;
  let ended: Promise<void> = Promise.resolve();
  let isTriggered = false;
  let dueAt = timers.now();
  /** Events logged since the interval began. */
  let logged = new Set<string>();
  let cancel = () => {};

  const begin = (isDue: boolean) => {
    cancel();
    isTriggered = false;
    // Set before the tick is called, which may itself trigger another.
    ticking = true;
    const startedAt = timers.now();
    // A timer may fire slightly early: its purpose counts, not the clock.
    const cause = isDue || startedAt >= dueAt ? 'interval' : 'trigger';
    if (cause === 'interval') {
      dueAt = startedAt + intervalSeconds * 1000;
      logged = new Set();
    }
    ended = run(startedAt, cause).then((nextInSeconds) => {
      ticking = false;
      if (stopping.signal.aborted) return;
      const nextAt = Math.min(dueAt, startedAt + (nextInSeconds ?? Number.POSITIVE_INFINITY) * 1000);
      const wait = isTriggered ? 0 : Math.max(0, nextAt - timers.now());
      cancel = timers.after(wait, () => begin(!isTriggered && nextAt === dueAt));
    });
  };

  const run = async (startedAt: number, cause: Cause): Promise<number | undefined> => {
    let round: Round;
    let error: unknown;
    try {
      round = await tick(stopping.signal, cause);
    } catch (thrown) {
      error = thrown;
      round = { counts: { failed: 1 } };
    }
    const events = eventsOf(round.counts);
    const isNews = events !== '' && !logged.has(events);
    logged.add(events);
    if (error !== undefined) log[isNews ? 'error' : 'debug']('tick.failed', { loop: name, error });
    const durationMs = Math.round(timers.now() - startedAt);
    log[isNews ? 'info' : 'debug']('tick.end', { loop: name, durationMs, ...round.counts });
    return round.nextInSeconds;
  };

  begin(true);
  return {
    trigger: () => {
      if (stopping.signal.aborted) return;
      if (ticking) isTriggered = true;
      else begin(false);
    },
    stop: async () => {
      stopping.abort();
      cancel();
      await ended;
    },
  };
}

/** Counters of a tick by name: `executed`, `skipped.slot_used`, `would_revert.floor_not_met`. */
type Counts = Readonly<Record<string, number>>;

export interface Tally {
  add(name: string, count?: number): void;
  counts(): Counts;
}

export function newTally(): Tally {
  const counts = new Map<string, number>();
  return {
    add: (name, count = 1) => void counts.set(name, (counts.get(name) ?? 0) + count),
    counts: () => Object.fromEntries(counts),
  };
}

// Counters of observations. Every other name means that something was done or failed.
const observations = /^(plans|guards|watched|due|skipped\..*)$/;

/** Names of the counters worth reporting, as one text; empty if the tick had nothing to do. */
const eventsOf = (counts: Counts): string =>
  Object.keys(counts)
    .filter((name) => !observations.test(name))
    .toSorted()
    .join(' ');
