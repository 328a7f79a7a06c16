// Decides what becomes of a funded job that was looked at. Pure.

import type { JobRefusal } from '@bowline/core/domain/jobs';

export type JobStep = 'deliver' | 'wait' | 'forget';

/**
 * A refusal is final, except of a job whose offer another job uses, because that job may release the offer. Such a job
 * waits until too little of its own time is left, which has a refusal reason of its own.
 */
export function nextStep(judgement: {
  readonly state: 'deliver' | 'delivered' | 'refused';
  /** Absent unless refused. */
  readonly reason?: JobRefusal;
}): JobStep {
  if (judgement.state === 'deliver') return 'deliver';
  return judgement.state === 'refused' && judgement.reason !== 'offer_used' ? 'forget' : 'wait';
}
