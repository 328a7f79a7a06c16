import { EQUAL_DEFERRALS, isTermBelowFee, repeatedReason, type Unrecorded, unrecorded } from '../domain/deferrals.ts';
import { reasonOf } from '../domain/reasons.ts';
import { slotEnd } from '../domain/slots.ts';
import { type Address, ascending, BPS, endOfDay } from '../domain/units.ts';
import { isRun, notedOf } from './figures.ts';
import type { PlanHistory, Run, Terms } from './history.ts';
import { planIrregularities } from './irregularities.ts';

// The report card of an executor, from the records of its plans.

/**
 * A run this long after its slot's start counts as late. It is the executor's interval on BNB Chain
 * (EXECUTOR_INTERVAL_SECONDS), so the executor has checked every plan by then.
 */
export const LATE_SECONDS = 900;

/** The middle of the sorted numbers, and the worst one. */
export interface Spread {
  readonly median: bigint;
  readonly worst: bigint;
}

export interface ReasonCount {
  /** As in docs/reasons.md, or "reason 12345". */
  readonly reason: string;
  readonly count: number;
}

/** Fractions are in bps, rounded against the executor. */
export interface ServiceFigures {
  /** Plans with a record: plans that never run do not affect a report card. */
  readonly plans: number;
  readonly runs: number;
  /** Runs within LATE_SECONDS of their slot's start. */
  readonly inTime: number;
  /** Later runs in slots that had been deferred before, with a reason on record. */
  readonly lateAfterDeferral: number;
  /** Later runs for which no record says why. */
  readonly late: number;
  /** Seconds from the slot's start to the run. */
  readonly delaySeconds: Spread | undefined;
  readonly deferrals: number;
  /** Deferrals whose verdict the plan's signer signed. */
  readonly attested: number;
  readonly byReason: readonly ReasonCount[];
  /** Slots that were deferred and closed without a run, counted by their last reason. */
  readonly skipped: readonly ReasonCount[];
  /**
   * Slots without a record that needed one. State does not tell whether the plan was then paused, edited or unfunded.
   */
  readonly silentSlots: number;
  /**
   * Slots without a record that needed none, by the plan's terms (`term_below_fee`; `trigger_not_reached` and
   * `limit_not_reached`, since state does not hold past prices) or its records (`deferred_today`).
   */
  readonly unrecorded: readonly ReasonCount[];
  /** How far deliveries exceeded their floor. A negative one is an irregularity. */
  readonly aboveFloor: Spread | undefined;
  /** Runs with a price source. */
  readonly withOracle: number;
  /**
   * Upper bound on how far deliveries were below the price source. State does not hold the source's price, but the
   * floor is at least that price less the plan's slippage. If a ticket or a limit set the floor, the gap was smaller.
   */
  readonly belowOracle: Spread | undefined;
  readonly irregularities: readonly { readonly plan: bigint; readonly sentence: string }[];
}

/** Fee of the pool of two tokens in millionths, from the registry of assets; undefined if it is not known. */
export type PoolFee = (tokenIn: Address, tokenOut: Address) => number | undefined;

/** @param now unix seconds by the chain's clock: which slots have closed. */
export function serviceFigures(plans: readonly PlanHistory[], now: bigint, poolFee: PoolFee): ServiceFigures {
  const runs = plans.flatMap((plan) => plan.runs.filter(isRun).map((run) => ({ run, plan })));
  const deferrals = plans.flatMap((plan) => plan.runs.filter((record) => !isRun(record)));
  const delays = runs.map(({ run }) => BigInt(run.time - run.slotStart));
  const late = runs.filter(({ run }) => run.time - run.slotStart > LATE_SECONDS);
  const lateAfterDeferral = late.filter(({ run, plan }) =>
    plan.runs.some((each) => !isRun(each) && each.slotStart === run.slotStart),
  ).length;
  const priced = runs.flatMap(({ run, plan }) => {
    const terms = plan.versions[run.version - 1];
    return terms === undefined || /^0x0+$/.test(terms.priceSource) ? [] : [belowOracleBps(run, terms)];
  });
  const gaps = plans.flatMap((plan) => unrecordedSlots(plan, now, poolFee));
  return {
    plans: plans.filter(({ runs }) => runs.length > 0).length,
    runs: runs.length,
    inTime: runs.length - late.length,
    lateAfterDeferral,
    late: late.length - lateAfterDeferral,
    delaySeconds: spread(delays),
    deferrals: deferrals.length,
    attested: deferrals.filter(({ isAttested }) => isAttested).length,
    byReason: counted(deferrals),
    skipped: counted(plans.flatMap((plan) => skippedSlots(plan, now))),
    silentSlots: slotsOf(gaps, undefined),
    unrecorded: unrecorded.map((reason) => ({ reason, count: slotsOf(gaps, reason) })).filter(({ count }) => count > 0),
    aboveFloor: spread(
      runs.flatMap(({ run }) => (run.floor === 0n ? [] : [-floorDiv((run.amountOut - run.floor) * BPS, run.floor)])),
      (bps) => -bps,
    ),
    withOracle: priced.length,
    belowOracle: spread(priced),
    irregularities: plans.flatMap((plan) => planIrregularities(plan).map((sentence) => ({ plan: plan.id, sentence }))),
  };
}

