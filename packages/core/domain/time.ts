/** Wall time in unix seconds. Chain time is a block's own. */
export type Clock = () => bigint;

/** Passing time; tests may use a virtual one. */
export interface Timers {
  /** Milliseconds of a monotonic clock. */
  now(): number;
  /** Calls once after `milliseconds`. The returned function cancels it. */
  after(milliseconds: number, call: () => void): () => void;
}

/**
 * A moment by both clocks of a machine. The wall clock may be set back, and the monotonic one may stop while the machine
 * sleeps. Milliseconds.
 */
export interface Moment {
  readonly wall: number;
  readonly steady: number;
}

/** Milliseconds from `then` to `now` by the clock that shows more, so that nothing stale passes as fresh. */
export const elapsed = (then: Moment, now: Moment): number =>
  Math.max(now.wall - then.wall, now.steady - then.steady, 0);
