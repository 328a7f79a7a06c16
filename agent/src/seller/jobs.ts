import type { Escrow, Job, JobStatus, Offers, SignedOffer } from '@bowline/core/domain/jobs';
import type { Hex } from '@bowline/core/domain/units';
import { checkJob, type JobJudgement, type SellerTerms } from './check-job.ts';

/** What is known of one job, and what follows from it. */
export type Looked = { readonly id: bigint; readonly now: bigint; readonly judgement: JobJudgement } & {
  readonly status: JobStatus;
  readonly submittedAt: bigint;
};

export interface Jobs {
  /** Reads and judges one job; undefined when there is none of that number. */
  look(id: bigint): Promise<Looked | undefined>;
}

/** One job, judged by every line of the check list but the last: whether another job has its offer. */
interface Seen {
  readonly now: bigint;
  readonly job: Job;
  readonly offer?: SignedOffer;
  /** Absent when it is not funded, or nobody can say. */
  readonly fundedAt?: bigint;
  readonly judgement: JobJudgement;
}

/**
 * Jobs as the chain tells of them. One offer is one piece of work, and only a job that is right in all else can use it: who
 * copies an offer into a job that is refused takes nothing from anybody. Which of several jobs has an offer is read from the
 * chain each time; only which jobs to read is remembered.
 */
export function createJobs(escrow: Escrow, offers: Offers, terms: SellerTerms): Jobs {
  /** By offer, the jobs that have had it, in the order in which they were found; mostly one. */
  const holders = new Map<Hex, Set<bigint>>();

  async function see(id: bigint): Promise<Seen | undefined> {
    const found = await escrow.job(id);
    if (found === undefined) return undefined;
    const { job, block } = found;
    const isOurs = job.provider.toLowerCase() === terms.provider.toLowerCase();
    // An open job has used up nothing: anybody could copy a description into it.
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

  /** The job that has the offer of this one. */
  async function holderOf(offer: SignedOffer, asking: Seen): Promise<bigint> {
    const ids = holders.get(offer.hash) ?? new Set();
    holders.set(offer.hash, ids);
    let holder: Seen | undefined;
    // A job that another look adds meanwhile is visited, too: two looks never both find the offer unused.
    for (const id of ids) {
      const seen = id === asking.job.id ? asking : await see(id);
      if (seen === undefined || !canHold(seen)) ids.delete(id);
      else if (holder === undefined || isBefore(seen, holder)) holder = seen;
    }
    if (holder === undefined || isBefore(asking, holder)) holder = asking;
    ids.add(holder.job.id);
    return holder.job.id;
  }

  return {
    async look(id) {
      const seen = await see(id);
      if (seen === undefined) return undefined;
      const { now, job, offer } = seen;
      const { status, submittedAt } = job;
      const holder = offer && canHold(seen) ? await holderOf(offer, seen) : undefined;
      const judgement = holder === undefined ? seen.judgement : checkJob({ ...seen, offerUsedBy: holder }, terms);
      return { id, now, judgement, status, submittedAt };
    },
  };
}

/** Right in all else, or delivered in its time. */
const canHold = ({ job, judgement }: Seen): boolean => judgement.state === 'deliver' || job.submittedAt > 0n;

/**
 * Work that was delivered stays delivered. Among the others who was funded first comes first, as the chain has it, so that a
 * restart changes nothing; in the same second the lower number. Where that is not known, who was found first keeps the offer.
 */
function isBefore(one: Seen, other: Seen): boolean {
  const [delivered, otherDelivered] = [one.job.submittedAt > 0n, other.job.submittedAt > 0n];
  if (delivered !== otherDelivered) return delivered;
  const [at, otherAt] = delivered ? [one.job.submittedAt, other.job.submittedAt] : [one.fundedAt, other.fundedAt];
  if (at === undefined || otherAt === undefined) return false;
  return at === otherAt ? one.job.id < other.job.id : at < otherAt;
}
