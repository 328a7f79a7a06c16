import type { Address } from '@bowline/core/domain/units';
import type { PlanReader } from './readers.ts';

/** Plans of one owner that are counted: the newest. */
const MAX_PLANS = 500;

/** An owner's plans, and whether these are all of them. Throws like `newestPlans`. */
export async function plansOfOwner(reader: Pick<PlanReader, 'newestPlans'>, owner: Address) {
  const { next, unread, ...read } = await reader.newestPlans({ owner, count: MAX_PLANS });
  return { ...read, isWhole: next === undefined && unread === 0 };
}
