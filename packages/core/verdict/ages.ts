import type { Priced, PriceSource, Proposal } from '../domain/facts.ts';
import type { DatedFact } from '../domain/verdict.ts';

/** A source's name, and the time that it states. */
export interface Dated {
  readonly source: PriceSource;
  readonly updatedAt?: bigint | undefined;
}

/** Age in seconds; a negative one is in the future. */
export interface Age {
  readonly seconds: bigint;
  readonly fresh: boolean;
}

/** Another clock may be ahead of ours as well as behind it. */
const againstClock = ({ readAt }: Priced, stampedAt: bigint, limit: bigint): Age => {
  const seconds = readAt - stampedAt;
  return { seconds, fresh: seconds >= -limit && seconds <= limit };
};

/** A stopped node still answers. */
export const ageOfBlock = (proposal: Priced): Age =>
  againstClock(proposal, proposal.chain.block.timestamp, proposal.limits.blockAgeSeconds);

/** Age of a price of the asset, or of the quote token; undefined if its time is unknown. */
export function ageOf(
  proposal: Priced,
  { source, updatedAt }: Dated,
  of: 'asset' | 'quote' = 'asset',
): Age | undefined {
  const { chain, limits } = proposal;
  if (updatedAt === undefined) return undefined;
  if (source === 'exchange') return againstClock(proposal, updatedAt, limits.exchangeAgeSeconds);
  if (source === 'pyth') return againstClock(proposal, updatedAt, limits.pythAgeSeconds);
  // On-chain facts are as of their block, where a future time is no better than an old one.
  const seconds = chain.block.timestamp - updatedAt;
  const limit = of === 'asset' ? limits.referenceAgeSeconds : limits.quoteAgeSeconds;
  return { seconds, fresh: seconds >= 0n && seconds <= limit };
}

/** Ages in seconds of the dated facts that are present. */
export function agesOf(proposal: Proposal, of: readonly DatedFact[]): Readonly<Partial<Record<DatedFact, bigint>>> {
  const { chain, exchange, pyth } = proposal;
  const dated = (said: Dated | 'off' | undefined) =>
    said === undefined || said === 'off' ? undefined : ageOf(proposal, said)?.seconds;
  const ages: Readonly<Record<DatedFact, bigint | undefined>> = {
    block: ageOfBlock(proposal).seconds,
    chainlink: dated(chain.chainlink),
    quote_token: dated(chain.quoteToken),
    venus: dated(chain.venus),
    redstone: dated(chain.redStone),
    binance_oracle: dated(chain.binanceOracle),
    exchange: dated(
      exchange && exchange !== 'off' ? { source: 'exchange', updatedAt: exchange.answeredAt } : undefined,
    ),
    pyth: dated(pyth),
  };
  return Object.fromEntries(of.map((name) => [name, ages[name]]).filter(([, age]) => age !== undefined));
}