/** An upper bound of 1 − delivered ÷ the source's amount: the source's amount is at most floor ÷ (1 − slippage). */
function belowOracleBps({ amountOut, floor }: Run, { maxSlippageBps }: Terms): bigint {
  if (floor === 0n) return BPS;
  return BPS - floorDiv(amountOut * (BPS - BigInt(maxSlippageBps)), floor);
}

/** The last deferral of each slot that closed without a run. */
function skippedSlots({ runs, versions }: PlanHistory, now: bigint): Run[] {
  const last = new Map<number, Run>();
  for (const record of runs) {
    if (isRun(record)) last.delete(record.slotStart);
    else last.set(record.slotStart, record);
  }
  return [...last.values()].filter(({ slotStart, version }) => {
    const { windowSeconds, expiresAt } = versions[version - 1] ?? { windowSeconds: 0, expiresAt: slotStart };
    return now >= slotEnd({ windowSeconds: BigInt(windowSeconds), expiresAt: BigInt(expiresAt) }, BigInt(slotStart));
  });
}

/** Closed slots in a row without a record, and why they needed none. */
interface Gap {
  readonly slots: number;
  readonly why: Unrecorded | undefined;
}

/**
 * Closed slots without a record: between records of the same version and, while the plan is active, after the last
 * record. Slots before the first record are not counted, because state does not hold when a plan was created.
 */
function unrecordedSlots(plan: PlanHistory, now: bigint, poolFee: PoolFee): Gap[] {
  const { runs, versions } = plan;
  const between = runs.flatMap((run, at) => {
    const terms = versions[run.version - 1];
    const before = runs[at - 1];
    if (before === undefined || terms === undefined || before.version !== run.version) return [];
    const from = before.slotStart + terms.periodSeconds;
    const slots = Math.max(0, Math.floor((run.slotStart - before.slotStart) / terms.periodSeconds) - 1);
    return gapsAfter(plan, at - 1, { from, slots, terms }, poolFee);
  });
  const last = slotsSinceLast(plan, now);
  return last === undefined ? between : [...between, ...gapsAfter(plan, runs.length - 1, last, poolFee)];
}

interface Slots {
  /** Start of the first slot, unix seconds. */
  readonly from: number;
  readonly slots: number;
  readonly terms: Terms;
}

function slotsSinceLast({ runs, versions, state, isRevoked }: PlanHistory, now: bigint): Slots | undefined {
  const [last, terms] = [runs.at(-1), versions.at(-1)];
  if (last === undefined || terms === undefined || last.version !== versions.length) return undefined;
  if (state.status !== 1 || isRevoked || state.runs >= terms.maxRuns) return undefined;
  // Slots before the cursor cannot run any more: they passed before a resume.
  const first = Math.max(last.slotStart + terms.periodSeconds, state.cursor);
  const from = terms.startAt + Math.ceil((first - terms.startAt) / terms.periodSeconds) * terms.periodSeconds;
  // Once the plan has ended, its last slot is closed too, even if the end cut it short.
  const until = now < terms.expiresAt ? Number(now) - terms.windowSeconds + 1 : terms.expiresAt;
  return { from, slots: Math.max(0, Math.ceil((until - from) / terms.periodSeconds)), terms };
}

/**
 * Three equal deferrals excuse only slots that begin on the UTC day of the last one. On every later day the executor
 * owes a record, whatever it recorded before.
 */
function gapsAfter({ runs }: PlanHistory, at: number, { from, slots, terms }: Slots, poolFee: PoolFee): Gap[] {
  if (isTermBelowFee(terms, poolFee(terms.tokenIn, terms.tokenOut))) return [{ slots, why: 'term_below_fee' }];
  if (terms.triggerPriceWad !== 0n) return [{ slots, why: 'trigger_not_reached' }];
  if (terms.limitPriceWad !== 0n) return [{ slots, why: 'limit_not_reached' }];
  const newest = runs.slice(Math.max(0, at - EQUAL_DEFERRALS + 1), at + 1).map(notedOf);
  const last = newest.at(-1);
  if (last === undefined || repeatedReason(newest) === undefined) return [{ slots, why: undefined }];
  const ofDay = Math.ceil((Number(endOfDay(last.time)) - from) / terms.periodSeconds);
  const excused = Math.min(slots, Math.max(0, ofDay));
  return [
    { slots: excused, why: 'deferred_today' },
    { slots: slots - excused, why: undefined },
  ];
}

const slotsOf = (gaps: readonly Gap[], why: Gap['why']): number =>
  gaps.filter((gap) => gap.why === why).reduce((sum, { slots }) => sum + slots, 0);

function counted(deferrals: readonly Run[]): ReasonCount[] {
  const counts = new Map<string, number>();
  for (const { reason } of deferrals) {
    const word = reasonOf(reason) ?? `reason ${reason}`;
    counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return [...counts]
    .map(([reason, count]) => ({ reason, count }))
    .toSorted((a, b) => b.count - a.count || (a.reason < b.reason ? -1 : 1));
}

/** The worst is the largest. @param as converts each number that is returned. */
function spread(numbers: readonly bigint[], as = (number: bigint) => number): Spread | undefined {
  const sorted = numbers.toSorted(ascending);
  const [median, worst] = [sorted[Math.floor(sorted.length / 2)], sorted.at(-1)];
  return median === undefined || worst === undefined ? undefined : { median: as(median), worst: as(worst) };
}

/** Rounds down, also below zero. */
function floorDiv(a: bigint, b: bigint): bigint {
  const quotient = a / b;
  return a % b !== 0n && a < 0n !== b < 0n ? quotient - 1n : quotient;
}
