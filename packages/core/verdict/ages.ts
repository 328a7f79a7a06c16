import type { Priced, Proposal, Reference } from '../domain/facts.ts';
import type { DatedFact } from '../domain/verdict.ts';

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

/** Age of one price of the quote token; undefined if its time is unknown. */
export function ageOfQuote(proposal: Priced, { source, updatedAt }: Reference): Age | undefined {
  if (updatedAt === undefined) return undefined;
  const { quoteAgeSeconds, pythAgeSeconds } = proposal.limits;
  return source === 'pyth'
    ? againstClock(proposal, updatedAt, pythAgeSeconds)
    : againstBlock(proposal, updatedAt, quoteAgeSeconds);
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
 * Ages in seconds of the dated facts that are present: on-chain facts against their block, all others against the
 * clock.
 */
export function agesOf(proposal: Proposal, of: readonly DatedFact[]): Readonly<Partial<Record<DatedFact, bigint>>> {
  const { chain, exchange, pyth } = proposal;
  const ofReference = (reference: Reference | 'off' | undefined) =>
    reference === undefined || reference === 'off' ? undefined : ageOf(proposal, reference)?.seconds;
  const ages: Readonly<Record<DatedFact, bigint | undefined>> = {
    block: ageOfBlock(proposal).seconds,
    chainlink: ofReference(chain.chainlink),
    quote_token: chain.quoteToken && ageOfQuote(proposal, chain.quoteToken)?.seconds,
    venus: ofReference(chain.venus),
    redstone: ofReference(chain.redStone),
    binance_oracle: ofReference(chain.binanceOracle),
    exchange: exchange === undefined || exchange === 'off' ? undefined : proposal.readAt - exchange.answeredAt,
    pyth: ofReference(pyth),
  };
  return Object.fromEntries(of.map((name) => [name, ages[name]]).filter(([, age]) => age !== undefined));
}
