import type { SourcePriceReader } from '@bowline/chain/readers';
import { waitsForTrigger } from '@bowline/core/domain/deferrals';
import type { DuePlan, Skipped } from './plan.ts';

/** Plans that wait for no trigger, and those that do. Each source is read once. */
export async function triggeredPlans(
  prices: SourcePriceReader,
  due: readonly DuePlan[],
): Promise<{ due: readonly DuePlan[]; skipped: readonly Skipped[] }> {
  const read = new Map<string, Promise<bigint | undefined>>();
  const priceOf = ({ plan }: DuePlan) => {
    const key = `${plan.priceSource}${plan.tokenIn}${plan.tokenOut}`.toLowerCase();
    // One source's failure must not end the round of all plans.
    const price = read.get(key) ?? prices.sourcePriceWad(plan).catch(() => undefined);
    read.set(key, price);
    return price;
  };
  const waits = await Promise.all(
    due.map(async (each) => each.plan.triggerPriceWad !== 0n && waitsForTrigger(each.plan, await priceOf(each))),
  );
  return {
    due: due.filter((_, at) => !waits[at]),
    skipped: due.flatMap(({ plan }, at) => (waits[at] ? [{ planId: plan.id, skip: 'trigger_not_reached' }] : [])),
  };
}
