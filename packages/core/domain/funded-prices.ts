// At which prices of its loan's collateral a guard has enough money.

import { boundsOf, CAPS, type Coverage } from './guard-cover.ts';
import type { FundedGuard, GuardedLoan } from './guarded-loan.ts';
import { type Collateral, type Prices, pricesOf } from './loan-prices.ts';
import { UNWIND_HEALTH_WAD } from './permissions.ts';
import { sameAddress } from './same-address.ts';
import { largest, mulDivUp, smallest, WAD } from './units.ts';

/** A guard is funded down to `priceWad` (zero: any) and, where a rise endangers the loan, up to `upToWad`. */
export type Funded = { readonly priceWad: bigint; readonly upToWad?: bigint } | 'any' | undefined;

/**
 * The prices of one collateral, with all other prices unchanged, at which one rescue within the guard's caps, allowance
 * and balance still brings the loan to its target if the guard acts. Excludes prices at which a liquidation can come
 * first. `any`: every price. Undefined: no price, or something that this depends on is not known.
 */
export function fundedDownTo(guard: FundedGuard, loan: GuardedLoan, collateral: Collateral, now: bigint): Funded {
  const bounds = boundsOf(guard, loan, now);
  if (bounds === undefined || now >= guard.expiresAt) return undefined;
  if (smallest(bounds) < guard.minRepay) return undefined;
  const reached = targetReachedAt(guard, loan, collateral, bounds);
  const solvent = pricesOf(loan, collateral, WAD);
  if (reached === undefined || solvent === undefined) return undefined;
  const idle = pricesOf(loan, collateral, guard.triggerHealthWad);
  // The price at which the guard starts to act. A rescue that misses the target there misses it at every price beyond.
  const isFromFall = idle !== undefined && idle.fromWad > 0n;
  const begins = isFromFall ? idle.fromWad : idle?.toWad;
  if (begins !== undefined && !isWithin(reached, begins)) return undefined;
  const isIdleBelow = idle?.toWad !== undefined;
  const fromWad = isIdleBelow ? 0n : largest([reached.fromWad, solvent.fromWad]);
  const toWad = isFromFall ? undefined : least(reached.toWad, solvent.toWad);
  if (toWad !== undefined && toWad < fromWad) return undefined;
  if (toWad === undefined) return fromWad === 0n ? 'any' : { priceWad: fromWad };
  return { priceWad: fromWad, upToWad: toWad };
}

/** The prices at which the guard's means restore the target. Receipts repay less as the price of what is sold falls. */
function targetReachedAt(
  { sale, means, market, targetHealthWad }: FundedGuard,
  loan: GuardedLoan,
  collateral: Collateral,
  bounds: readonly bigint[],
): Prices | undefined {
  const isSold = sale !== undefined && sameAddress(sale.collateralMarket, collateral.part.market);
  const lossWad = means?.sale?.lossWad ?? 0n;
  const by = (amounts: readonly bigint[], isByPrice: boolean): Prices | undefined => {
    const amount = smallest(amounts);
    if (targetHealthWad !== UNWIND_HEALTH_WAD) {
      return pricesOf(loan, collateral, targetHealthWad, { market, amount, lossWad, isByPrice });
    }
    const debt = loan.markets.find((each) => sameAddress(each.market, market))?.debt ?? 0n;
    if (!isByPrice) return amount >= debt ? { fromWad: 0n, toWad: undefined } : undefined;
    return amount === 0n ? undefined : { fromWad: mulDivUp(collateral.part.priceWad, debt, amount), toWad: undefined };
  };
  if (!isSold) return by(bounds, false);
  const [byCaps, byReceipts] = [by(bounds.slice(0, CAPS), false), by(bounds.slice(CAPS), true)];
  if (byCaps === undefined || byReceipts === undefined) return undefined;
  return { fromWad: largest([byCaps.fromWad, byReceipts.fromWad]), toWad: least(byCaps.toWad, byReceipts.toWad) };
}

/**
 * Where the guard is funded. Undefined: it cannot rescue. `forced`: the loan can be liquidated at any price.
 * `liquidatable`: it can be at current prices. `unknown`: something that a rescue depends on is not known.
 */
export function fundedIf(
  coverage: Coverage<unknown>,
  guard: FundedGuard,
  loan: GuardedLoan,
  collateral: Collateral,
  now: bigint | undefined,
): Funded | 'unknown' | 'forced' | 'liquidatable' {
  if (coverage.state === 'unable') return coverage.why === 'unknown' ? 'unknown' : undefined;
  if (coverage.isForced === undefined || now === undefined) return 'unknown';
  if (coverage.isForced) return 'forced';
  return coverage.isLiquidatable ? 'liquidatable' : fundedDownTo(guard, loan, collateral, now);
}

const isWithin = ({ fromWad, toWad }: Prices, priceWad: bigint): boolean =>
  fromWad <= priceWad && (toWad === undefined || priceWad <= toWad);
const least = (a: bigint | undefined, b: bigint | undefined): bigint | undefined =>
  a === undefined ? b : b === undefined || a < b ? a : b;
