import type { Clock, Timers } from '@bowline/core/domain/time';

export const clock: Clock = () => BigInt(Math.floor(Date.now() / 1000));

/**
 * Unix seconds taken at the start and advanced by a monotonic clock: for durations. The wall clock may be set back,
 * which would make anything that waits by it wait longer.
 */
export const steadyClock: Clock = () => BigInt(Math.floor((performance.timeOrigin + performance.now()) / 1000));

export const timers: Timers = {
  now: () => performance.now(),
  after: (milliseconds, call) => {
    const timer = setTimeout(call, milliseconds);
    return () => clearTimeout(timer);
  },
};
