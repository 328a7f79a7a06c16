import type { Log } from '../domain/ports.ts';
import type { Counts } from './tally.ts';

/** One round of a loop. Past `stopping.aborted` it begins nothing new. */
export type Tick = (stopping: AbortSignal) => Promise<Counts>;

export interface Timers {
  /** Milliseconds of a clock that never goes back. */
  now(): number;
  /** Calls once, after so many milliseconds, unless cancelled by what it answers. */
  after(milliseconds: number, call: () => void): () => void;
}

export interface Loop {
  /** Asks for a tick now; if one is running, for another one right after it. */
  trigger(): void;
  /** No tick begins after this. Resolves when the running one has ended. */
  stop(): Promise<void>;
}

/**
 * Ticks at once and then every `intervalSeconds`, counted from start to start. A tick never overlaps itself, whatever it
 * throws does not end the loop, and each ends with one `tick.end` line.
 */
export function startLoop(name: string, tick: Tick, intervalSeconds: number, timers: Timers, log: Log): Loop {
  const stopping = new AbortController();
  let ticking = false;
  let ended: Promise<void> = Promise.resolve();
  let asked = false;
  let cancel = () => {};

  const begin = () => {
    cancel();
    asked = false;
    // Set before the tick is called, which may itself ask for another.
    ticking = true;
    const startedAt = timers.now();
    ended = run(startedAt).then(() => {
      ticking = false;
      if (stopping.signal.aborted) return;
      const wait = asked ? 0 : Math.max(0, startedAt + intervalSeconds * 1000 - timers.now());
      cancel = timers.after(wait, begin);
    });
  };

  const run = async (startedAt: number) => {
    let counts: Counts;
    try {
      counts = await tick(stopping.signal);
    } catch (error) {
      log.error('tick.failed', { loop: name, error });
      counts = { failed: 1 };
    }
    log.info('tick.end', { loop: name, durationMs: Math.round(timers.now() - startedAt), ...counts });
  };

  begin();
  return {
    trigger: () => {
      if (stopping.signal.aborted) return;
      if (ticking) asked = true;
      else begin();
    },
    stop: async () => {
      stopping.abort();
      cancel();
      await ended;
    },
  };
}
