import type { Deliverable, DeliverableStore } from '@bowline/core/domain/jobs';
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

/**
 * Undefined for a job that does not exist, is not ours, or is not funded yet. Throws BowlineError, retryable while the
 * chain does not answer.
 */
export type ReadProgress = (id: bigint) => Promise<JobProgress | undefined>;

/** @param publicUrl base URL without a trailing slash. */
export function createProgress(jobs: Jobs, store: DeliverableStore, publicUrl: string): ReadProgress {
  return async (id) => {
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
  };
}
