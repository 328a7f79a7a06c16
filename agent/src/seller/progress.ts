import type { Deliverable, DeliverableStore } from '@bowline/core/domain/jobs';
import type { Timers } from '@bowline/core/domain/time';
import type { Hex } from '@bowline/core/domain/units';
import type { Jobs } from './jobs.ts';

/** How far a job is, for whoever waits for it. */
export type JobProgress =
  | { readonly state: 'working' }
  | {
      readonly state: 'delivered';
      readonly url: string;
      readonly hash: Hex;
      /** Absent if it is not kept here any more. */
      readonly deliverable?: Deliverable;
    }
  | { readonly state: 'refused'; readonly reason: string };

export interface Progress {
  /**
   * Undefined for a job that does not exist, is not ours, or is not funded yet. Throws BowlineError, retryable while the
   * chain does not answer.
   */
  read(id: bigint): Promise<JobProgress | undefined>;
  /** Resolves when something may have changed about the job, after half a minute at the latest, and on abort. */
  changed(id: bigint, signal: AbortSignal): Promise<void>;
  /** Something was done about the job. */
  tell(id: bigint): void;
}

/** The loop tells of its own work. Whatever else happens on chain is seen a little later. */
const LOOK_AGAIN_MS = 30_000;

/** @param publicUrl base URL without a trailing slash. */
export function createProgress(jobs: Jobs, store: DeliverableStore, publicUrl: string, timers: Timers): Progress {
  const waiting = new Map<bigint, Set<() => void>>();

  return {
    async read(id) {
      const reading = await jobs.read(id);
      if (reading === undefined) return undefined;
      const { judgement, status, submittedAt, deliverable: hash } = reading;
      if (submittedAt > 0n && (judgement.state === 'delivered' || status !== 'submitted')) {
        const deliverable = await store.byHash(hash);
        const url = `${publicUrl}/job/${id}/response`;
        return { state: 'delivered', url, hash, ...(deliverable && { deliverable }) };
      }
      if (judgement.state !== 'refused') return { state: 'working' };
      const { reason } = judgement;
      if (reason === 'not_our_job' || reason === 'job_not_funded') return undefined;
      // The job that holds the offer may come to nothing.
      return reason === 'offer_used' ? { state: 'working' } : { state: 'refused', reason };
    },

    changed: (id, signal) =>
      new Promise((resolve) => {
        const those = waiting.get(id) ?? new Set();
        waiting.set(id, those);
        const end = () => {
          cancel();
          signal.removeEventListener('abort', end);
          those.delete(end);
          if (those.size === 0) waiting.delete(id);
          resolve();
        };
        const cancel = timers.after(LOOK_AGAIN_MS, end);
        those.add(end);
        signal.addEventListener('abort', end);
        if (signal.aborted) end();
      }),

    tell(id) {
      for (const end of [...(waiting.get(id) ?? [])]) end();
    },
  };
}
