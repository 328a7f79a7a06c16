// Which plans are run, which are deferred, and why not the others. Pure: a question about money has the same answer
// whenever it is asked again of the same facts.

import type { Asset } from '../../domain/assets.ts';
import type { Plan } from '../../domain/permissions.ts';
import { type Reason, reasonCodes } from '../../domain/reasons.ts';
import { type Route, routeOf } from '../../domain/route.ts';
import { type Address, type Hex, mulDivUp } from '../../domain/units.ts';
import type { Verdict } from '../../domain/verdict.ts';

/** What the keeper pays gas for. Everything else is counted and left alone. */
export interface ServingPolicy {
  /** Symbols of the assets that may be paid and bought. */
  readonly tokens: readonly string[];
  /** Least value of one run. */
  readonly minimumRunUsdWad: bigint;
  readonly minimumPeriodSeconds: bigint;
  /** For all plans of one owner in one UTC day. */
  readonly gasPerOwnerPerDay: bigint;
}

/** What a record on chain has cost, about. From these and the records alone follows what an owner has used up today. */
export const gasOfRecord = { executed: 450_000n, deferred: 130_000n } as const;

/** Why a plan is left alone. Where the registry has an error for it, its name. */
type PlanSkip =
  | 'not_ours'
  | 'plan_not_active'
  | 'plan_expired'
  | 'runs_used_up'
  | 'plan_not_started'
  | 'slot_used'
  | 'slot_closed'
  | 'reverted_before'
  | 'not_served_token'
  | 'not_served_route'
  | 'not_served_price_source'
  | 'not_served_period'
  | 'not_served_run_value'
  | 'not_served_gas'
  | 'balance_too_low'
  | 'allowance_too_low'
  | 'reason_missing'
  | 'reason_repeated'
  | 'deferrals_used_up';

export interface Skipped {
  readonly planId: bigint;
  readonly skip: PlanSkip;
}

export interface PlansSnapshot {
  /** The block's own time, unix seconds. */
  readonly now: bigint;
  readonly plans: readonly Plan[];
  /** The contract that this keeper operates. */
  readonly executor: Address;
  readonly assets: readonly Asset[];
  readonly policy: ServingPolicy;
  /** Of this deployment. Another's could pass every simulation and burn the keeper's gas on chain. */
  readonly priceSources: readonly Address[];
  /** By plan, the start of the slot in which a call of it reverted last. */
  readonly revertedSlots: ReadonlyMap<bigint, bigint>;
}

/** A plan with a slot that is open and unused, whose owner can pay for it. */
export interface DuePlan {
  readonly plan: Plan;
  readonly slotStart: bigint;
  readonly route: Route;
}

export function duePlans(snapshot: PlansSnapshot): { due: DuePlan[]; skipped: Skipped[] } {
  const due: DuePlan[] = [];
  const skipped: Skipped[] = [];
  for (const plan of snapshot.plans) {
    const route = routeOf(snapshot.assets, plan.tokenIn, plan.tokenOut);
    const skip =
      whyNotOpen(plan, snapshot) ??
      whyNotAgain(plan, snapshot) ??
      whyNotServed(plan, route, snapshot) ??
      whyNotPayable(plan);
    if (skip !== undefined) skipped.push({ planId: plan.id, skip });
    else if (route !== undefined) due.push({ plan, route, slotStart: slotStartOf(plan, snapshot.now) });
  }
  return { due, skipped };
}

/** The registry's own questions, in its order: it would refuse what is refused here, and nothing else. */
function whyNotOpen(plan: Plan, { now, executor }: PlansSnapshot): PlanSkip | undefined {
  if (plan.executor.toLowerCase() !== executor.toLowerCase()) return 'not_ours';
  if (plan.status !== 'active') return 'plan_not_active';
  if (now >= plan.expiresAt) return 'plan_expired';
  if (plan.runs >= plan.maxRuns) return 'runs_used_up';
  if (now < plan.startAt) return 'plan_not_started';
  const slotStart = slotStartOf(plan, now);
  if (slotStart < plan.cursor) return 'slot_used';
  if (now - slotStart >= plan.windowSeconds) return 'slot_closed';
  return undefined;
}

const slotStartOf = (plan: Plan, now: bigint): bigint => now - ((now - plan.startAt) % plan.periodSeconds);

// A revert leaves no record, so that the gas of a day does not know of it.
const whyNotAgain = (plan: Plan, { now, revertedSlots }: PlansSnapshot): PlanSkip | undefined =>
  revertedSlots.get(plan.id) === slotStartOf(plan, now) ? 'reverted_before' : undefined;

