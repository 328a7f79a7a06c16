import { decodeErrorResult } from 'viem';
import { loanGuardAbi } from '../../../abis/index.ts';
import type { RescueRecord } from '../../../agent/test/sim/contracts.ts';
import type { Crash } from './crash.ts';
import { type GuardedLoan, isLiquidatable, judge, type Prices } from './loans.ts';

/** Why the liquidation behind the protocol's price update finds a loan. */
export const causes = {
  noFeed: 'the guard watches the protocol’s price alone',
  sameBlock: 'the feed moved in the block of the update',
  oneBlock: 'the feed moved one block earlier: a rescue comes behind the liquidation, in the same block',
  funds: 'the funder’s balance is below the guard’s minimum',
  cap: 'the guard’s cap is below its minimum',
  small: 'the repayment that the target needs is below the guard’s minimum',
  trigger: 'by the feed, health is not below the trigger',
  partial: 'cap or funds allow too little',
  target: 'the target is too low for this fall',
  atTarget: 'health is at the target before the fall, which the target is too low for',
  late: 'the rescue came too late',
} as const;
type Cause = keyof typeof causes;

export interface Outcome {
  readonly namesFeed: boolean;
  readonly lead: number;
  readonly fallBps: number;
  /** Absent: the loan was saved. */
  readonly lostBy?: Cause;
}

const refusals: Readonly<Record<string, Cause>> = {
  BalanceTooLow: 'funds',
  DayCapUsedUp: 'cap',
  RepayBelowMinimum: 'small',
  HealthAtTarget: 'atTarget',
  HealthNotBelowTrigger: 'trigger',
};

/**
 * What becomes of a loan; undefined if the fall does not make it liquidatable.
 * @param records rescues before the block of the protocol's new price.
 * @param pricesAfter the prices after a block.
 */
export function outcomeOf(
  { feedBlock, lead, fallBps }: Pick<Crash, 'feedBlock' | 'lead' | 'fallBps'>,
  loan: GuardedLoan,
  records: readonly RescueRecord[],
  pricesAfter: (block: number) => Prices,
): Outcome | undefined {
  const { namesFeed } = loan;
  const isLost = (made: readonly RescueRecord[]) => isLiquidatable(loan, made, pricesAfter(feedBlock + lead));
  return isLost([]) ? { namesFeed, lead, fallBps, ...(isLost(records) && { lostBy: why() }) } : undefined;

  function why(): Cause {
    if (!namesFeed) return 'noFeed';
    if (lead === 0) return 'sameBlock';
    if (lead === 1) return 'oneBlock';
    // What the first rescue that the contract allows would have done.
    const possible = judge(loan, [], pricesAfter(feedBlock), 0n);
    if ('refusal' in possible) {
      const { errorName } = decodeErrorResult({ abi: loanGuardAbi, data: possible.refusal });
      const cause = refusals[errorName];
      if (cause === undefined) throw new Error(`LoanGuard refuses by ${errorName}`);
      return cause;
    }
    if (!isLost([{ ...possible, time: 0n, hash: '0x' }])) return 'late';
    return possible.repaid < possible.needed ? 'partial' : 'target';
  }
}
