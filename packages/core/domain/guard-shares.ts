// Guards that one account pays for in one token share its balance and its allowance: none has all of it to itself.

import type { Coverage } from './guard-cover.ts';
import { type GuardKey, guardKey } from './guard-key.ts';
import { type FundedGuard, type GuardedLoan, isPaidAlike, leftOfDay, mayTake } from './guarded-loan.ts';
import { takenBy } from './rescue-size.ts';
import { smallest } from './units.ts';

/** A guard with what it could do for its loan now. */
export interface Covered {
  readonly guard: FundedGuard;
  /** Undefined if it could not be read. */
  readonly loan: GuardedLoan | undefined;
  readonly coverage: Coverage<unknown>;
}

/** What one rescue by the guard would take if no other took any, in base units; if that is not known, its maximum. */
export function wantedBy({ guard, loan, coverage }: Covered, now: bigint): bigint {
  const most = smallest([guard.capPerRescue, leftOfDay(guard, now)]);
  if (coverage.state !== 'unable') {
    return takenBy(loan ?? { markets: [] }, guard.market, coverage.needed, most);
  }
  const mayAct = coverage.why === 'unknown' && mayTake(guard, now);
  return mayAct ? most : 0n;
}

/** Adds to each guard's coverage the guards with which it shares too little money. @param now unix seconds. */
export function withShares<Each extends Covered>(all: readonly Each[], now: bigint | undefined): readonly Each[] {
  if (now === undefined) return all;
  return all.map((each) => {
    const { guard, coverage } = each;
    if (coverage.state === 'unable' || guard.means === undefined) return each;
    const others = all.filter((other) => guardKey(other.guard) !== guardKey(guard) && isPaidAlike(other.guard, guard));
    const taking = others.filter((other) => wantedBy(other, now) > 0n);
    const needed = taking.reduce((sum, other) => sum + wantedBy(other, now), wantedBy(each, now));
    const has = smallest([guard.means.balance, guard.means.allowance]);
    if (taking.length === 0 || needed <= has) return each;
    // All of them are in one contract; otherwise they would not share an allowance.
    const byNumber = taking.toSorted((a, b) => (a.guard.id < b.guard.id ? -1 : 1));
    const keys: readonly GuardKey[] = byNumber.map((other) => guardKey(other.guard));
    return { ...each, coverage: { ...coverage, shares: { has, needed, with: keys } } };
  });
}
