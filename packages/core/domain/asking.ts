import { BowlineError } from './result.ts';

/** How a tool's caller cancels a call and hears of its progress. */
export interface Asking {
  /** Aborted once nobody waits for the answer: a tool with several steps then starts no further one. */
  readonly signal?: AbortSignal;
  /** Reports how many steps are done. */
  readonly progress?: (done: number, of: number, doing: string) => void;
}

/** Begins a step. @throws BowlineError `timeout` if nobody waits for the answer any more. */
export function step({ signal, progress }: Asking, done: number, of: number, doing: string): void {
  if (signal?.aborted) throw new BowlineError('timeout', 'The call was cancelled.');
  progress?.(done, of, doing);
}
