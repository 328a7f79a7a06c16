import type { Escrow, Job, JobStatus, Offers, SignedOffer } from '@bowline/core/domain/jobs';
import type { Hex } from '@bowline/core/domain/units';
import { checkJob, type JobJudgement, type SellerTerms } from './check-job.ts';

/** A job as read from the chain, and its judgement. */
export type JobReading = { readonly id: bigint; readonly now: bigint; readonly judgement: JobJudgement } & {
  readonly status: JobStatus;
  readonly submittedAt: bigint;
};

export interface Jobs {
  /** Reads and judges one job; undefined if it does not exist. */
  read(id: bigint): Promise<JobReading | undefined>;
}

/** One job judged by the whole check list except the last check, whether another job has its offer. */
interface JudgedJob {
  readonly now: bigint;
  readonly job: Job;
  readonly offer?: SignedOffer;
  /** Absent if the job is not funded or its funding time is unknown. */
  readonly fundedAt?: bigint;
  readonly judgement: JobJudgement;
}

/**
 * Jobs as read from the chain. One offer pays for one piece of work, and only a job that passes every other check can
 * use it: copying an offer into a job that is refused takes nothing from anybody. Which job holds an offer is read from
 * the chain each time; only the list of jobs to read is remembered.
 */
export function createJobs(escrow: Escrow, offers: Offers, terms: SellerTerms): Jobs {
  /** By offer: the jobs that have carried it, in the order found; usually one. */
  const holders = new Map<Hex, Set<bigint>>();

  async function judge(id: bigint): Promise<JudgedJob | undefined> {
    const found = await escrow.job(id);
    if (found === undefined) return undefined;
    const { job, block } = found;
    const isOurs = job.provider.toLowerCase() === terms.provider.toLowerCase();
    // An open job uses up nothing: anybody could copy a description into one.
    const offer = isOurs && job.status !== 'open' ? await offers.read(job.description) : undefined;
    const fundedAt = offer && job.status === 'funded' ? await escrow.fundedAt(id) : undefined;
    const facts = {
      now: block.timestamp,
      job,
      ...(offer && { offer }),
      ...(fundedAt !== undefined && { fundedAt }),
    };
    return { ...facts, judgement: checkJob(facts, terms) };
  }

  /** The job that holds this job's offer. */
  async function holderOf(offer: SignedOffer, candidate: JudgedJob): Promise<bigint> {
    const ids = holders.get(offer.hash) ?? new Set();
    holders.set(offer.hash, ids);
    let holder: JudgedJob | undefined;
    // A job added concurrently is visited, too, so two concurrent reads never both find the offer unused.
    for (const id of ids) {
      const judged = id === candidate.job.id ? candidate : await judge(id);
      if (judged === undefined || !canHold(judged)) ids.delete(id);
      else if (holder === undefined || isBefore(judged, holder)) holder = judged;
    }
    if (holder === undefined || isBefore(candidate, holder)) holder = candidate;
    ids.add(holder.job.id);
    return holder.job.id;
  }

  return {
    async read(id) {
      const judged = await judge(id);
      if (judged === undefined) return undefined;
      const { now, job, offer } = judged;
      const { status, submittedAt } = job;
      const holder = offer && canHold(judged) ? await holderOf(offer, judged) : undefined;
      const judgement = holder === undefined ? judged.judgement : checkJob({ ...judged, offerUsedBy: holder }, terms);
      return { id, now, judgement, status, submittedAt };
    },
  };
}

/** Passes every other check, or was delivered in time. */
const canHold = ({ job, judgement }: JudgedJob): boolean => judgement.state === 'deliver' || job.submittedAt > 0n;

/**
 * Delivered work stays delivered. Otherwise the job funded first on chain wins, so that a restart changes nothing;
 * within the same second, the lower ID. If funding times are unknown, the job found first keeps the offer.
 */
function isBefore(one: JudgedJob, other: JudgedJob): boolean {
  const [delivered, otherDelivered] = [one.job.submittedAt > 0n, other.job.submittedAt > 0n];
  if (delivered !== otherDelivered) return delivered;
  const [at, otherAt] = delivered ? [one.job.submittedAt, other.job.submittedAt] : [one.fundedAt, other.fundedAt];
  if (at === undefined || otherAt === undefined) return false;
  return at === otherAt ? one.job.id < other.job.id : at < otherAt;
}
