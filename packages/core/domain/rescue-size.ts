// What a rescue repays, computed as LoanGuard does, or as CollateralGuard does if the guard pays out of a deposit.

import type { FundedGuard, GuardedLoan } from './guarded-loan.ts';
import { UNWIND_HEALTH_WAD } from './permissions.ts';
import { soldFor } from './sale-size.ts';
import { sameAddress } from './same-address.ts';
import { type Hex, mulDivDown, mulDivUp, smallest, WAD } from './units.ts';

/**
 * The amount of a rescue in base units: it lowers the debt until health is at the target. Rounded up, as in the
 * contract.
 */
export function repaymentUp(loan: {
  readonly debtUsdWad: bigint;
  readonly weightedUsdWad: bigint;
  readonly priceWad: bigint;
  readonly targetHealthWad: bigint;
}): bigint {
  const { debtUsdWad, weightedUsdWad, priceWad, targetHealthWad } = loan;
  const keeps = mulDivDown(weightedUsdWad, WAD, targetHealthWad);
  if (keeps >= debtUsdWad || priceWad === 0n) return 0n;
  return mulDivUp(debtUsdWad - keeps, WAD, priceWad);
}

/** The same with health exactly at the trigger, where collateral is worth trigger × debt. */
export const repaymentAtTriggerUp = (loan: {
  readonly debtUsdWad: bigint;
  readonly priceWad: bigint;
  readonly triggerHealthWad: bigint;
  readonly targetHealthWad: bigint;
}): bigint => repaymentUp({ ...loan, weightedUsdWad: mulDivDown(loan.debtUsdWad, loan.triggerHealthWad, WAD) });

/**
 * What a rescue takes of `most` if its target needs `amount`: at most the debt. If that would leave a debt smaller than
 * the market accepts: the whole debt if `most` allows, else what leaves the smallest debt; zero if neither is possible.
 */
export function takenBy(
  { markets, minDebts }: Pick<GuardedLoan, 'markets' | 'minDebts'>,
  market: Hex,
  amount: bigint,
  most: bigint,
): bigint {
  const debt = markets.find((each) => sameAddress(each.market, market))?.debt;
  if (debt === undefined) return smallest([amount, most]);
  const bounded = smallest([amount, most, debt]);
  const minDebt = minDebts?.[market.toLowerCase()] ?? 0n;
  if (bounded === debt || debt - bounded >= minDebt) return bounded;
  if (most >= debt) return debt;
  return debt > minDebt ? debt - minDebt : 0n;
}

/** A guard's trigger and target, and whether Chainlink's prices trigger it too. */
interface Triggers {
  readonly triggerHealthWad: bigint;
  readonly targetHealthWad: bigint;
  readonly isByChainlink: boolean;
}

/**
 * Whose prices make a rescue due now, as LoanGuard decides it; undefined if none do. Chainlink's prices count only
 * while the loan is below the target by the protocol's, which determine the rescue's size.
 */
export function dueBy(
  { healthWad, chainlinkHealthWad }: Pick<GuardedLoan, 'healthWad' | 'chainlinkHealthWad'>,
  { triggerHealthWad, targetHealthWad, isByChainlink }: Triggers,
): 'protocol' | 'chainlink' | undefined {
  if (healthWad === undefined) return undefined;
  if (healthWad < triggerHealthWad) return 'protocol';
  if (!isByChainlink || chainlinkHealthWad === undefined || healthWad >= targetHealthWad) return undefined;
  return chainlinkHealthWad < triggerHealthWad ? 'chainlink' : undefined;
}

/**
 * Whose prices make the guard's next rescue due now, and the base units that its target needs then; undefined for a
 * later rescue, which is assumed at the trigger. Chainlink's prices can trigger a rescue while the loan is still near
 * the target by the protocol's prices: if that needs less than `minRepay`, the contract refuses it.
 */
export function nextRescue(
  loan: GuardedLoan,
  guard: Triggers & Pick<FundedGuard, 'minRepay' | 'market' | 'means'>,
  priceWad: bigint,
): { readonly due: ReturnType<typeof dueBy>; readonly needed: bigint } {
  const due = dueBy(loan, guard);
  const needed = neededAt(loan.weightedUsdWad, loan, guard, priceWad);
  if (due === 'protocol' || (due === 'chainlink' && needed >= guard.minRepay)) return { due, needed };
  const atTrigger = mulDivDown(loan.debtUsdWad, guard.triggerHealthWad, WAD);
  return { due: undefined, needed: neededAt(atTrigger, loan, guard, priceWad) };
}

/** Whether any sale would lower health. The rescue happens at today's health or at the trigger, whichever is lower. */
export const wouldHarm = (
  { means, triggerHealthWad }: Pick<FundedGuard, 'means' | 'triggerHealthWad'>,
  healthWad: bigint,
) => means?.sale !== undefined && smallest([healthWad, triggerHealthWad]) <= means.sale.lossWad;

/** The repayment that restores the target if the weighted collateral has this value. */
function neededAt(
  weightedUsdWad: bigint,
  { debtUsdWad, markets }: GuardedLoan,
  { targetHealthWad, means, market }: Triggers & Pick<FundedGuard, 'market' | 'means'>,
  priceWad: bigint,
): bigint {
  const sale = means?.sale;
  if (sale === undefined) return repaymentUp({ debtUsdWad, weightedUsdWad, priceWad, targetHealthWad });
  if (targetHealthWad === UNWIND_HEALTH_WAD) {
    return markets.find((each) => sameAddress(each.market, market))?.debt ?? 0n;
  }
  return soldFor({ debtUsdWad, weightedUsdWad, priceWad, targetHealthWad, lossWad: sale.lossWad });
}
