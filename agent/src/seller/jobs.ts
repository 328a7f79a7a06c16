import type { Escrow, Offers, SignedOffer } from '../domain/jobs.ts';
import type { Hex } from '../domain/units.ts';
import { checkJob, type JobJudgement, type SellerTerms } from './check-job.ts';

/** What is known of one job, and what follows from it. */
export type Looked = { readonly id: bigint; readonly now: bigint; readonly judgement: JobJudgement } & {
  readonly status: string;
  readonly submittedAt: bigint;
};

export interface Jobs {
  /** Reads and judges one job; undefined when there is none of that number. */
  look(id: bigint): Promise<Looked | undefined>;
}

/**
 * Jobs as the chain tells of them. Of offers it remembers which job it saw each on first: one offer is one piece of work,
 * and the lowest number among those seen has it.
 */
export function createJobs(escrow: Escrow, offers: Offers, terms: SellerTerms): Jobs {
  const usedBy = new Map<Hex, bigint>();

  const use = (offer: SignedOffer, id: bigint): bigint => {
    const first = usedBy.get(offer.hash);
    const user = first === undefined || id < first ? id : first;
    usedBy.set(offer.hash, user);
    return user;
  };

  return {
    async look(id) {
      const found = await escrow.job(id);
      if (found === undefined) return undefined;
      const { job, block } = found;
      const isOurs = job.provider.toLowerCase() === terms.provider.toLowerCase();
      // An open job has used up nothing: anybody could copy a description into it.
      const offer = isOurs && job.status !== 'open' ? await offers.read(job.description) : undefined;
      const offerUsedBy = offer && use(offer, id);
      const fundedAt = offer && job.status === 'funded' ? await escrow.fundedAt(id) : undefined;
      const judgement = checkJob(
        {
          now: block.timestamp,
          job,
          ...(offer && { offer }),
          ...(fundedAt !== undefined && { fundedAt }),
          ...(offerUsedBy !== undefined && { offerUsedBy }),
        },
        terms,
      );
      return { id, now: block.timestamp, judgement, status: job.status, submittedAt: job.submittedAt };
    },
  };
}
