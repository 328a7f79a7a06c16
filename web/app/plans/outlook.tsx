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
      <Notice kind="caution" title="Whether the next run can be paid is not known">
        <p>What you hold and approve could not be read.</p>
      </Notice>
    );
  }
  if (balance < plan.amountPerRun || allowance < plan.amountPerRun) {
    const what = balance < plan.amountPerRun ? ['hold', balance] : ['approve', allowance];
    return (
      <Notice kind="caution" title="The next run cannot be paid">
        <p>
          It needs {amount(plan.amountPerRun)}; you {what[0]} {amount(what[1] as bigint)}. Until you mend it, no run
          happens and nothing else is lost.
        </p>
      </Notice>
    );
  }
  const payable = balance < allowance ? balance : allowance;
  const left = BigInt(plan.maxRuns - plan.runs);
  const paidFor = payable / plan.amountPerRun;
  return (
    <p className="faint">
      {slot <= now ? 'May run now' : `May run next from ${when(slot)}`}
      {slot <= now && `, until ${when(slot + plan.windowSeconds)}`}.{' '}
      {paidFor >= left
        ? 'What you hold and approve is enough for all runs left.'
        : `What you hold and approve is enough for ${count(paidFor, 'run')}.`}
    </p>
  );
}
