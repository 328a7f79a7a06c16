import { nextSlot } from '../chain/next-slot.ts';
import type { OwnedPlans, Plan } from '../chain/read-plans.ts';
import { Notice } from '../parts/notice.tsx';
import { count, when } from '../words/times.ts';

interface Props {
  readonly plan: Plan;
  readonly owned: OwnedPlans;
  readonly now: bigint;
  readonly amount: (base: bigint) => string;
}

/** When the plan can run next, and whether its owner's balance and allowance suffice. */
export function Outlook({ plan, owned, now, amount }: Props) {
  const slot = nextSlot(plan, now);
  if (slot === undefined) return null;
  const token = plan.tokenIn.toLowerCase();
  const balance = owned.balances[token];
  const allowance = owned.allowances[token];
  if (balance === undefined || allowance === undefined) {
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
  const payable = balance < allowance ? balance : allowance;
  const left = BigInt(plan.maxRuns - plan.runs);
  const paidFor = payable / plan.amountPerRun;
  return (
    <p className="faint">
      {slot <= now ? 'Buys now' : `Next buy ${when(slot)}`}
      {slot <= now && `, until ${when(slot + plan.windowSeconds)}`}.{' '}
      {paidFor >= left ? 'Funded for all buys left.' : `Funded for ${count(paidFor, 'more buy')}.`}
    </p>
  );
}
