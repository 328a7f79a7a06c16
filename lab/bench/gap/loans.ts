import { mulDivDown, WAD } from '@bowline/core/domain/units';
import { encodeErrorResult, type Hex } from 'viem';
import { loanGuardAbi } from '../../../abis/index.ts';
import { borrower } from '../../../agent/test/sim/addresses.ts';
import type { JudgedRescue, RescueRecord } from '../../../agent/test/sim/contracts.ts';

// LoanGuard and Venus as one loan sees them: one collateral, and a debt in a token of one dollar. The sums are the
// contracts' own (LoanGuard.sol, Repayment.sol, VenusMarket.sol); test/bench/gap.test.ts compares them with the real ones.

/** A loan and its guard's terms; amounts and values with 18 decimals. */
export interface GuardedLoan {
  readonly id: bigint;
  /** Whether the guard watches the standard feed beside the protocol's price. */
  readonly namesFeed: boolean;
  /** Whether only the keeper may rescue. */
  readonly isKeepers: boolean;
  readonly debt: bigint;
  /** By liquidation threshold, at the prices of before. */
  readonly weightedCollateral: bigint;
  readonly triggerHealthWad: bigint;
  readonly targetHealthWad: bigint;
  /** A day's, too. */
  readonly capPerRescue: bigint;
  /** The lower of the funder's balance and allowance. */
  readonly funds: bigint;
}

/** The collateral's prices as parts of those of before. */
export interface Prices {
  readonly protocolWad: bigint;
  readonly feedWad: bigint;
}

/** Ten dollars, as the page has it. */
export const minRepay = 10n * WAD;
export const cooldownSeconds = 3_600n;

const sumOf = (records: readonly RescueRecord[]): bigint => records.reduce((sum, { repaid }) => sum + repaid, 0n);

export function valuesOf(loan: GuardedLoan, records: readonly RescueRecord[], prices: Prices) {
  return {
    debtValue: loan.debt - sumOf(records),
    weightedCollateralValue: mulDivDown(loan.weightedCollateral, prices.protocolWad, WAD),
    ...(loan.namesFeed && { weightedBySource: mulDivDown(loan.weightedCollateral, prices.feedWad, WAD) }),
  };
}

/** Whether the protocol lets anyone liquidate it. */
export function isLiquidatable(loan: GuardedLoan, records: readonly RescueRecord[], prices: Prices): boolean {
  const { debtValue, weightedCollateralValue } = valuesOf(loan, records, prices);
  return weightedCollateralValue < debtValue;
}

/** `needed`: what the target needs. */
type Judged = Extract<JudgedRescue, { readonly refusal: Hex }> | (RescueOf & { readonly needed: bigint });
type RescueOf = Extract<JudgedRescue, { readonly repaid: bigint }>;

/** As LoanGuard decides it. */
export function judge(loan: GuardedLoan, records: readonly RescueRecord[], prices: Prices, now: bigint): Judged {
  const { debtValue, weightedCollateralValue, weightedBySource } = valuesOf(loan, records, prices);
  const { triggerHealthWad, targetHealthWad } = loan;
  const last = records.at(-1);
  const until = (last?.time ?? 0n) + cooldownSeconds;
  const isCooling = last !== undefined && now < until;
  if (isCooling && last.isBySource !== true) return refused('CoolingDown', [until, now]);
  if (debtValue === 0n) return { refusal: errorOf({ errorName: 'NoDebt', args: [borrower] }) };
  const health = mulDivDown(weightedCollateralValue, WAD, debtValue);
  const isBySource = health >= triggerHealthWad;
  if (isBySource) {
    if (weightedBySource === undefined) return refused('HealthNotBelowTrigger', [health, triggerHealthWad]);
    if (isCooling) return refused('CoolingDown', [until, now]);
    const bySource = mulDivDown(weightedBySource, WAD, debtValue);
    if (bySource >= triggerHealthWad) return refused('HealthNotBelowTrigger', [bySource, triggerHealthWad]);
    if (health >= targetHealthWad) return refused('HealthAtTarget', [health, targetHealthWad]);
  }
  const needed = debtValue - mulDivDown(weightedCollateralValue, WAD, targetHealthWad);
  const taken = sumOf(records);
  const [leftToday, funds] = [loan.capPerRescue - taken, loan.funds - taken];
  if (leftToday < minRepay) return refused('DayCapUsedUp', [leftToday, minRepay]);
  if (funds < minRepay) return refused('BalanceTooLow', [funds, minRepay]);
  const repaid = [loan.capPerRescue, leftToday, funds, debtValue].reduce((a, b) => (b < a ? b : a), needed);
  if (repaid < minRepay) return refused('RepayBelowMinimum', [repaid, minRepay]);
  return { repaid, needed, ...(isBySource && { isBySource }) };
}

type Comparison =
  | 'CoolingDown'
  | 'HealthNotBelowTrigger'
  | 'HealthAtTarget'
  | 'DayCapUsedUp'
  | 'BalanceTooLow'
  | 'RepayBelowMinimum';

const refused = (errorName: Comparison, args: readonly [bigint, bigint]): { readonly refusal: Hex } => ({
  refusal: errorOf({ errorName, args }),
});

const errorOf = (
  error:
    | { readonly errorName: Comparison; readonly args: readonly [bigint, bigint] }
    | { readonly errorName: 'NoDebt'; readonly args: readonly [Hex] },
): Hex => encodeErrorResult({ abi: loanGuardAbi, ...error } as Parameters<typeof encodeErrorResult>[0]);
