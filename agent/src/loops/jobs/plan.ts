// Decides the next step for a funded job that was read in full. Pure.

import type { JobRefusal } from '@bowline/core/domain/jobs';

/** Refusals that may no longer hold in the next round. */
const passing: ReadonlySet<JobRefusal | undefined> = new Set(['offer_used', 'job_not_funded', 'not_our_job']);

export type JobStep = 'deliver' | 'wait' | 'forget';

/**
 * A refusal is final, with two exceptions. If another job uses the offer, it may release it: this job waits until too
 * little of its own time is left, which has its own refusal reason. If the job is not what its head said, this node may
 * lag behind the one asked before: the next head decides.
 */
export function nextStep(judgement: {
  readonly state: 'deliver' | 'delivered' | 'refused';
  /** Absent unless refused. */
  readonly reason?: JobRefusal;
}): JobStep {
  if (judgement.state === 'deliver') return 'deliver';
  return judgement.state === 'refused' && !passing.has(judgement.reason) ? 'forget' : 'wait';
}
