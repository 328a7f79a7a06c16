import { type Look, Unready } from '@bowline/core/domain/readiness';
import { sleep } from '@bowline/core/domain/sleep';
import type { Timers } from '@bowline/core/domain/time';

/** For the first poll. */
const FIRST_MS = 2_000;
/** Before a failed dependency is polled again. */
const BAD_SECONDS = 15;

/**
 * Polls a dependency in the background and caches the last result, so that requests never wait for it. Only the first
 * poll is waited for, and not long.
 * @param every seconds between an answer and the next look, or what they are after each answer.
 * @returns the dependency with its last answer; nothing new for half a minute more than that is `no_answer`.
 */
export function keep<Of extends Look>(of: Of, every: number | (() => number), timers: Timers, ending: AbortSignal): Of {
  const { look } = of;
  const secondsNow = typeof every === 'number' ? () => every : every;
  let answer: Promise<string> | undefined;
  let answeredAt = timers.now();
  const first = Promise.withResolvers<void>();
  const repeat = async () => {
    while (!ending.aborted) {
      const next = look();
      const isGood = await next.then(
        () => true,
        () => false,
      );
      [answer, answeredAt] = [next, timers.now()];
      first.resolve();
      const seconds = secondsNow();
      await sleep(timers, 1000 * (isGood ? seconds : Math.min(seconds, BAD_SECONDS)), ending);
    }
  };
  void repeat();
  return {
    ...of,
    look: async () => {
      const age = (timers.now() - answeredAt) / 1000;
      if (age > secondsNow() + 30) throw new Unready('no_answer', `Nothing has answered for ${Math.floor(age)} s.`);
      if (answer === undefined) await Promise.race([first.promise, sleep(timers, FIRST_MS, ending)]);
      if (answer === undefined) throw new Unready('no_answer', 'Nothing has answered yet.');
      return answer;
    },
  };
}
