import type { Clock, Timers } from '@bowline/core/domain/time';

export const clock: Clock = () => BigInt(Math.floor(Date.now() / 1000));

/**
 * Unix seconds as of the start, which only time moves on: for durations. The wall clock may be set back, and what waits for
 * seconds of it then waits for longer.
 */
export const steadyClock: Clock = () => BigInt(Math.floor((performance.timeOrigin + performance.now()) / 1000));

export const timers: Timers = {
  now: () => performance.now(),
  after: (milliseconds, call) => {
    const timer = setTimeout(call, milliseconds);
    return () => clearTimeout(timer);
  },
};
