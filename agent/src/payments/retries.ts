import type { Failure } from '@bowline/core/domain/result';
import type { Timers } from '@bowline/core/domain/time';
import { createLimit, type Limit } from '@bowline/http/rate-limit';

/** Work that failed, and when it may be tried again, by the till's clock. */
export interface Failed {
  readonly failure: Failure;
  readonly tries: number;
  readonly retryAtMs: number;
}

/** What failed work may have beside a limit: a fifth as much. */
const SHARE = 5;
const MAX_WAIT_MS = 7_200_000;

/**
 * How long failed work rests: a payer retries once at once, then after 5 s and each time after twice as long. Work that fails for ever
 * comes to nothing so, and an answer that is owed comes soon after the cause of the failure has gone.
 */
const waitMs = (tries: number): number => (tries < 2 ? 0 : Math.min(5_000 * 2 ** (tries - 2), MAX_WAIT_MS));

/** When paid work is tried again that failed. */
export interface Retries {
  after(last: Failed | undefined, failure: Failure): Failed;
  /** Takes a place for another try; if there is none, when to come again. Undefined: it may be tried now. */
  putOff(last: Failed, limit: Limit): Failed | undefined;
}

/** Retries have limits of their own: failing work takes no place from new payments, nor do they take one from what is owed. */
export function createRetries({ now }: Pick<Timers, 'now'>): Retries {
  const shares = new Map<Limit, Limit>();

  function shareOf(limit: Limit): Limit {
    const { name, requests, seconds } = limit;
    const share = { name: `${name}-retries`, requests: Math.max(1, Math.floor(requests / SHARE)), seconds };
    const made = shares.get(limit) ?? createLimit(share, now);
    shares.set(limit, made);
    return made;
  }

  return {
    after(last, failure) {
      const tries = (last?.tries ?? 0) + 1;
      return { failure, tries, retryAtMs: now() + waitMs(tries) };
    },
    putOff(last, limit) {
      if (now() < last.retryAtMs) return last;
      const { allowed, waitSeconds } = shareOf(limit).take();
      // It rests as if it had been tried, or whatever is sent most often would have each place that gets free.
      const restMs = Math.max(waitSeconds * 1_000, waitMs(last.tries));
      return allowed ? undefined : { ...last, retryAtMs: now() + restMs };
    },
  };
}
