import type { Block } from '@bowline/core/domain/facts';
import type { DeliverableStore, Escrow, Job, Offers, SignedOffer } from '@bowline/core/domain/jobs';
import { sameAddress } from '@bowline/core/domain/same-address';
import type { Hex } from '@bowline/core/domain/units';
import { checkJob, type JobJudgement, type SellerTerms } from './check-job.ts';

/** A job as read from the chain, and its judgement. */
export type JobReading = Pick<Job, 'id' | 'status' | 'submittedAt' | 'deliverable'> & {
  readonly judgement: JobJudgement;
};

export type Jobs = ReturnType<typeof createJobs>;

/** One job judged by the whole check list except the last check, whether another job has its offer. */
interface JudgedJob {
  readonly now: bigint;
  readonly job: Job;
  readonly offer?: SignedOffer;
  /** Absent unless the job passes every other check and its funding time is known. */
  readonly fundedAt?: bigint;
  readonly judgement: JobJudgement;
}

/** The jobs that could use one offer; usually one. */
interface Rivals {
  /** As last judged, in the order found. */
  readonly known: Map<bigint, JudgedJob>;
  /** Resolves when the jobs from before a restart are included. */
  readonly recalled: Promise<void>;
}

/**
 * Jobs as read from the chain. One offer pays for one piece of work, and only a job that passes every other check can
 * use it: copying an offer into a job that is refused harms nobody. Which job holds an offer is read from
 * the chain each time; only jobs that could hold one are remembered, and after a restart the deliverables show
 * the earlier ones: nothing is submitted without a deliverable.
 */
export function createJobs(
  escrow: Escrow,
  offers: Pick<Offers, 'read'>,
  terms: SellerTerms,
  store: Pick<DeliverableStore, 'byOffer'>,
) {
  const rivals = new Map<Hex, Rivals>();

  const judge = (job: Job, block: Block) => judgeAlone({ escrow, offers, terms }, job, block);

  async function judgeAgain(id: bigint): Promise<JudgedJob | undefined> {
    const found = await escrow.job(id);
    return found && (await judge(found.job, found.block));
  }

  /** The job that holds this job's offer. */
  async function holderOf(offer: SignedOffer, candidate: JudgedJob): Promise<bigint> {
    const { known, recalled } = rivalsFor(offer);
    // Added before the first await, so two concurrent reads never both find the offer unused.
    known.set(candidate.job.id, candidate);
    await recalled;
    for (;;) {
      const { id } = first(known).job;
      if (id === candidate.job.id) return id;
      // Only the first job is read again, however many there are.
      const again = await judgeAgain(id);
      if (again === undefined || !canHold(again)) known.delete(id);
      else {
        known.set(id, again);
        if (first(known).job.id === id) return id;
      }
      // Another read may have removed this job meanwhile.
      if (!known.has(candidate.job.id)) known.set(candidate.job.id, candidate);
    }
  }

  function rivalsFor(offer: SignedOffer): Rivals {
    const found = rivals.get(offer.hash);
    if (found !== undefined) return found;
    const known = new Map<bigint, JudgedJob>();
    const recalled = recall(offer, known);
    recalled.catch(() => rivals.delete(offer.hash));
    rivals.set(offer.hash, { known, recalled });
    return { known, recalled };
  }

  /** Adds the jobs for which a deliverable was made before. */
  async function recall(offer: SignedOffer, known: Map<bigint, JudgedJob>): Promise<void> {
    for (const { manifest } of await store.byOffer(offer.hash)) {
      const id = BigInt(manifest.job_id as number);
      const judged = await judgeAgain(id);
      if (judged?.offer?.hash === offer.hash && canHold(judged) && !known.has(id)) known.set(id, judged);
    }
  }

  async function reading(judged: JudgedJob): Promise<JobReading> {
    const { job, offer } = judged;
    const { id, status, submittedAt, deliverable } = job;
    if (offer && !canHold(judged)) rivals.get(offer.hash)?.known.delete(id);
    const holder = offer && canHold(judged) ? await holderOf(offer, judged) : undefined;
    const judgement = holder === undefined ? judged.judgement : checkJob({ ...judged, offerUsedBy: holder }, terms);
    return { id, judgement, status, submittedAt, deliverable };
  }

  return {
    /** Judges a job as read whole at this block. */
    judge: async (job: Job, block: Block) => await reading(await judge(job, block)),
    /** Reads and judges one job; undefined if it does not exist. */
    async read(id: bigint) {
      const judged = await judgeAgain(id);
      return judged && (await reading(judged));
    },
  };
}

/** Judges by the whole checklist except the last check. */
async function judgeAlone(
  {
    escrow,
    offers,
    terms,
  }: { readonly escrow: Escrow; readonly offers: Pick<Offers, 'read'>; readonly terms: SellerTerms },
  job: Job,
  { timestamp: now }: Block,
): Promise<JudgedJob> {
  const isOurs = sameAddress(job.provider, terms.provider);
  // An open job uses up nothing: anybody could copy a description into one.
  const offer = isOurs && job.status !== 'open' ? await offers.read(job.description) : undefined;
  if (offer === undefined) return { now, job, judgement: checkJob({ now, job }, terms) };
  // The log is searched only for a job that passes every other check.
  const inTime = checkJob({ now, job, offer, fundedAt: offer.madeAt }, terms);
  const fundedAt = inTime.state === 'deliver' ? await escrow.fundedAt(job.id) : undefined;
  const facts = { now, job, offer, ...(fundedAt !== undefined && { fundedAt }) };
  return { ...facts, judgement: inTime.state === 'deliver' ? checkJob(facts, terms) : inTime };
}

/** Passes every other check, or was delivered in time. */
const canHold = ({ job, judgement }: JudgedJob): boolean => judgement.state === 'deliver' || job.submittedAt > 0n;

const first = (known: ReadonlyMap<bigint, JudgedJob>): JudgedJob =>
  [...known.values()].reduce((one, other) => (isBefore(other, one) ? other : one));

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
