import type { Timers } from '../loops/runner.ts';

export { clock } from '@bowline/http/clock';

export const timers: Timers = {
  now: () => performance.now(),
  after: (milliseconds, call) => {
    const timer = setTimeout(call, milliseconds);
    return () => clearTimeout(timer);
  },
};
