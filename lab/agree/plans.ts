import type { Plan } from '@bowline/core/domain/permissions';
import { BTCB, USDT } from '@bowline/core/test/verdict/proposals';
import { zeroAddress } from 'viem';
import type { Random } from '../bench/verdict-quality/random.ts';
import { executor, owner, source } from './places.ts';

/** An owner's plans, which all pay from one balance and one allowance. Times and amounts are small, so that edges are met. */
export interface PlanCase {
  readonly now: bigint;
  readonly plans: readonly Plan[];
}

export function randomPlans(random: Random): PlanCase {
  const whole = (low: number, high: number) => Math.floor(random.between(low, high + 1));
  const now = BigInt(whole(1_000, 2_000));
  // Equal amounts and round sums are frequent, so that funds often end exactly with a run.
  const some = () => BigInt(random.chance(0.5) ? 50 * whole(0, 20) : whole(0, 1_000));
  const [ownerBalance, ownerAllowance] = [some(), some()];
  const plans = Array.from({ length: whole(1, 4) }, (_, at): Plan => {
    const period = whole(10, 300);
    const startAt = whole(500, 2_200);
    const maxRuns = whole(1, 8);
    const runs = whole(0, maxRuns);
    // Where the last run left it; or, after an edit, anywhere.
    const cursor = random.chance(0.8) ? startAt + period * whole(0, 4) : whole(500, 2_500);
    return {
      ...{ id: BigInt(at + 1), owner, recipient: owner, executor, verdictSigner: zeroAddress, priceSource: source },
      ...{
        tokenIn: USDT.address,
        tokenOut: BTCB.address,
        amountPerRun: BigInt(random.chance(0.5) ? 50 * whole(1, 4) : whole(50, 250)),
      },
      ...{ startAt: BigInt(startAt), periodSeconds: BigInt(period), windowSeconds: BigInt(whole(1, period)) },
      ...{ maxRuns, runs, cursor: BigInt(runs === 0 && random.chance(0.5) ? 0 : cursor) },
      ...{
        expiresAt: BigInt(startAt + whole(1, 1_500)),
        limitPriceWad: 0n,
        maxSlippageBps: 100,
        farLimit: false,
        triggerPriceWad: 0n,
      },
      status: random.chance(0.8) ? 'active' : random.chance(0.5) ? 'paused' : 'cancelled',
      ...{ records: 0, deferrals: 0, lastReason: 0, version: 1, ownerBalance, ownerAllowance },
    };
  });
  return { now, plans };
}

/** A slot in which the registry would run a plan, and the first second in which it would. */
interface Open {
  readonly plan: Plan;
  readonly start: bigint;
  readonly end: bigint;
}

/** PlanRegistry's `_openSlot`, asked in every second: no sum of slots is used. */
export function opensAt(plan: Plan, time: bigint): bigint | undefined {
  if (plan.status !== 'active' || time >= plan.expiresAt || plan.runs >= plan.maxRuns || time < plan.startAt)
    return undefined;
  const start = plan.startAt + ((time - plan.startAt) / plan.periodSeconds) * plan.periodSeconds;
  return start < plan.cursor || time - start >= plan.windowSeconds ? undefined : start;
}

/** All slots from `now` on in which the registry would run the plan, if each is used as soon as it opens. */
export function slotsOf(plan: Plan, now: bigint): readonly Open[] {
  const slots: Open[] = [];
  let [runs, cursor] = [plan.runs, plan.cursor];
  for (let time = now; time < plan.expiresAt; time++) {
    const start = opensAt({ ...plan, runs, cursor }, time);
    if (start === undefined) continue;
    let end = time;
    while (opensAt({ ...plan, runs, cursor }, end) === start) end++;
    slots.push({ plan, start, end });
    [runs, cursor] = [runs + 1, start + plan.periodSeconds];
  }
  return slots;
}

/** By plan: how many runs are paid before the first that is not, if all plans use every slot; and whether there is such a one. */
export function paidRuns(
  plans: readonly Plan[],
  now: bigint,
): ReadonlyMap<bigint, { runs: number; isEnding: boolean }> {
  const all = plans.flatMap((plan) => slotsOf(plan, now));
  const inOrder = all.toSorted((a, b) => Number(a.start - b.start) || Number(a.plan.id - b.plan.id));
  const paid = new Map<bigint, { runs: number; isEnding: boolean }>();
  const [first] = plans;
  let left =
    first === undefined ? 0n : first.ownerBalance < first.ownerAllowance ? first.ownerBalance : first.ownerAllowance;
  for (const { plan } of inOrder) {
    const of = paid.get(plan.id) ?? { runs: 0, isEnding: false };
    paid.set(plan.id, of);
    if (left < plan.amountPerRun) of.isEnding = true;
    else left -= plan.amountPerRun;
    if (!of.isEnding) of.runs++;
  }
  return paid;
}
