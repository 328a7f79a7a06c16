// Decides which plans run, which are deferred, and why the others are skipped. Pure: the same facts always give the
// same decision.

import type { Asset } from '@bowline/core/domain/assets';
import { isTermBelowFee, MAX_DEFERRALS_PER_SLOT, type Unrecorded } from '@bowline/core/domain/deferrals';
import type { Hop } from '@bowline/core/domain/facts';
import type { Plan } from '@bowline/core/domain/permissions';
import { type Reason, reasonCodes } from '@bowline/core/domain/reasons';
import { type Pairing, pairingOf, pathOf, poolFeeOf } from '@bowline/core/domain/route';
import { type PlanNotServed, type PlansServed, plansServedBy, whyPlanNotServed } from '@bowline/core/domain/served';
import {
  type fundsStops,
  fundsStopsOf,
  nextSlotAfter,
  slotEnd,
  slotStartOf,
  type stateStops,
  stateStopsOf,
} from '@bowline/core/domain/slots';
import { type Address, type Hex, isWorthIt, largest, WAD, worthUsdWadDown } from '@bowline/core/domain/units';
import type { Verdict } from '@bowline/core/domain/verdict';

/** What the keeper pays gas for. Everything else is counted and skipped. */
export interface ServingPolicy {
  /** Symbols of the assets that may be paid and bought. */
  readonly tokens: readonly string[];
  /** Minimum value of one run. */
  readonly minimumRunUsdWad: bigint;
  readonly minimumPeriodSeconds: bigint;
  /** For all plans of one owner in one UTC day. */
  readonly gasPerOwnerPerDay: bigint;
  /** Serves only this owner's plans; absent: everybody's. */
  readonly owner?: Address | undefined;
}

/**
 * The serving policy from the operator's settings.
 * @param tokens the registry's tokens: each may be paid and bought.
 */
export const servingPolicyOf = (
  tokens: readonly string[],
  intervalSeconds: number,
  { maxDayWei, maxGasPriceWei }: { readonly maxDayWei: bigint; readonly maxGasPriceWei: bigint },
): ServingPolicy => ({
  tokens,
  // A smaller run may cost more gas than it could ever save its owner.
  minimumRunUsdWad: 5n * WAD,
  // With fewer rounds in a period, one late round could miss a slot.
  minimumPeriodSeconds: 4n * BigInt(intervalSeconds),
  // Runs have half of a day's gas: no single owner can use it up, even at the maximum price. It is enough for forty runs.
  gasPerOwnerPerDay: largest([maxDayWei / (5n * maxGasPriceWei), 20_000_000n]),
});

/** Approximate gas of an on-chain record. An owner's use today follows from these constants and the records alone. */
export const gasOfRecord = { executed: 450_000n, deferred: 130_000n } as const;

/**
 * Why a plan is skipped: the registry's error name where it has one. `balance_taken`, `allowance_taken`: another plan of
 * the owner took it in the same round.
 */
export type PlanSkip =
  | PlanNotServed
  | (typeof stateStops)[number]
  | (typeof fundsStops)[number]
  | 'plan_not_started'
  | 'slot_used'
  | 'slot_closed'
  | 'reverted_before'
  | 'cancelled_before'
  | 'not_served_run_value'
  | 'not_served_gas'
  | 'balance_taken'
  | 'allowance_taken'
  | 'source_silent'
  | 'reason_missing'
  | 'reason_repeated'
  | 'deferrals_used_up'
  | 'deferral_waits'
  | 'deferral_gas_day'
  | 'limit_looked_at_later'
  | Unrecorded;

export interface Skipped {
  readonly planId: bigint;
  readonly skip: PlanSkip;
}

export interface PlansSnapshot {
  /** Block time, unix seconds. */
  readonly now: bigint;
  readonly plans: readonly Plan[];
  /** The contract that this keeper operates. */
  readonly executor: Address;
  readonly assets: readonly Asset[];
  readonly policy: ServingPolicy;
  /** Price sources of this deployment. */
  readonly priceSources: readonly Address[];
  /** By plan ID: start of the slot in which no further call is paid for, because calls in it have reverted. */
  readonly revertedSlots: ReadonlyMap<bigint, bigint>;
  /** The same for calls that were cancelled because no block included them. */
  readonly cancelledSlots: ReadonlyMap<bigint, bigint>;
  /** The addresses whose verdicts this agent can sign; absent: none. */
  readonly verdictSigners?: readonly Address[];
}

