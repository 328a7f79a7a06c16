// What is to be done with the jobs that are known. Pure.

import type { JobRefusal, JobStatus } from '@bowline/core/domain/jobs';

/** A job of ours as it was last seen. */
export interface WatchedJob {
  readonly id: bigint;
  readonly status: JobStatus;
  readonly state: 'deliver' | 'delivered' | 'refused';
  /** Why it is refused; absent otherwise. */
  readonly reason?: JobRefusal;
  readonly submittedAt: bigint;
  readonly now: bigint;
}

export type JobStep = 'deliver' | 'settle' | 'wait' | 'forget';

/**
 * The next step of one job. A submitted one waits until its client can object no more, and is then claimed. A refusal is final,
 * but for an open job, and for one whose offer another job uses: that job may give the offer back. Such a job waits until too
 * little of its own time is left, which is refused by another reason.
 */
export function nextStep(job: WatchedJob, disputeWindowSeconds: bigint): JobStep {
  if (job.state === 'refused') return job.status === 'open' || job.reason === 'offer_used' ? 'wait' : 'forget';
  if (job.state === 'deliver') return 'deliver';
  if (job.status !== 'submitted') return 'forget';
  return job.now > job.submittedAt + disputeWindowSeconds ? 'settle' : 'wait';
}
