// What a judged trade costs in US dollars, and of what: the same value as the check all_in_cost has, in its parts.

import type { Proposal } from '../domain/facts.ts';
import { formatUnits, mulDivUp } from '../domain/units.ts';
import { costBps, worthAt } from '../verdict/cost.ts';
import { poolUsdWad, referenceUsdWad } from '../verdict/references.ts';
import { conservativeUsdWad } from '../verdict/sources.ts';

/**
 * Decimal text of US dollars; a negative cost is a gain. `fee_usd`, `distance_usd` (of the pool's price from the reference)
 * and `impact_usd` (the rest: what the size moves the price) add up to `total_usd`. Valued by the conservative reference,
 * or by the median of the independent ones where fewer than two are current. Null without a quote or a price.
 */
export function moneyOf(proposal: Proposal) {
  const { asset, side, chain } = proposal;
  const reference = conservativeUsdWad(proposal, side) ?? referenceUsdWad(proposal);
  const pool = poolUsdWad(chain);
  const worth = reference === undefined ? undefined : worthAt(proposal, reference);
  const bps = worth && costBps(worth);
  if (reference === undefined || pool === undefined || pool === 0n || worth === undefined || bps === undefined)
    return null;
  const { paidUsdWad: paid, receivedUsdWad: received } = worth;
  const total = paid - received;
  const fee = mulDivUp(paid, BigInt(asset.pool.feeMillionths), 1_000_000n);
  // A buyer loses what the pool asks above the reference, a seller what it bids below.
  const distance = side === 'buy' ? (paid * (pool - reference)) / pool : (paid * (reference - pool)) / reference;
  const usd = (wad: bigint) => formatUnits(wad, 18);
  return {
    paid_usd: usd(paid),
    received_usd: usd(received),
    total_usd: usd(total),
    fee_usd: usd(fee),
    distance_usd: usd(distance),
    impact_usd: usd(total - fee - distance),
    total_bps: bps.toString(),
  };
}
