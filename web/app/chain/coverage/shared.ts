import type { Guard } from '../read-guards.ts';
import type { Loan } from '../read-loan.ts';
import { type Coverage, leftOfDay } from './coverage.ts';
import { isPaidAlike, mayTake } from './may-take.ts';

// Guards that one account pays for in one token have its balance and its approval together, once and not each.

interface Known {
  readonly guard: Guard;
  /** Undefined if it could not be read. */
  readonly loan: Loan | undefined;
  readonly coverage: Coverage;
}

/** What one rescue by the guard would take if nothing else did, in base units; the most it may where that is not known. */
export function wantedBy({ guard, loan, coverage }: Known, now: bigint): bigint {
  const bounds = [guard.capPerRescue, leftOfDay(guard, now)];
  if (coverage.state !== 'unable') {
    const debt = loan?.markets.find(({ market }) => same(market, guard.market))?.debt;
    return least([...bounds, coverage.needed, ...(debt === undefined ? [] : [debt])]);
  }
  const mayAct = coverage.why === 'unknown' && mayTake(guard, now);
  return mayAct ? least(bounds) : 0n;
}

/** Each guard's coverage, which names the guards that it shares too little with. @param now unix seconds. */
export function withShares<Each extends Known>(all: readonly Each[], now: bigint | undefined): readonly Each[] {
  if (now === undefined) return all;
  return all.map((each) => {
    const { guard, coverage } = each;
    if (coverage.state === 'unable' || guard.means === undefined) return each;
    const others = all.filter((other) => other.guard.id !== guard.id && isPaidAlike(other.guard, guard));
    const taking = others.filter((other) => wantedBy(other, now) > 0n);
    const needed = taking.reduce((sum, other) => sum + wantedBy(other, now), wantedBy(each, now));
    const has = least([guard.means.balance, guard.means.allowance]);
    if (taking.length === 0 || needed <= has) return each;
    const ids = taking.map((other) => other.guard.id).toSorted((a, b) => (a < b ? -1 : 1));
    return { ...each, coverage: { ...coverage, shares: { has, needed, with: ids } } };
  });
}

const same = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();
const least = (amounts: readonly bigint[]): bigint => amounts.reduce((a, b) => (a < b ? a : b));
