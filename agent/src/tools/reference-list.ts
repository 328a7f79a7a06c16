import type { Asset } from '@bowline/core/domain/assets';
import type { Priced, Reference } from '@bowline/core/domain/facts';
import { ageOf, isFresh } from '@bowline/core/verdict/freshness';
import { references } from '@bowline/core/verdict/references';
import { z } from 'zod';
import { decimal, integer } from './schemas.ts';

/** References of a price, as tools return them. */
export const referenceList = z.array(
  z.object({
    source: z.string(),
    usd: decimal,
    /** Origin of the price. Two references with the same origin count as one independent source. */
    origin: z.string(),
    /** Whether it counts towards the reference price. */
    independent: z.boolean(),
    /** Null if unknown: Venus reports no age, unless it uses a feed that is read here, too. */
    age_seconds: integer.nullable(),
    /** Whether it is recent enough to be current; null if its age is unknown. */
    fresh: z.boolean().nullable(),
  }),
);

/** @param show a USD price with 18 decimals as decimal text. */
export function listReferences(proposal: Priced, show: (usdWad: bigint) => string): z.input<typeof referenceList> {
  return references(proposal).map((reference) => {
    const { source, usdWad, feed, independent } = reference;
    const age = ageOf(proposal, reference)?.seconds;
    return {
      source,
      usd: show(usdWad),
      origin: originOf(proposal.asset, source, feed),
      independent,
      // A source's clock may run a second ahead; no age is below zero.
      age_seconds: age === undefined ? null : `${age < 0n ? 0n : age}`,
      fresh: isFresh(proposal, reference) ?? null,
    };
  });
}

function originOf({ exchangePair, pythId }: Asset, source: Reference['source'], feed: string | undefined): string {
  if (source === 'exchange') return `exchange pair ${exchangePair}`;
  if (source === 'pyth') return `pyth price ${pythId}`;
  return feed === undefined ? 'unknown' : `chainlink feed ${feed}`;
}

/** Whether the reference price rests on a source known to be outdated. */
export const restsOnStale = (proposal: Priced): boolean =>
  references(proposal).some((reference) => reference.independent && isFresh(proposal, reference) === false);
