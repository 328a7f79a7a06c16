import type { Log } from '@bowline/core/domain/ports';

/** Why a round begins: the interval is over, or it was asked for. */
export type Cause = 'interval' | 'asked';

export interface Round {
  readonly counts: Counts;
  /** Asks for the next round so many seconds after this one's start, if the interval does not end before. */
  readonly nextInSeconds?: number;
}

/** One round of a loop. Past `stopping.aborted` it begins nothing new. */
export type Tick = (stopping: AbortSignal, cause: Cause) => Promise<Round>;

export interface Timers {
  /** Milliseconds of a clock that never goes back. */
  now(): number;
  /** Calls once, after so many milliseconds, unless cancelled by what it answers. */
  after(milliseconds: number, call: () => void): () => void;
}

export interface Loop {
  /** Asks for a tick now; if one is running, for another one right after it. Does not move the interval. */
  trigger(): void;
  /** No tick begins after this. Resolves when the running one has ended. */
  stop(): Promise<void>;
}

/**
 * Ticks at once, then every `intervalSeconds`, counted from start to start of those ticks, and in between when asked. A
 * tick never overlaps itself, whatever it throws does not end the loop, and each ends with one `tick.end` line: at debug
 * where there was nothing to do, and where another one has told the same since the interval began. A node that is out
 * would else fill the log at the pace of the blocks.
 */
export function startLoop(name: string, tick: Tick, intervalSeconds: number, timers: Timers, log: Log): Loop {
  const stopping = new AbortController();
  let ticking = false;
  let ended: Promise<void> = Promise.resolve();
  let asked = false;
  let dueAt = timers.now();
  /** What has been told since the interval began. */
  let told = new Set<string>();
  let cancel = () => {};

  const begin = (isDue: boolean) => {
    cancel();
    asked = false;
    // Set before the tick is called, which may itself ask for another.
    ticking = true;
    const startedAt = timers.now();
    // A timer may come a moment early: what it was set for counts then, not what the clock says.
    const cause = isDue || startedAt >= dueAt ? 'interval' : 'asked';
    if (cause === 'interval') {
      dueAt = startedAt + intervalSeconds * 1000;
      told = new Set();
    }
    ended = run(startedAt, cause).then((nextInSeconds) => {
      ticking = false;
      if (stopping.signal.aborted) return;
      const nextAt = Math.min(dueAt, startedAt + (nextInSeconds ?? Number.POSITIVE_INFINITY) * 1000);
      const wait = asked ? 0 : Math.max(0, nextAt - timers.now());
      cancel = timers.after(wait, () => begin(!asked && nextAt === dueAt));
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
    const isNews = events !== '' && !told.has(events);
    told.add(events);
    if (error !== undefined) log[isNews ? 'error' : 'debug']('tick.failed', { loop: name, error });
    const durationMs = Math.round(timers.now() - startedAt);
    log[isNews ? 'info' : 'debug']('tick.end', { loop: name, durationMs, ...round.counts });
    return round.nextInSeconds;
  };

  begin(true);
  return {
    trigger: () => {
      if (stopping.signal.aborted) return;
      if (ticking) asked = true;
      else begin(false);
    },
    stop: async () => {
      stopping.abort();
      cancel();
      await ended;
    },
  };
}

/** What a tick did, by name: `executed`, `skipped.slot_used`, `would_revert.floor_not_met`. */
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

// What a tick only saw. Every other name says that something was done or went wrong.
const seen = /^(plans|guards|watched|due|skipped\..*)$/;

/** Names of the counters that somebody should hear of, as one text; empty where a tick had nothing to do. */
const eventsOf = (counts: Counts): string =>
  Object.keys(counts)
    .filter((name) => !seen.test(name))
    .toSorted()
    .join(' ');
