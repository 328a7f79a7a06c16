import type { Clock, Timers } from '@bowline/core/domain/ports';

export const clock: Clock = () => BigInt(Math.floor(Date.now() / 1000));

export const timers: Timers = {
  now: () => performance.now(),
  after: (milliseconds, call) => {
    const timer = setTimeout(call, milliseconds);
    return () => clearTimeout(timer);
  },
};
