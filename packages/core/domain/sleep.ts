import type { Timers } from './time.ts';

/** Resolves after this time, or at once when the signal is aborted. */
export function sleep(timers: Pick<Timers, 'after'>, milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const wake = () => {
      cancel();
      signal?.removeEventListener('abort', wake);
      resolve();
    };
    const cancel = timers.after(milliseconds, wake);
    signal?.addEventListener('abort', wake, { once: true });
  });
}
