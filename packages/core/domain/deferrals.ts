// Which deferrals an executor need not record, by the plan's terms, its pool's fee and its records. The agent, the
// audit, the outlook and the page all use this code, so nobody has to trust the agent about a slot without a record.

import type { BarePlan } from './permissions.ts';
import { BPS, mulDivUp, utcDay, WAD } from './units.ts';

/** Why a deferral is counted but not recorded. */
export const unrecorded = ['term_below_fee', 'trigger_not_reached', 'limit_not_reached', 'deferred_today'] as const;
export type Unrecorded = (typeof unrecorded)[number];

/** 1/10,000 is 100 millionths, the unit of pool fees. */
const MILLIONTHS_PER_BPS = 100;

/**
 * Whether a plan accepts less loss than its pool's fee alone. At a fair price it never runs, and its owner can see that
 * before signing. A plan without a price source has no slippage term.
 * @param feeMillionths undefined if it is not known: then nothing is excused.
 */
export const isTermBelowFee = (
  { priceSource, maxSlippageBps }: Pick<BarePlan, 'priceSource' | 'maxSlippageBps'>,
  feeMillionths: number | undefined,
): boolean =>
  feeMillionths !== undefined && BigInt(priceSource) !== 0n && maxSlippageBps * MILLIONTHS_PER_BPS < feeMillionths;

/** The source's price lags behind the pools, which may be cheaper: this close to a limit price they are asked. */
const LIMIT_MARGIN_BPS = 100n;

/**
 * The price that a plan still waits for. Such a run needs neither a verdict nor a record: the registry would refuse it.
 * @param priceWad the source's price, in tokenIn base units per 1e18 tokenOut base units; undefined if it gives none:
 * the verdict then says what is missing.
 */
export function waitsForPrice(
  { triggerPriceWad, limitPriceWad }: Pick<BarePlan, 'triggerPriceWad' | 'limitPriceWad'>,
  priceWad: bigint | undefined,
): 'trigger_not_reached' | 'limit_not_reached' | undefined {
  if (priceWad === undefined) return undefined;
  if (priceWad < triggerPriceWad) return 'trigger_not_reached';
  const isFar = limitPriceWad !== 0n && priceWad * (BPS - LIMIT_MARGIN_BPS) > limitPriceWad * BPS;
  return isFar ? 'limit_not_reached' : undefined;
}

/** The least that a run must deliver by its limit price, rounded up as in the registry; zero without one. */
export const limitFloor = (amountIn: bigint, limitPriceWad: bigint): bigint =>
  limitPriceWad === 0n ? 0n : mulDivUp(amountIn, WAD, limitPriceWad);

/** PlanRegistry's: it records no more deferrals in one slot. */
export const MAX_DEFERRALS_PER_SLOT = 4;

/** After this many equal deferrals in a row, one a day is enough. */
export const EQUAL_DEFERRALS = 3;

/** The fields of a plan's record that matter here. */
export interface Noted {
  /** On-chain number of the reason; 0 for a run. */
  readonly reasonCode: number;
  /** Version of the terms in force. */
  readonly version: number;
  /** Unix seconds. */
  readonly time: bigint | number;
}

/**
 * The reason for which the newest three records all deferred, under the same terms; undefined if there is none.
 * @param records oldest first. Only the newest three are looked at.
 */
export function repeatedReason(records: readonly Noted[]): number | undefined {
  const newest = records.slice(-EQUAL_DEFERRALS);
  const [first] = newest;
  if (first === undefined || first.reasonCode === 0 || newest.length < EQUAL_DEFERRALS) return undefined;
  const isEqual = ({ reasonCode, version }: Noted) => reasonCode === first.reasonCode && version === first.version;
  return newest.every(isEqual) ? first.reasonCode : undefined;
}

/**
 * Whether a deferral for this reason says nothing new: the newest three records give the same reason, the last of them
 * on the same UTC day. A run, another reason or new terms end this.
 */
export const isDeferredToday = (records: readonly Noted[], { reasonCode, version, time }: Noted): boolean => {
  const last = records.at(-1);
  return (
    last !== undefined &&
    last.version === version &&
    repeatedReason(records) === reasonCode &&
    utcDay(last.time) === utcDay(time)
  );
};