/** A plan with an open, unused slot whose owner can pay for it, provided no other plan spends the funds first. */
export interface DuePlan {
  readonly plan: Plan;
  readonly slotStart: bigint;
  readonly pairing: Pairing;
}

/**
 * Plans that have run come first, so that plans that never run cannot hold them up. Then the slot that closes earliest.
 * Ties are broken by a hash of ID and time, so every plan gets its turn and a restart changes nothing.
 */
export function duePlans(snapshot: PlansSnapshot): { due: DuePlan[]; skipped: Skipped[] } {
  const due: DuePlan[] = [];
  const skipped: Skipped[] = [];
  const served = plansServedBy(snapshot);
  for (const plan of snapshot.plans) {
    const skip = whySkipped(plan, snapshot, served);
    const pairing = skip === undefined ? pairingOf(snapshot.assets, plan.tokenIn, plan.tokenOut) : undefined;
    if (skip !== undefined) skipped.push({ planId: plan.id, skip });
    else if (pairing !== undefined) due.push({ plan, pairing, slotStart: slotStartOf(plan, snapshot.now) });
  }
  return { due: due.toSorted(byUrgency(snapshot.now)), skipped };
}

function byUrgency(now: bigint): (a: DuePlan, b: DuePlan) => number {
  const compare = (a: bigint, b: bigint) => (a < b ? -1 : a > b ? 1 : 0);
  return (a, b) =>
    Number(hasRun(b.plan)) - Number(hasRun(a.plan)) ||
    compare(closesAt(a), closesAt(b)) ||
    compare(turn(a.plan, now), turn(b.plan, now));
}

const hasRun = ({ runs }: Plan): boolean => runs > 0;

const closesAt = ({ plan, slotStart }: DuePlan): bigint => slotEnd(plan, slotStart);

// Evenly distributed over 64 bits and reshuffled every second; an odd factor maps no two IDs to the same value.
const turn = ({ id }: Plan, now: bigint): bigint => BigInt.asUintN(64, id * (2n * now + 1n) * 0x9e3779b97f4a7c15n);

/**
 * Like `nextSlotStart`, for a plan that may run: deferrals are interrupted for it. Plans that have only ever been
 * deferred are left out, as are those whose terms make a deferral certain.
 */
export const nextRunStart = (snapshot: PlansSnapshot): bigint | undefined =>
  nextSlotStart({ ...snapshot, plans: snapshot.plans.filter((plan) => mayRun(plan, snapshot.assets)) });

function mayRun(plan: Plan, assets: readonly Asset[]): boolean {
  if (hasRun(plan)) return true;
  return plan.records === 0 && !isTermBelowFee(plan, poolFeeOf(assets, plan.tokenIn, plan.tokenOut));
}

/** Start of the first future slot of a plan that is served and funded now. Undefined if there is none. */
export function nextSlotStart(snapshot: PlansSnapshot): bigint | undefined {
  const { now, plans } = snapshot;
  const served = plansServedBy(snapshot);
  let next: bigint | undefined;
  for (const plan of plans) {
    const start = nextSlotAfter(plan, now);
    if (start === undefined || (next !== undefined && start >= next)) continue;
    // Everything but the slot: status, funds, terms.
    if (whySkipped(plan, { ...snapshot, now: start }, served) === undefined) next = start;
  }
  return next;
}

function whySkipped(plan: Plan, snapshot: PlansSnapshot, served: PlansServed): PlanSkip | undefined {
  const why = whyPlanNotServed(plan, served, snapshot.assets);
  if (why === 'not_ours') return why;
  return whyNotOpen(plan, snapshot) ?? whyNotAgain(plan, snapshot) ?? why ?? fundsStopsOf(plan)[0];
}

/** The registry's own checks: it would reject exactly what this rejects. */
function whyNotOpen(plan: Plan, { now }: PlansSnapshot): PlanSkip | undefined {
  const [stop] = stateStopsOf(plan, now);
  if (stop !== undefined) return stop;
  if (now < plan.startAt) return 'plan_not_started';
  const slotStart = slotStartOf(plan, now);
  if (slotStart < plan.cursor) return 'slot_used';
  if (now - slotStart >= plan.windowSeconds) return 'slot_closed';
  return undefined;
}

// A revert leaves no record, so on chain the slot still looks open.
function whyNotAgain(plan: Plan, { now, revertedSlots, cancelledSlots }: PlansSnapshot): PlanSkip | undefined {
  const slotStart = slotStartOf(plan, now);
  if (revertedSlots.get(plan.id) === slotStart) return 'reverted_before';
  return cancelledSlots.get(plan.id) === slotStart ? 'cancelled_before' : undefined;
}

