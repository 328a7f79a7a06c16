// Health of a loan, as LoanGuard computes it.

import type { Guard } from './permissions.ts';
import { mulDivDown, WAD } from './units.ts';

/** Weighted collateral divided by debt, with 18 decimals, rounded down; undefined without debt. Below 1 it can be liquidated. */
export const healthWadOf = (weightedUsdWad: bigint, debtUsdWad: bigint): bigint | undefined =>
  debtUsdWad === 0n ? undefined : mulDivDown(weightedUsdWad, WAD, debtUsdWad);

/** Values in US dollars with 18 decimals. */
export interface LoanValues {
  readonly debtUsdWad: bigint;
  /** Collateral by liquidation threshold. */
  readonly weightedUsdWad: bigint;
  /** Undefined without debt. */
  readonly healthWad: bigint | undefined;
}

export const loanValues = (debtUsdWad: bigint, weightedUsdWad: bigint): LoanValues => ({
  ...{ debtUsdWad, weightedUsdWad },
  healthWad: healthWadOf(weightedUsdWad, debtUsdWad),
});

/** A position as a guard's adapter reads it, in the protocol's unit; also its collateral by the guard's source. */
export interface Values {
  readonly debtValue: bigint;
  readonly weightedCollateralValue: bigint;
  readonly weightedBySource?: bigint | undefined;
}

type Watched = Pick<Guard, 'triggerHealthWad' | 'targetHealthWad'>;

/** Whether LoanGuard also asks the guard's price source: only between trigger and target, where its answer decides. */
export const isSourceAsked = (health: bigint | 'no_debt', { triggerHealthWad, targetHealthWad }: Watched): boolean =>
  typeof health === 'bigint' && health >= triggerHealthWad && health < targetHealthWad;

/** The health that decides whether a guard is due: the lower one if a source is asked. */
export function watchedHealth(values: Values, guard: Watched): bigint | 'no_debt' {
  const { debtValue, weightedCollateralValue, weightedBySource } = values;
  const health = healthWadOf(weightedCollateralValue, debtValue) ?? 'no_debt';
  if (weightedBySource === undefined || typeof health === 'string' || !isSourceAsked(health, guard)) return health;
  const bySource = healthWadOf(weightedBySource, debtValue) ?? health;
  return bySource < health ? bySource : health;
}

/**
 * Weighted collateral divided by debt, with 18 decimals; or why there is no number. `unread`: the node answered for
 * other loans but not for this one.
 */
export type Health = bigint | 'no_debt' | 'unreadable' | 'unread';
