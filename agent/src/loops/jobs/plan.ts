// Decides the next step of each known job. Pure.

import type { JobRefusal, JobStatus } from '@bowline/core/domain/jobs';

/** A job of ours as last read. */
export interface WatchedJob {
  readonly id: bigint;
  readonly status: JobStatus;
  readonly state: 'deliver' | 'delivered' | 'refused';
  /** Reason of the refusal; absent otherwise. */
  readonly reason?: JobRefusal;
  readonly submittedAt: bigint;
  readonly now: bigint;
}

export type JobStep = 'deliver' | 'settle' | 'wait' | 'forget';

/**
 * The next step of one job. A submitted job waits until its dispute window has passed and is then settled. A refusal is
 * final with two exceptions: an open job, and a job whose offer another job uses, because that job may release the
 * offer. Such a job waits until too little of its own time is left, which has a refusal reason of its own.
 */
export function nextStep(job: WatchedJob, disputeWindowSeconds: bigint): JobStep {
  if (job.state === 'refused') return job.status === 'open' || job.reason === 'offer_used' ? 'wait' : 'forget';
  if (job.state === 'deliver') return 'deliver';
  if (job.status !== 'submitted') return 'forget';
  return job.now > job.submittedAt + disputeWindowSeconds ? 'settle' : 'wait';
}
