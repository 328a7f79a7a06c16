import { keptForOthers, outstanding } from '@bowline/core/domain/owner-plans';
import { BowlineError } from '@bowline/core/domain/result';
import type { Address } from '@bowline/core/domain/units';
import type { PlanReader } from './readers.ts';

/** Maximum number of an owner's plans that count: the newest. */
const MAX_PLANS = 500;

/** An owner's plans, and whether these are all of them. Throws like `newestPlans`. */
export async function plansOfOwner(reader: Pick<PlanReader, 'newestPlans'>, owner: Address) {
  const { next, unread, ...read } = await reader.newestPlans({ owner, count: MAX_PLANS });
  return { ...read, isWhole: next === undefined && unread === 0 };
}

/**
 * What an approval for another plan must leave to the owner's running ones, and the time of the block. Throws
 * `chain_unavailable` if not all of them could be read.
 */
export async function keptForOthersOf(
  reader: Pick<PlanReader, 'newestPlans' | 'planWithFunds'>,
  owner: Address,
  token: Address,
) {
  const { block, plans, isWhole } = await plansOfOwner(reader, owner);
  if (!isWhole) {
    throw new BowlineError('chain_unavailable', 'Not all plans that share the approval could be read.', {
      retryable: true,
    });
  }
  const now = block.timestamp;
  // The allowance is read with a plan, and matters only if a plan takes from it.
  const taking = plans.find((plan) => outstanding([plan], token, now, ['active', 'paused']) > 0n);
  const allowance = taking ? (await reader.planWithFunds(taking.id)).plan.ownerAllowance : 0n;
  return { others: keptForOthers(plans, token, allowance, now), now };
}
