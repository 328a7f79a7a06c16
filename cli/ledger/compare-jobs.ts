import { checkJob, type SellerTerms } from '../../agent/src/seller/check-job.ts';
import type { Delivery } from './deliveries.ts';
import type { ChainJob, ChainJobs } from './jobs.ts';

/** Why the chain and our files differ about a job, or about a file. */
type Difference =
  | 'paid_not_delivered'
  | 'delivered_not_paid'
  | 'deliverable_missing'
  | 'deliverable_changed'
  | 'delivery_of_no_job';

export interface JobEntry extends ChainJob {
  /** Why nothing is owed for it, by the seller's check list. */
  readonly refusal?: string;
  readonly differences: readonly Difference[];
  /** Whether it is completed, and the node shows neither logs nor receipts that may show the payment. */
  readonly isUnproved: boolean;
}

export interface JobsLedger {
  readonly entries: readonly JobEntry[];
  /** Files that are the recorded delivery of no job: `delivery_of_no_job`. */
  readonly strays: readonly Delivery[];
}

type Terms = Pick<SellerTerms, 'contracts' | 'disputeWindowSeconds' | 'workSeconds'>;

/**
 * Compares what the chain shows with our files. Pure.
 * @param before the files as read before the chain: each of them may have been submitted since.
 * @param after the files as read after it: each submission was kept before.
 */
export function compareJobs(
  { jobs, showsPayouts }: Pick<ChainJobs, 'jobs' | 'showsPayouts'>,
  { before, after }: { readonly before: readonly Delivery[]; readonly after: readonly Delivery[] },
  terms: Terms,
): JobsLedger {
  const holders = holdersOf(jobs, terms);
  const entries = jobs.map((each): JobEntry => {
    const { job, payout } = each;
    const isDelivered = job.submittedAt > 0n;
    const isUnproved = job.status === 'completed' && job.budget > 0n && !payout && !showsPayouts;
    const refusal = isDelivered || job.status !== 'funded' ? undefined : refusalOf(each, holders, terms);
    const differences: Difference[] = [];
    if (!isDelivered && (payout || (job.status === 'funded' && !refusal))) differences.push('paid_not_delivered');
    if (isDelivered && !isUnproved && isPaymentDue(each) && !payout) differences.push('delivered_not_paid');
    if (isDelivered && !after.some((file) => isOf(file, each))) {
      const isThere = after.some(({ hash, jobId }) => hash === job.deliverable || jobId === job.id);
      differences.push(isThere ? 'deliverable_changed' : 'deliverable_missing');
    }
    return { ...each, ...(refusal && { refusal }), differences, isUnproved };
  });
  const isUnderWay = (file: Delivery) =>
    file.isWhole &&
    entries.some(({ job, differences }) => job.id === file.jobId && differences[0] === 'paid_not_delivered');
  // The changed file of a job is told with the job.
  const isTold = ({ hash }: Delivery) =>
    entries.some(({ job, differences }) => job.deliverable === hash && differences.includes('deliverable_changed'));
  const strays = before.filter((file) => {
    if (isUnderWay(file)) return false;
    return file.isWhole ? !jobs.some((job) => isOf(file, job)) : !isTold(file);
  });
  return { entries, strays };
}

/** Whether the file is the delivery that the chain records for the job. */
const isOf = ({ isWhole, hash, jobId }: Delivery, { job }: ChainJob): boolean =>
  isWhole && job.submittedAt > 0n && hash === job.deliverable && jobId === job.id;

/** Whether the evaluation is over and not against us. What expired after its delivery was not settled in time. */
const isPaymentDue = ({ job, isApproved }: ChainJob): boolean =>
  job.budget > 0n && (job.status === 'completed' || job.status === 'expired' || isApproved);

/** By offer, the job that it is good for: the one that was delivered, else the first that was funded, else the lowest number. */
function holdersOf(jobs: readonly ChainJob[], terms: Terms): ReadonlyMap<string, bigint> {
  const holders = new Map<string, ChainJob>();
  for (const each of jobs) {
    if (each.offer === undefined || (each.job.submittedAt === 0n && refusalOf(each, new Map(), terms))) continue;
    const other = holders.get(each.offer.hash);
    if (other === undefined || isBefore(each, other)) holders.set(each.offer.hash, each);
  }
  return new Map([...holders].map(([hash, { job }]) => [hash, job.id]));
}

function isBefore(one: ChainJob, other: ChainJob): boolean {
  const [at, otherAt] = [one.job.submittedAt, other.job.submittedAt];
  if (at > 0n || otherAt > 0n) return at > 0n && (otherAt === 0n || at < otherAt);
  return one.fundedAt !== undefined && other.fundedAt !== undefined && one.fundedAt < other.fundedAt;
}

/** By the seller's own list, as of the job's funding: time that has run out since was ours to use. */
function refusalOf(
  { job, offer, fundedAt }: ChainJob,
  holders: ReadonlyMap<string, bigint>,
  { contracts, disputeWindowSeconds, workSeconds }: Terms,
): string | undefined {
  // Without a log, as if it had been funded as soon as it could be.
  const at = fundedAt ?? offer?.madeAt ?? 0n;
  const holder = offer && holders.get(offer.hash);
  const facts = { now: at, job, fundedAt: at, ...(offer && { offer }), ...(holder && { offerUsedBy: holder }) };
  const { provider, budget: price, token: currency } = job;
  const own = { provider, contracts, disputeWindowSeconds, workSeconds, price, currency };
  const judgement = checkJob(facts, own);
  return judgement.state === 'refused' ? judgement.reason : undefined;
}
