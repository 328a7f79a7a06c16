import type { Asset } from '@bowline/core/domain/assets';
import { waitsForPrice } from '@bowline/core/domain/deferrals';
import type { Block } from '@bowline/core/domain/facts';
import { fundedRunsOf } from '@bowline/core/domain/owner-plans';
import type { Plan } from '@bowline/core/domain/permissions';
import { pairingOf } from '@bowline/core/domain/route';
import { listedAt } from '@bowline/core/domain/same-address';
import { nextSlots, slotEnd } from '@bowline/core/domain/slots';
import { plansOfOwner } from './plans-of-owner.ts';
import type { PlanReader, SourcePriceReader } from './readers.ts';

const SLOTS = 3;

/** What would stop a run of a plan, whoever runs it. */
export const planObstacles = [
  'plan_not_active',
  'plan_expired',
  'runs_used_up',
  'not_served_route',
  'balance_too_low',
  'allowance_too_low',
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
  const [owned, waits] = await Promise.all([
    listedAt(assets, plan.tokenIn) && plansOfOwner(chain, plan.owner),
    plan.triggerPriceWad + plan.limitPriceWad > 0n
      ? chain.sourcePriceWad(plan).then((priceWad) => waitsForPrice(plan, priceWad))
      : undefined,
  ]);
  const stops: Readonly<Record<(typeof planObstacles)[number], boolean>> = {
    plan_not_active: plan.status !== 'active',
    plan_expired: now >= plan.expiresAt,
    runs_used_up: plan.runs >= plan.maxRuns,
    not_served_route: pairingOf(assets, plan.tokenIn, plan.tokenOut) === undefined,
    balance_too_low: plan.ownerBalance < plan.amountPerRun,
    allowance_too_low: plan.ownerAllowance < plan.amountPerRun,
    trigger_not_reached: waits === 'trigger_not_reached',
    limit_not_reached: waits === 'limit_not_reached',
  };
  const starts = plan.status === 'cancelled' || plan.status === 'revoked' ? [] : nextSlots(plan, now, SLOTS);
  return {
    ...{ plan, block },
    /** Includes the open slot; unix seconds. */
    slots: starts.map((opens) => ({ opens, closes: slotEnd(plan, opens), isOpen: opens <= now })),
    obstacles: planObstacles.filter((each) => stops[each]),
    /** Runs that the owner's funds cover after its other plans; undefined if one of those was not read. */
    paidFor: owned?.isWhole ? fundedRunsOf(plan, owned.plans, now) : undefined,
  };
}