const noPriceSource = '0x0000000000000000000000000000000000000000';

function whyNotServed(plan: Plan, route: Route | undefined, snapshot: PlansSnapshot): PlanSkip | undefined {
  const { assets, policy, priceSources } = snapshot;
  const served = assets.filter(({ symbol }) => policy.tokens.includes(symbol));
  const isServed = (token: Address) => served.some(({ address }) => address.toLowerCase() === token.toLowerCase());
  if (!isServed(plan.tokenIn) || !isServed(plan.tokenOut)) return 'not_served_token';
  if (route === undefined) return 'not_served_route';
  const isOwn = [noPriceSource, ...priceSources].some((own) => own.toLowerCase() === plan.priceSource.toLowerCase());
  if (!isOwn) return 'not_served_price_source';
  if (plan.periodSeconds < policy.minimumPeriodSeconds) return 'not_served_period';
  return undefined;
}

function whyNotPayable(plan: Plan): PlanSkip | undefined {
  if (plan.ownerBalance < plan.amountPerRun) return 'balance_too_low';
  if (plan.ownerAllowance < plan.amountPerRun) return 'allowance_too_low';
  return undefined;
}

export interface Worth {
  /** USD of one whole token, by lower-case address; absent where no source gives a price. */
  readonly usdWad: ReadonlyMap<string, bigint>;
  /** Gas that today's records have cost, by lower-case owner. */
  readonly gasToday: ReadonlyMap<string, bigint>;
}

/** A due plan with what its run is worth; absent where the paid token has no price, which the checks then find. */
export interface ServedPlan extends DuePlan {
  readonly runUsdWad?: bigint;
}

/** Those that are worth their gas. Every plan that passes has the gas of a run set aside, so that one tick keeps to it. */
export function servedPlans(
  due: readonly DuePlan[],
  { usdWad, gasToday }: Worth,
  policy: ServingPolicy,
): { served: ServedPlan[]; skipped: Skipped[] } {
  const served: ServedPlan[] = [];
  const skipped: Skipped[] = [];
  const gas = new Map(gasToday);
  for (const each of due) {
    const { plan, route } = each;
    const runUsdWad = runUsdWadUp(plan, route, usdWad);
    const owner = plan.owner.toLowerCase();
    const gasAfter = (gas.get(owner) ?? 0n) + gasOfRecord.executed;
    if (runUsdWad !== undefined && runUsdWad < policy.minimumRunUsdWad) {
      skipped.push({ planId: plan.id, skip: 'not_served_run_value' });
    } else if (gasAfter > policy.gasPerOwnerPerDay) {
      skipped.push({ planId: plan.id, skip: 'not_served_gas' });
    } else {
      gas.set(owner, gasAfter);
      served.push(runUsdWad === undefined ? each : { ...each, runUsdWad });
    }
  }
  return { served, skipped };
}

// Up, so that no smaller trade is judged than is made.
function runUsdWadUp(plan: Plan, route: Route, prices: ReadonlyMap<string, bigint>): bigint | undefined {
  const paid = route.side === 'buy' ? route.quoteAsset : route.asset;
  const usdWad = prices.get(plan.tokenIn.toLowerCase());
  return usdWad === undefined ? undefined : mulDivUp(plan.amountPerRun, usdWad, 10n ** BigInt(paid.decimals));
}

/** What the guard said of a plan's trade. */
export interface Ruling {
  readonly verdict: Verdict;
  /** Of the check that decided; absent for GO. */
  readonly reason?: Reason;
}

export type Intent =
  | { readonly kind: 'execute'; readonly path: Hex }
  | { readonly kind: 'defer'; readonly reasonCode: number }
  | ({ readonly kind: 'skip' } & Skipped);

/** Only GO executes. Anything else is put on record, unless the registry would refuse to hear it again. */
export function decide({ plan, slotStart, route }: DuePlan, { verdict, reason }: Ruling): Intent {
  if (verdict === 'GO') return { kind: 'execute', path: route.path };
  const skip = (why: PlanSkip): Intent => ({ kind: 'skip', planId: plan.id, skip: why });
  if (reason === undefined) return skip('reason_missing');
  const reasonCode = reasonCodes[reason];
  // A new slot starts with a clean sheet.
  const sameSlot = slotStart === plan.cursor;
  if (sameSlot && reasonCode === plan.lastReason) return skip('reason_repeated');
  if (sameSlot && plan.deferrals >= mostDeferralsPerSlot) return skip('deferrals_used_up');
  return { kind: 'defer', reasonCode };
}

/** As in PlanRegistry. */
const mostDeferralsPerSlot = 4;
