import { repaymentAtTriggerUp, repaymentUp } from '../../words/health.ts';
import type { Loan } from '../read-loan.ts';

/** A guard's trigger and target, and whether Chainlink's prices trigger it too. */
interface Triggers {
  readonly triggerWad: bigint;
  readonly targetWad: bigint;
  readonly isByChainlink: boolean;
}

/**
 * Whose prices make a rescue due now, as LoanGuard decides it; undefined if none do. Chainlink's count only while the
 * loan is below the target by the protocol's, which size the rescue.
 */
export function dueBy(
  { healthWad, chainlinkHealthWad }: Pick<Loan, 'healthWad' | 'chainlinkHealthWad'>,
  { triggerWad, targetWad, isByChainlink }: Triggers,
): 'protocol' | 'chainlink' | undefined {
  if (healthWad === undefined) return undefined;
  if (healthWad < triggerWad) return 'protocol';
  if (!isByChainlink || chainlinkHealthWad === undefined || healthWad >= targetWad) return undefined;
  return chainlinkHealthWad < triggerWad ? 'chainlink' : undefined;
}

/**
 * Whose prices make the guard's next rescue due now, and the base units that its target needs then; undefined for a
 * rescue later, which is assumed at the trigger. Chainlink's prices can ask for a rescue while the loan is still near the
 * target by the protocol's: if that needs less than `minRepay`, the contract refuses it.
 */
export function nextRescue(
  loan: Loan,
  { minRepay, ...triggers }: Triggers & { readonly minRepay: bigint },
  priceWad: bigint,
): { readonly due: ReturnType<typeof dueBy>; readonly needed: bigint } {
  const { triggerWad, targetWad } = triggers;
  const due = dueBy(loan, triggers);
  const needed = repaymentUp({ ...loan, priceWad, targetWad });
  if (due === 'protocol' || (due === 'chainlink' && needed >= minRepay)) return { due, needed };
  const { debtUsdWad } = loan;
  return { due: undefined, needed: repaymentAtTriggerUp({ debtUsdWad, priceWad, triggerWad, targetWad }) };
}
