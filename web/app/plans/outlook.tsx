import type { Funded } from '@bowline/core/domain/funded-runs';
import type { BarePlan as Plan } from '@bowline/core/domain/permissions';
import { nextSlot, slotEnd } from '@bowline/core/domain/slots';
import type { OwnedPlans } from '../chain/read-plans.ts';
import { noBuyWords, otherRecipient, whyUnserved } from '../chain/served.ts';
import { type Buyer, isNotKnown } from '../chain/serving.ts';
import { Notice } from '../parts/notice.tsx';
import { useSettings } from '../settings.tsx';
import { planWords } from '../words/en/plans.ts';
import { servedWords } from '../words/en/served.ts';
import { when } from '../words/times.ts';
import { MendApproval } from './mend-approval.tsx';

interface Props {
  readonly plan: Plan;
  readonly owned: OwnedPlans;
  /** What all plans together leave paid for; undefined if balance or approval could not be read. */
  readonly funded: Funded | undefined;
  readonly buyer: Buyer;
  readonly now: bigint;
  readonly amount: (base: bigint) => string;
  /** Whether the newest reading failed or is old. */
  readonly isStale: boolean;
}

/** When an active plan can run next, whether anybody runs it, and whether its owner's balance and allowance suffice. */
export function Outlook(props: Props) {
  const { plan, buyer, now } = props;
  const settings = useSettings();
  const slot = nextSlot(plan, now);
  if (slot === undefined || whyUnserved(plan, settings, buyer) !== undefined) return null;
  return (
    <>
      {typeof buyer === 'string' && (
        <Notice
          kind="caution"
          title={isNotKnown(buyer) ? planWords.unseen : planWords.unserved}
          more={noBuyWords(buyer)}
        />
      )}
      <Funds {...props} slot={slot} />
    </>
  );
}

function Funds({ plan, owned, funded, now, amount, slot, isStale }: Props & { readonly slot: bigint }) {
  const token = plan.tokenIn.toLowerCase();
  const balance = owned.balances[token];
  const allowance = owned.allowances[token];
  if (balance === undefined || allowance === undefined || funded === undefined) {
    return <Notice kind="caution" title={planWords.fundsUnknown} more={planWords.fundsUnread} />;
  }
  if (balance < plan.amountPerRun || allowance < plan.amountPerRun) {
    const needed = amount(plan.amountPerRun);
    return (
      <Notice kind="caution" title={planWords.cannotBePaid}>
        <p>
          {balance < plan.amountPerRun && planWords.needsHolds(needed, amount(balance))}{' '}
          {allowance < plan.amountPerRun && planWords.needsApproved(needed, amount(allowance))} {planWords.loseNothing}
        </p>
        {allowance < plan.amountPerRun && <MendApproval {...{ plan, owned, now, isStale }} />}
      </Notice>
    );
  }
  if (funded.runs === 0) {
    const needed = amount(plan.amountPerRun);
    return (
      <Notice kind="caution" title={planWords.cannotAfterOthers}>
        <p>
          {balance < allowance
            ? planWords.othersTakeHeld(needed, amount(balance))
            : planWords.othersTakeApproved(needed, amount(allowance))}
        </p>
        {balance >= allowance && <MendApproval {...{ plan, owned, now, isStale }} />}
      </Notice>
    );
  }
  return (
    <p className="faint">
      {slot <= now ? planWords.dueNow(when(slotEnd(plan, slot))) : planWords.nextBuy(when(slot))} {fundedWords(funded)}
    </p>
  );
}

const fundedWords = ({ runs, state }: Funded): string => {
  if (state === 'all') return planWords.fundedAll;
  return state === 'more' ? planWords.fundedForAtLeast(runs) : planWords.fundedFor(runs);
};

/**
 * Terms of a plan that its owner may not expect: it buys for somebody else, or no known agent runs it. A pause
 * does not change them, so they are also shown before a plan is resumed.
 */
export function TermsNotices({ plan, buyer }: { readonly plan: Plan; readonly buyer: Buyer }) {
  const why = whyUnserved(plan, useSettings(), buyer);
  const recipient = otherRecipient(plan);
  return (
    <>
      {recipient && <Notice kind="caution" title={planWords.otherRecipient} more={servedWords.recipient(recipient)} />}
      {why && <Notice kind="caution" title={planWords.unserved} more={servedWords.unserved[why]} />}
    </>
  );
}
