import { BowlineError } from '@bowline/core/domain/result';
import type { Jobs } from './jobs.ts';
import type { Reply, Seller } from './negotiate.ts';

/** Queue of jobs to work on. Adding a job twice has no further effect. */
export interface JobInbox {
  add(id: bigint): void;
  /** Searches for funded jobs that nobody announced. */
  sweep(): void;
}

/** Checks a funded job on chain and replies at once; an accepted job is delivered in the background. */
export function createNotifyFunded(jobs: Jobs, inbox: JobInbox): Seller['notifyFunded'] {
  return async (given): Promise<Reply> => {
    if (given === undefined || given === null) {
      inbox.sweep();
      return { status: 'accepted', note: 'no job_id: searching the chain for funded jobs' };
    }
    const id = jobIdOf(given);
    if (id === undefined) {
      return { status: 'rejected', error: 'invalid job_id: send a whole number above 0, as text when it is large' };
    }
    const job_id = typeof given === 'number' ? given : id.toString();
    try {
      const reading = await jobs.read(id);
      if (reading === undefined) return { status: 'rejected', job_id, reason: 'job_unknown' };
      const { judgement } = reading;
      if (judgement.state === 'refused') return { status: 'rejected', job_id, reason: judgement.reason };
      if (judgement.state === 'delivered') return { status: 'accepted', job_id, note: 'already delivered' };
      inbox.add(id);
      return { status: 'accepted', job_id, note: 'work started; the submission will appear on chain' };
    } catch (error) {
      if (!(error instanceof BowlineError) || !error.retryable) throw error;
      return { status: 'retry', job_id, error: error.message, code: error.code };
    }
  };
}

/** A JSON number that lost digits would name another job. */
function jobIdOf(given: unknown): bigint | undefined {
  if (typeof given === 'number') return Number.isSafeInteger(given) && given > 0 ? BigInt(given) : undefined;
  if (typeof given !== 'string' || !/^(\d{1,78}|0x[0-9a-fA-F]{1,64})$/.test(given)) return undefined;
  const id = BigInt(given);
  return id > 0n && id < 2n ** 256n ? id : undefined;
}
