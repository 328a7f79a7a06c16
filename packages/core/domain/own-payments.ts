// A borrower's own payments into a loan: repaying debt, adding collateral.

import type { GuardedLoan } from './guarded-loan.ts';
import { type LoanValues, loanValues } from './loan-health.ts';
import { depositUp } from './loan-prices.ts';
import { repaymentUp, takenBy } from './rescue-size.ts';
import { type Hex, mulDivDown, mulDivUp, smallest, WAD } from './units.ts';

export type PaymentKind = 'repay' | 'supply';

/** Why a borrower cannot pay into a market from here. */
export type PaymentRefusal =
  | 'market_not_listed'
  | 'repay_paused'
  | 'supply_paused'
  | 'repaid_by_broker_only'
  | 'supplied_by_provider_only';

/** Why an amount is not paid. */
export type AmountRefusal = 'amount_over_debt' | 'amount_over_balance' | 'remaining_debt_too_small';

/** Approved in addition to a whole debt, in 1/1,000: more than an hour's interest at any rate a market has ever had. */
const INTEREST_PER_MILLE = 1n;

/** The approval for repaying a whole debt, which grows until the payment is in a block. */
export const wholeDebtUp = (debt: bigint): bigint => debt + mulDivUp(debt, INTEREST_PER_MILLE, 1_000n);

interface Debt {
  readonly debt: bigint;
  /** Balance of the payer. */
  readonly held: bigint;
  /** The smallest debt other than zero that may remain. */
  readonly minDebt: bigint;
}

/** @param isWhole whether the whole debt is repaid, however much it has grown by then. */
export function repayRefusal(
  amount: bigint,
  isWhole: boolean,
  { debt, held, minDebt }: Debt,
): AmountRefusal | undefined {
  if (isWhole) return held < debt ? 'amount_over_balance' : undefined;
  if (amount > debt) return 'amount_over_debt';
  if (amount > held) return 'amount_over_balance';
  return amount < debt && debt - amount < minDebt ? 'remaining_debt_too_small' : undefined;
}

export const supplyRefusal = (amount: bigint, held: bigint): AmountRefusal | undefined =>
  amount > held ? 'amount_over_balance' : undefined;

/** Rounds up to five digits: interest until the payment is in a block must not leave health below the target. */
export function readableUp(amount: bigint): bigint {
  const step = 10n ** BigInt(Math.max(0, String(amount).length - 5));
  return amount === 0n ? 0n : (amount / step + 1n) * step;
}

/** The repayment in one market that brings health to the target, as far as the debt and `held` allow; zero for none. */
export function repayForTarget(loan: GuardedLoan, market: Hex, held: bigint, targetHealthWad: bigint): bigint {
  const priceWad = loan.prices[market.toLowerCase()] ?? 0n;
  return takenBy(loan, market, readableUp(repaymentUp({ ...loan, priceWad, targetHealthWad })), held);
}

/** The loan's values after a repayment; the price is the protocol's, so the loan's health is too. */
export function afterRepaying(loan: GuardedLoan, market: Hex, amount: bigint): LoanValues {
  const priceWad = loan.prices[market.toLowerCase()] ?? 0n;
  const paid = mulDivDown(amount, priceWad, WAD);
  return loanValues(loan.debtUsdWad - smallest([paid, loan.debtUsdWad]), loan.weightedUsdWad);
}

interface Deposit {
  readonly supplied: bigint;
  readonly weightedWad: bigint;
}

/** The collateral to add in one market to reach the target, as far as `held` allows; zero for none or if not known. */
export const supplyForTarget = (loan: LoanValues, deposit: Deposit, held: bigint, targetHealthWad: bigint): bigint =>
  smallest([readableUp(depositUp(loan, deposit, targetHealthWad) ?? 0n), held]);

/** The loan's values with more of a collateral. Each added unit counts as much as the existing ones. */
export const afterSupplying = (loan: LoanValues, { supplied, weightedWad }: Deposit, amount: bigint): LoanValues =>
  loanValues(loan.debtUsdWad, loan.weightedUsdWad + (supplied === 0n ? 0n : mulDivDown(weightedWad, amount, supplied)));
