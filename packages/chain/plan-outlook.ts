import type { Asset } from '@bowline/core/domain/assets';
import { waitsForPrice } from '@bowline/core/domain/deferrals';
import type { Block } from '@bowline/core/domain/facts';
import { fundedRunsOf } from '@bowline/core/domain/owner-plans';
import type { Plan } from '@bowline/core/domain/permissions';
import { pairingOf } from '@bowline/core/domain/route';
import { listedAt } from '@bowline/core/domain/same-address';
import { fundsStops, fundsStopsOf, nextSlots, slotEnd, stateStops, stateStopsOf } from '@bowline/core/domain/slots';
import { plansOfOwner } from './plans-of-owner.ts';
import type { PlanReader, SourcePriceReader } from './readers.ts';

const SLOTS = 3;

/** What would stop a run of a plan, whoever runs it. */
export const planObstacles = [
  ...stateStops,
  'not_served_route',
  ...fundsStops,
  'trigger_not_reached',
  'limit_not_reached',
] as const;

/**
 * When a plan may run next, and what would stop it now, apart from the verdict on its trade and from what an agent's own settings
 * leave out. Throws `chain_unavailable`.
 */
export async function outlookOf(
  chain: Pick<PlanReader, 'newestPlans'> & SourcePriceReader,
  assets: readonly Asset[],
  { plan, block }: { readonly plan: Plan; readonly block: Block },
) {
  const now = block.timestamp;
  const isListed = listedAt(assets, plan.tokenIn) !== undefined;
  const [owned, waits] = await Promise.all([
    isListed ? plansOfOwner(chain, plan.owner) : undefined,
    plan.triggerPriceWad + plan.limitPriceWad > 0n
      ? chain.sourcePriceWad(plan).then((priceWad) => waitsForPrice(plan, priceWad))
      : undefined,
  ]);
  const isTraded = pairingOf(assets, plan.tokenIn, plan.tokenOut) !== undefined;
  const starts = plan.status === 'cancelled' || plan.status === 'revoked' ? [] : nextSlots(plan, now, SLOTS);
  return {
    ...{ plan, block },
    /** Includes the open slot; unix seconds. */
    slots: starts.map((opens) => ({ opens, closes: slotEnd(plan, opens), isOpen: opens <= now })),
    obstacles: [
      ...stateStopsOf(plan, now),
      ...(isTraded ? [] : (['not_served_route'] as const)),
      ...(isListed ? fundsStopsOf(plan) : []),
      ...(waits === undefined ? [] : [waits]),
    ],
    /** Runs that the owner's funds cover after its other plans; undefined if one of those was not read. */
    paidFor: owned?.isWhole ? fundedRunsOf(plan, owned.plans, now) : undefined,
  };
}
