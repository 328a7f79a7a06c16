import type { Priced, Proposal, Reference } from '../domain/facts.ts';
import type { Dated } from '../domain/verdict.ts';

/** How old something is, and how old it may be; seconds. Below zero it comes from the future. */
export interface Age {
  readonly seconds: bigint;
  readonly limit: bigint;
  readonly fresh: boolean;
}

/** What the chain says, it says as of its block: against that its ages are measured. From the future is no better than old. */
const againstBlock = ({ chain }: Priced, updatedAt: bigint, limit: bigint): Age => {
  const seconds = chain.block.timestamp - updatedAt;
  return { seconds, limit, fresh: seconds >= 0n && seconds <= limit };
};

/** What another clock than ours has stamped may be as far ahead of ours as behind. */
const againstClock = ({ readAt }: Priced, stampedAt: bigint, limit: bigint): Age => {
  const seconds = readAt - stampedAt;
  return { seconds, limit, fresh: seconds >= -limit && seconds <= limit };
};

/** A node that has stopped still answers. */
export const ageOfBlock = (proposal: Priced): Age =>
  againstClock(proposal, proposal.chain.block.timestamp, proposal.limits.blockAgeSeconds);

/** Of the price of what the pool is quoted in; undefined where it has none. */
export function ageOfQuoteToken(proposal: Priced): Age | undefined {
  const updatedAt = proposal.chain.quoteToken?.updatedAt;
  return updatedAt === undefined ? undefined : againstBlock(proposal, updatedAt, proposal.limits.quoteAgeSeconds);
}

/** Of one reference alone; undefined where its time is not known. */
export function ageOf(proposal: Priced, { source, updatedAt }: Reference): Age | undefined {
  if (updatedAt === undefined) return undefined;
  const { referenceAgeSeconds, exchangeAgeSeconds, pythAgeSeconds } = proposal.limits;
  if (source === 'exchange') return againstClock(proposal, updatedAt, exchangeAgeSeconds);
  if (source === 'pyth') return againstClock(proposal, updatedAt, pythAgeSeconds);
  return againstBlock(proposal, updatedAt, referenceAgeSeconds);
}

/**
 * Whether a reference tells of now, with all that it rests on: the block, or for the exchange the price that brings it to
 * USD. Undefined where its time is not known.
 */
export function isFresh(proposal: Priced, reference: Reference): boolean | undefined {
  const age = ageOf(proposal, reference);
  if (age === undefined) return undefined;
  const rest =
    reference.source === 'exchange' ? [ageOfQuoteToken(proposal), ageOfBlock(proposal)] : [ageOfBlock(proposal)];
  return [age, ...rest].every((each) => each?.fresh === true);
}

/** Seconds, of those that are dated and there: the chain's against its block, all others against the clock. */
export function agesOf(proposal: Proposal, of: readonly Dated[]): Readonly<Partial<Record<Dated, bigint>>> {
  const { chain, exchange, pyth } = proposal;
  const ofReference = (reference: Reference | undefined) => reference && ageOf(proposal, reference)?.seconds;
  const ages: Readonly<Record<Dated, bigint | undefined>> = {
    block: ageOfBlock(proposal).seconds,
    chainlink: ofReference(chain.chainlink),
    quote_token: ageOfQuoteToken(proposal)?.seconds,
    venus: ofReference(chain.venus),
    exchange: exchange === undefined || exchange === 'off' ? undefined : proposal.readAt - exchange.answeredAt,
    pyth: pyth === 'off' ? undefined : ofReference(pyth),
  };
  return Object.fromEntries(of.map((name) => [name, ages[name]]).filter(([, age]) => age !== undefined));
}
