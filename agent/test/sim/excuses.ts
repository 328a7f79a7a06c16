/** A time in which nobody could have acted. Virtual milliseconds. */
export interface Excuse {
  readonly fromMs: number;
  readonly toMs: number;
  /** Excuses runs alone: rescues follow the chain's time, verdicts the clock too. */
  readonly isForRuns?: boolean;
}

/**
 * Milliseconds by which something is late: since it was due or, if it could not be done within `allowedMs`, since the last
 * such time ended. Several excuses may follow each other.
 */
export function lateMs(excuses: readonly Excuse[], dueMs: number, nowMs: number, allowedMs: number): number {
  let since = dueMs;
  for (const { fromMs, toMs } of excuses.toSorted((a, b) => a.fromMs - b.fromMs)) {
    if (fromMs <= since + allowedMs && toMs > since && fromMs <= nowMs) since = Math.min(toMs, nowMs);
  }
  return nowMs - since;
}
