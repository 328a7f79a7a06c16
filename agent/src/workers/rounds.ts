import type { Log } from '@bowline/core/domain/log';
import { sleep } from '@bowline/core/domain/sleep';
import type { Timers } from '@bowline/core/domain/time';
import { Queue, Worker } from 'bullmq';
import { connectRedis } from './redis.ts';

/** A loop whose regular rounds begin by jobs. */
export interface Rounds {
  readonly name: string;
  readonly everySeconds: number;
  /** Begins a regular round and resolves when it has ended, with its counters; undefined if none was due. */
  readonly run: () => Promise<Readonly<Record<string, number>> | undefined>;
}

/** Milliseconds between two looks whether the schedule is still there: Redis may have been emptied. */
const lookMs = 10_000;
/** Job results that Redis keeps. */
const kept = 100;

/**
 * Makes the rounds of one worker the jobs of a queue of its own. Redis keeps the schedule and the last results. While it is
 * gone, or without a schedule, no job comes: the loops' own timers begin the rounds then.
 * @param name of the queue.
 */
export function startRounds(
  url: string,
  name: string,
  rounds: readonly Rounds[],
  { timers, log }: { readonly timers: Timers; readonly log: Log },
) {
  const ending = new AbortController();
  const keep = { removeOnComplete: { count: kept }, removeOnFail: { count: kept } };
  const [asking, waiting] = [connectRedis(url, false, log), connectRedis(url, true, log)];
  const queue = new Queue(name, { connection: asking, prefix: 'bowline' });
  const worker = new Worker(
    name,
    async ({ name: wanted }) => {
      const counts = await rounds.find((each) => each.name === wanted)?.run();
      // Whoever fills the queue makes this process neither busy nor ask its node more often.
      if (counts === undefined) await sleep(timers, 1_000, ending.signal);
      return counts ?? {};
    },
    { connection: waiting, prefix: 'bowline', concurrency: rounds.length, ...keep },
  );
  const failed = (error: Error) => log.debug('redis.failed', { cause: error.name });
  queue.on('error', failed);
  worker.on('error', failed);

  const schedule = async () => {
    while (!ending.signal.aborted) {
      for (const { name: loop, everySeconds } of rounds) {
        try {
          const every = everySeconds * 1000;
          const known = await queue.getJobScheduler(loop);
          if (known?.every !== every) await queue.upsertJobScheduler(loop, { every }, { name: loop, opts: keep });
        } catch (error) {
          failed(error as Error);
        }
      }
      await sleep(timers, lookMs, ending.signal);
    }
  };
  void schedule();

  return {
    /** Takes no further job and waits for nothing. */
    stop() {
      ending.abort();
      // An open round ends by its loop's own stop.
      worker.close(true).catch(() => {});
      asking.disconnect();
      waiting.disconnect();
    },
  };
}
