import type { Priced, Proposal, Reference } from '../domain/facts.ts';
import type { Dated } from '../domain/verdict.ts';

/** Age and maximum age in seconds. A negative age is in the future. */
export interface Age {
  readonly seconds: bigint;
  readonly limit: bigint;
  readonly fresh: boolean;
}

/**
 * On-chain facts are as of their block, so their ages are measured against it. A future time is no better than an old
 * one.
 */
const againstBlock = ({ chain }: Priced, updatedAt: bigint, limit: bigint): Age => {
  const seconds = chain.block.timestamp - updatedAt;
  return { seconds, limit, fresh: seconds >= 0n && seconds <= limit };
};

/** Another clock's time may be ahead of ours as much as behind it. */
const againstClock = ({ readAt }: Priced, stampedAt: bigint, limit: bigint): Age => {
  const seconds = readAt - stampedAt;
  return { seconds, limit, fresh: seconds >= -limit && seconds <= limit };
};

/** A stopped node still answers. */
export const ageOfBlock = (proposal: Priced): Age =>
  againstClock(proposal, proposal.chain.block.timestamp, proposal.limits.blockAgeSeconds);

/** Age of the quote token's price; undefined if it has none. */
export function ageOfQuoteToken(proposal: Priced): Age | undefined {
  const updatedAt = proposal.chain.quoteToken?.updatedAt;
  return updatedAt === undefined ? undefined : againstBlock(proposal, updatedAt, proposal.limits.quoteAgeSeconds);
}

/** Age of one reference alone; undefined if its time is unknown. */
export function ageOf(proposal: Priced, { source, updatedAt }: Reference): Age | undefined {
  if (updatedAt === undefined) return undefined;
  const { referenceAgeSeconds, exchangeAgeSeconds, pythAgeSeconds } = proposal.limits;
  if (source === 'exchange') return againstClock(proposal, updatedAt, exchangeAgeSeconds);
  if (source === 'pyth') return againstClock(proposal, updatedAt, pythAgeSeconds);
  return againstBlock(proposal, updatedAt, referenceAgeSeconds);
}

/**
 * Whether a reference is current, with everything it rests on: the block or, for the exchange, the feed that converts
 * its price to USD. Undefined if its time is unknown.
 */
export function isFresh(proposal: Priced, reference: Reference): boolean | undefined {
  const age = ageOf(proposal, reference);
  if (age === undefined) return undefined;
  const rest =
    reference.source === 'exchange' ? [ageOfQuoteToken(proposal), ageOfBlock(proposal)] : [ageOfBlock(proposal)];
  return [age, ...rest].every((each) => each?.fresh === true);
}

/**
 * Ages in seconds of the dated facts that are present: on-chain facts against their block, all others against the
 * clock.
 */
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
