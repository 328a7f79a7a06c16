/** Wall time in unix seconds. Chain time is a block's own. */
export type Clock = () => bigint;

/** Time that passes; a test's own may be virtual. */
export interface Timers {
  /** Milliseconds of a monotonic clock. */
  now(): number;
  /** Calls once after `milliseconds`. The returned function cancels it. */
  after(milliseconds: number, call: () => void): () => void;
}
