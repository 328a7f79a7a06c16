import { nextSlot } from '../chain/next-slot.ts';
import type { OwnedPlans, Plan } from '../chain/read-plans.ts';
import { Notice } from '../parts/notice.tsx';
import { count, when } from '../words/times.ts';
import type { Funded } from './upcoming.ts';

interface Props {
  readonly plan: Plan;
  readonly owned: OwnedPlans;
  /** What all plans together leave paid for; undefined if balance or approval could not be read. */
  readonly funded: Funded | undefined;
  readonly now: bigint;
  readonly amount: (base: bigint) => string;
}

/** When the plan can run next, and whether its owner's balance and allowance suffice. */
export function Outlook({ plan, owned, funded, now, amount }: Props) {
  const slot = nextSlot(plan, now);
  if (slot === undefined) return null;
  const token = plan.tokenIn.toLowerCase();
  const balance = owned.balances[token];
  const allowance = owned.allowances[token];
  if (balance === undefined || allowance === undefined || funded === undefined) {
    return (
      <Notice kind="caution" title="Unknown whether the next buy can be paid">
        <p>Your balance and approval could not be read.</p>
      </Notice>
    );
  }
  if (balance < plan.amountPerRun || allowance < plan.amountPerRun) {
    const what = balance < plan.amountPerRun ? ['hold', balance] : ['approved', allowance];
    return (
      <Notice kind="caution" title="The next buy cannot be paid">
        <p>
          It needs {amount(plan.amountPerRun)}; you {what[0]} {amount(what[1] as bigint)}.{' '}
          {what[0] === 'hold' ? 'Top up to resume.' : 'Edit the plan to approve what it needs.'} You won’t lose
          anything.
        </p>
      </Notice>
    );
  }
  if (funded.runs === 0) {
    const what = balance < allowance ? 'hold' : 'have approved';
    return (
      <Notice kind="caution" title="The next buy cannot be paid after your other plans’ buys">
        <p>
          It needs {amount(plan.amountPerRun)}. You {what} {amount(balance < allowance ? balance : allowance)}, and
          plans that buy before it take too much of that.
        </p>
      </Notice>
    );
  }
  return (
    <p className="faint">
      {slot <= now ? 'A buy is due now' : `Next buy ${when(slot)}`}
      {slot <= now && `, until ${when(slot + plan.windowSeconds)}`}. {fundedWords(funded)}
    </p>
  );
}

const fundedWords = ({ runs, state }: Funded): string => {
  if (state === 'all') return 'Funded for all remaining buys.';
  return `Funded for ${state === 'more' ? 'at least ' : ''}${count(runs, 'more buy')}.`;
};
