import type { Clock } from '@bowline/core/domain/ports';

/** Too many questions; banned, for going on asking after that; and not let in, which a second question does not change. */
const secondsOf: Readonly<Record<number, bigint>> = { 429: 60n, 418: 300n, 401: 60n, 403: 60n };
/** However long we are told to wait: longer, and an answer that was made up keeps us from asking for days. */
const MAX_SECONDS = 3_600n;

export interface BackOff {
  /** @throws while we have been told not to ask: who asks nevertheless is banned, and for longer each time. */
  mayAsk(): void;
  /**
   * @param retryAfter the header of that name, as it came: seconds or a date.
   * @throws where the status tells us to wait.
   */
  heed(status: number, retryAfter: unknown): void;
}

export function createBackOff(clock: Clock): BackOff {
  let until = 0n;
  return {
    mayAsk() {
      const wait = until - clock();
      // Longer than was ever kept to: the clock has been put back.
      if (wait > 0n && wait <= MAX_SECONDS) throw new Error(`we were told to wait, for ${wait} s more`);
    },
    heed(status, retryAfter) {
      const usual = secondsOf[status];
      if (usual === undefined) return;
      const now = clock();
      const told = secondsUntil(retryAfter, now);
      const wait = told > 0n ? told : usual;
      const end = now + (wait < MAX_SECONDS ? wait : MAX_SECONDS);
      // Of several that were under way together the longest wait holds.
      if (end > until) until = end;
      throw new Error(`status ${status}: we are told to wait, for ${end - now} s`);
    },
  };
}

/** 0 where it says nothing that can be read. */
function secondsUntil(retryAfter: unknown, now: bigint): bigint {
  if (typeof retryAfter !== 'string') return 0n;
  if (/^\d{1,15}$/.test(retryAfter)) return BigInt(retryAfter);
  const date = Date.parse(retryAfter);
  return Number.isNaN(date) ? 0n : BigInt(Math.ceil(date / 1000)) - now;
}
