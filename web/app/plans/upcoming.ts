import { nextSlot } from '../chain/next-slot.ts';
import type { OwnedPlans, Plan } from '../chain/read-plans.ts';

/** A run to come. */
export interface Upcoming {
  readonly plan: Plan;
  /** Start and end of its slot, unix seconds. */
  readonly from: bigint;
  readonly until: bigint;
  /** Whether balance and approval last until it, if all before it run; undefined if they could not be read. */
  readonly isFunded: boolean | undefined;
}

/** The next runs of an owner's active plans, in the order of their slots. @param now the chain's time, unix seconds. */
export function upcoming({ plans, balances, allowances }: OwnedPlans, now: bigint, most: number): readonly Upcoming[] {
  const slots = plans
    .filter(({ status }) => status === 'active')
    .flatMap((plan) => slotsOf(plan, now, most).map((from) => ({ plan, from, until: from + plan.windowSeconds })))
    .toSorted((a, b) => (a.from === b.from ? Number(a.plan.id - b.plan.id) : a.from < b.from ? -1 : 1))
    .slice(0, most);
  const left = new Map<string, bigint>();
  return slots.map((slot) => {
    const { tokenIn, amountPerRun } = slot.plan;
    const token = tokenIn.toLowerCase();
    const [balance, allowance] = [balances[token], allowances[token]];
    if (balance === undefined || allowance === undefined) return { ...slot, isFunded: undefined };
    const has = left.get(token) ?? (balance < allowance ? balance : allowance);
    const isFunded = has >= amountPerRun;
    left.set(token, isFunded ? has - amountPerRun : has);
    return { ...slot, isFunded };
  });
}

function slotsOf(plan: Plan, now: bigint, most: number): bigint[] {
  const first = nextSlot(plan, now);
  if (first === undefined) return [];
  const left = Math.min(plan.maxRuns - plan.runs, most);
  return Array.from({ length: left }, (_, at) => first + BigInt(at) * plan.periodSeconds).filter(
    (from) => from < plan.expiresAt,
  );
}
