import type { Clock } from '@bowline/core/domain/ports';

/** Wait in seconds by status: too many requests; banned for continuing; and rejected, which a retry does not change. */
const secondsOf: Readonly<Record<number, bigint>> = { 429: 60n, 418: 300n, 401: 60n, 403: 60n };
/** Maximum wait: a forged Retry-After must not keep us away for days. */
const MAX_SECONDS = 3_600n;

export interface BackOff {
  /** @throws during a wait: a client that continues is banned, longer each time. */
  mayAsk(): void;
  /**
   * @param retryAfter the Retry-After header as received: seconds or a date.
   * @throws if the status demands a wait.
   */
  heed(status: number, retryAfter: unknown): void;
}

export function createBackOff(clock: Clock): BackOff {
  let until = 0n;
  return {
    mayAsk() {
      const wait = until - clock();
      // A longer wait is impossible: the clock was set back.
      if (wait > 0n && wait <= MAX_SECONDS) throw new Error(`the exchange asked us to wait; ${wait} s remain`);
    },
    heed(status, retryAfter) {
      const usual = secondsOf[status];
      if (usual === undefined) return;
      const now = clock();
      const requested = secondsUntil(retryAfter, now);
      const wait = requested > 0n ? requested : usual;
      const end = now + (wait < MAX_SECONDS ? wait : MAX_SECONDS);
      // Of concurrent responses the longest wait applies.
      if (end > until) until = end;
      throw new Error(`status ${status}: the exchange asks us to wait ${end - now} s`);
    },
  };
}

/** 0 if the header is missing or unreadable. */
function secondsUntil(retryAfter: unknown, now: bigint): bigint {
  if (typeof retryAfter !== 'string') return 0n;
  if (/^\d{1,15}$/.test(retryAfter)) return BigInt(retryAfter);
  const date = Date.parse(retryAfter);
  return Number.isNaN(date) ? 0n : BigInt(Math.ceil(date / 1000)) - now;
}
