// Decides whether to work on a job. A job may name a stranger as its evaluator and look right otherwise: the work would
// be delivered and never paid.

import {
  type EscrowContracts,
  type Job,
  type JobRefusal,
  leavesTime,
  type SignedOffer,
} from '@bowline/core/domain/jobs';
import { sameAddress } from '@bowline/core/domain/same-address';
import type { Address } from '@bowline/core/domain/units';

export interface JobFacts {
  /** Block time, unix seconds. */
  readonly now: bigint;
  readonly job: Job;
  /** Undefined if the description contains no offer of ours. */
  readonly offer?: SignedOffer;
  /** Time of funding; undefined if it is no longer known. */
  readonly fundedAt?: bigint;
  /** The job that holds the offer; absent while only the other checks run. */
  readonly offerUsedBy?: bigint;
}

export interface SellerTerms {
  readonly provider: Address;
  readonly contracts: EscrowContracts;
  readonly disputeWindowSeconds: bigint;
  /** Seconds that must remain for the work itself. */
  readonly workSeconds: bigint;
  /** Current price in base units of `currency`; used for an offer whose job has no known funding time. */
  readonly price: bigint;
  readonly currency: Address;
}

export type JobJudgement =
  | { readonly state: 'deliver'; readonly offer: SignedOffer }
  | { readonly state: 'delivered' }
  | { readonly state: 'refused'; readonly reason: JobRefusal };

/** Seconds that the work itself is given before the expiry of a job. */
export const WORK_SECONDS = 60n;

/** A job ID as the JSON number that manifests require; undefined if that would lose digits. */
export const manifestJobId = (id: bigint): number | undefined =>
  id <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(id) : undefined;

/** The whole check list, ordered so that the first failure is the most useful to the buyer. Pure. */
export function checkJob({ now, job, offer, fundedAt, offerUsedBy }: JobFacts, terms: SellerTerms): JobJudgement {
  const refused = (reason: JobRefusal): JobJudgement => ({ state: 'refused', reason });
  if (!sameAddress(job.provider, terms.provider)) return refused('not_our_job');
  if (manifestJobId(job.id) === undefined) return refused('job_number_too_large');
  if (job.status === 'open') return refused('job_not_funded');
  if (job.status === 'submitted' || job.status === 'completed') return { state: 'delivered' };
  if (job.status !== 'funded') return refused('job_ended');
  if (!sameAddress(job.evaluator, terms.contracts.router)) return refused('foreign_evaluator');
  if (!sameAddress(job.hook, terms.contracts.router)) return refused('foreign_hook');
  if (!sameAddress(terms.contracts.policy, job.policy)) return refused('foreign_policy');
  if (offer === undefined) return refused('no_signed_offer');
  if (offer.client !== undefined && !sameAddress(job.client, offer.client)) return refused('foreign_client');
  if (!sameAddress(job.token, offer.currency)) return refused('foreign_token');
  if (job.budget < offer.price) return refused('budget_too_low');
  if (!leavesTime(job, now, terms)) return refused('deadline_too_tight');
  if (fundedAt === undefined ? isDearerNow(job, offer, now, terms) : fundedAt > offer.expiresAt) {
    return refused('offer_expired');
  }
  if (offerUsedBy !== undefined && offerUsedBy !== job.id) return refused('offer_used');
  return { state: 'deliver', offer };
}

// With an unknown funding time, the offer is treated as made now.
const isDearerNow = (job: Job, offer: SignedOffer, now: bigint, { price, currency }: SellerTerms): boolean =>
  now > offer.expiresAt && (job.budget < price || !sameAddress(job.token, currency));
