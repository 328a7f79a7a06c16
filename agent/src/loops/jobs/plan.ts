// Decides what becomes of a funded job that was looked at. Pure.

import type { JobRefusal } from '@bowline/core/domain/jobs';

/** Refusals that the next round may not repeat. */
const passing: ReadonlySet<JobRefusal | undefined> = new Set(['offer_used', 'job_not_funded', 'not_our_job']);

export type JobStep = 'deliver' | 'wait' | 'forget';

/**
 * A refusal is final, except of a job whose offer another job uses, because that job may release the offer, and of one that is
 * not what its head said: the node that answered may be behind the one that was asked before, and the next head decides.
 * The first waits until too little of its own time is left, which has a refusal reason of its own.
 */
export function nextStep(judgement: {
  readonly state: 'deliver' | 'delivered' | 'refused';
  /** Absent unless refused. */
  readonly reason?: JobRefusal;
}): JobStep {
  if (judgement.state === 'deliver') return 'deliver';
  return judgement.state === 'refused' && !passing.has(judgement.reason) ? 'forget' : 'wait';
}
