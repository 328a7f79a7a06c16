import type { SourcePriceReader } from '@bowline/core/domain/ports';
import type { DuePlan, Skipped } from './plan.ts';

/**
 * Plans whose trigger has been reached, and those without one. The others need neither a verdict nor a record: the registry
 * would refuse them, and what they wait for is their owner's wish. A plan whose source gives no price goes on, so that the
 * verdict says what is missing.
 */
export async function triggeredPlans(
  prices: SourcePriceReader,
  due: readonly DuePlan[],
): Promise<{ due: readonly DuePlan[]; skipped: readonly Skipped[] }> {
  const read = new Map<string, Promise<bigint | undefined>>();
  const priceOf = ({ plan }: DuePlan) => {
    const key = `${plan.priceSource}${plan.tokenIn}${plan.tokenOut}`.toLowerCase();
    const price = read.get(key) ?? prices.sourcePriceWad(plan);
    read.set(key, price);
    return price;
  };
  const waits = await Promise.all(
    due.map(async (each) => {
      const { triggerPriceWad } = each.plan;
      if (triggerPriceWad === 0n) return false;
      const priceWad = await priceOf(each);
      return priceWad !== undefined && priceWad < triggerPriceWad;
    }),
  );
  return {
    due: due.filter((_, at) => !waits[at]),
    skipped: due.flatMap(({ plan }, at) => (waits[at] ? [{ planId: plan.id, skip: 'trigger_not_reached' }] : [])),
  };
}
