import type { Loan } from '../chain/read-loan.ts';

/** A guard's trigger and target, and whether Chainlink's prices trigger it too. */
interface Triggers {
  readonly triggerWad: bigint;
  readonly targetWad: bigint;
  readonly isByChainlink: boolean;
}

/**
 * Whose prices make a rescue due now, as LoanGuard decides it; undefined if none do. Chainlink's count only while the
 * loan is below the target by Venus's, which size the rescue.
 */
export function dueBy(
  { healthWad, chainlinkHealthWad }: Pick<Loan, 'healthWad' | 'chainlinkHealthWad'>,
  { triggerWad, targetWad, isByChainlink }: Triggers,
): 'venus' | 'chainlink' | undefined {
  if (healthWad === undefined) return undefined;
  if (healthWad < triggerWad) return 'venus';
  if (!isByChainlink || chainlinkHealthWad === undefined || healthWad >= targetWad) return undefined;
  return chainlinkHealthWad < triggerWad ? 'chainlink' : undefined;
}