/**
 * Plans worth their gas. A plan whose payment token has no price is included; the check that needs the price will miss
 * it.
 * @param usdWad USD of one whole token, by lower-case address; absent where no source gives a price.
 */
export function servedPlans(
  due: readonly DuePlan[],
  usdWad: ReadonlyMap<string, bigint>,
  { minimumRunUsdWad }: ServingPolicy,
): { served: DuePlan[]; skipped: Skipped[] } {
  const isLarge = (each: DuePlan) => isWorthIt(runUsdWadDown(each, usdWad), minimumRunUsdWad);
  const small = due.filter((each) => !isLarge(each));
  return {
    served: due.filter(isLarge),
    skipped: small.map(({ plan }) => ({ planId: plan.id, skip: 'not_served_run_value' })),
  };
}

function runUsdWadDown({ plan, pairing }: DuePlan, prices: ReadonlyMap<string, bigint>): bigint | undefined {
  const paid = pairing.side === 'buy' ? pairing.quoteAsset : pairing.asset;
  return worthUsdWadDown(plan.amountPerRun, prices.get(plan.tokenIn.toLowerCase()), paid.decimals);
}

/** The verdict on a plan's trade. */
export interface Ruling {
  readonly verdict: Verdict;
  /** Reason of the deciding check; absent for GO. */
  readonly reason?: Reason;
  /** Our own silent sources, if they are the only obstacle; absent otherwise. */
  readonly silent?: readonly string[];
  /** The plan's own slippage, which is below the pool's fee, is the only obstacle. */
  readonly isTermBelowFee?: boolean;
  /** The pools do not reach the plan's limit price, whatever the verdict is. */
  readonly isBelowLimit?: boolean;
  /** The pools that were judged; absent if there is no route, in which case the verdict is not GO. */
  readonly route?: readonly Hop[];
}

export type Intent =
  | { readonly kind: 'execute'; readonly path: Hex }
  | { readonly kind: 'defer'; readonly reasonCode: number }
  | ({ readonly kind: 'skip' } & Skipped);

/**
 * Only GO executes, through the judged pools. Any other verdict is recorded on chain, unless the registry would reject
 * a repeat or the verdict says nothing about the trade: a silent source of ours is our own fault; a slippage below the
 * pool's fee or an unreached limit price is the owner's choice. None is worth gas in every slot of every plan.
 */
export function decide({ plan, slotStart }: DuePlan, ruling: Ruling): Intent {
  const { verdict, reason, silent = [], route = [] } = ruling;
  const skip = (why: PlanSkip): Intent => ({ kind: 'skip', planId: plan.id, skip: why });
  if (ruling.isBelowLimit) return skip('limit_not_reached');
  if (verdict === 'GO') {
    return route.length > 0 ? { kind: 'execute', path: pathOf(plan.tokenIn, route) } : skip('not_served_route');
  }
  if (silent.length > 0) return skip('source_silent');
  if (ruling.isTermBelowFee) return skip('term_below_fee');
  if (reason === undefined) return skip('reason_missing');
  const reasonCode = reasonCodes[reason];
  // A new slot starts without deferrals.
  const sameSlot = slotStart === plan.cursor;
  if (sameSlot && reasonCode === plan.lastReason) return skip('reason_repeated');
  if (sameSlot && plan.deferrals >= MAX_DEFERRALS_PER_SLOT) return skip('deferrals_used_up');
  return { kind: 'defer', reasonCode };
}

/** Skips of due plans that the owner causes or that are on purpose. */
const leftOut: readonly PlanSkip[] = [
  'not_served_run_value',
  'not_served_gas',
  'balance_taken',
  'allowance_taken',
  'reason_missing',
  'reason_repeated',
  'deferrals_used_up',
  'deferral_waits',
  'deferral_gas_day',
  'term_below_fee',
  'trigger_not_reached',
  'limit_not_reached',
  'limit_looked_at_later',
  'deferred_today',
];

/** Number of due plans that a round neither ran nor deferred nor left out on purpose, by its counters. */
export function unservedOf(counts: Readonly<Record<string, number>>): number {
  const served = ['executed', 'deferred', ...leftOut.map((skip) => `skipped.${skip}`)];
  return Math.max(
    0,
    served.reduce((left, name) => left - (counts[name] ?? 0), counts.due ?? 0),
  );
}
