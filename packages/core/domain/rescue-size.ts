// What a rescue repays, as LoanGuard computes it; as CollateralGuard does where the guard pays out of a deposit.

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

/** The same with health exactly at the trigger: collateral is then worth trigger × debt. */
export const repaymentAtTriggerUp = (loan: {
  readonly debtUsdWad: bigint;
  readonly priceWad: bigint;
  readonly triggerHealthWad: bigint;
  readonly targetHealthWad: bigint;
}): bigint => repaymentUp({ ...loan, weightedUsdWad: mulDivDown(loan.debtUsdWad, loan.triggerHealthWad, WAD) });

/**
 * What a rescue takes of `most`, where its target asks for `amount`: no more than the debt, and such that it leaves none or what
 * the market accepts. The whole debt if `most` allows, otherwise what leaves the smallest; zero if neither is possible.
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
 * Whose prices make a rescue due now, as LoanGuard decides it; undefined if none do. Chainlink's count only while the
 * loan is below the target by the protocol's, which size the rescue.
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
 * rescue later, which is assumed at the trigger. Chainlink's prices can ask for a rescue while the loan is still near the
 * target by the protocol's: if that needs less than `minRepay`, the contract refuses it.
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

/** Whether selling would lower health, whatever it sells: the rescue comes at today's health or at the trigger. */
export const wouldHarm = (
  { means, triggerHealthWad }: Pick<FundedGuard, 'means' | 'triggerHealthWad'>,
  healthWad: bigint,
) => means?.sale !== undefined && smallest([healthWad, triggerHealthWad]) <= means.sale.lossWad;

/** What restores the target when the collateral is worth so much. */
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
