import type { Funded } from '@bowline/core/domain/funded-runs';
import type { BarePlan as Plan } from '@bowline/core/domain/permissions';
import { nextSlot, slotEnd } from '@bowline/core/domain/slots';
import { approveStep } from '../chain/approve.ts';
import type { OwnedPlans } from '../chain/read-plans.ts';
import { type Buyer, isNotKnown, noBuyWords, otherRecipient, whyUnserved } from '../chain/serving.ts';
import { useSteps } from '../chain/use-steps.ts';
import { Notice } from '../parts/notice.tsx';
import { Signing } from '../parts/signing.tsx';
import { useSettings } from '../settings.tsx';
import { useIsBusyWith } from '../transactions/use-transactions.tsx';
import { exactOf } from '../words/amount-of.ts';
import { partWords } from '../words/en/parts.ts';
import { planWords } from '../words/en/plans.ts';
import { servedWords } from '../words/en/served.ts';
import { when } from '../words/times.ts';
import { mendingApproval, mustWait } from './funds.ts';

interface Props {
  readonly plan: Plan;
  readonly owned: OwnedPlans;
  /** The runs that are paid for, given all plans; undefined if balance or approval could not be read. */
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

interface MendProps {
  readonly plan: Plan;
  readonly owned: OwnedPlans;
  readonly now: bigint;
  readonly isStale: boolean;
}

/** Approves what this plan's buys lack, in its own card: all active plans paying with the token share one approval. */
function MendApproval({ plan, owned, now, isStale }: MendProps) {
  const settings = useSettings();
  const { progress, isOff, run } = useSteps(`approve-plan-${plan.id}`);
  // Another approval in flight would replace this one, or the reverse.
  const isSigning = useIsBusyWith(settings.contracts.planRegistry);
  const { tokenIn } = plan;
  const allowance = owned.allowances[tokenIn.toLowerCase()];
  if (allowance === undefined) return null;
  const isUnsure = mustWait(owned, tokenIn, isStale);
  const needed = mendingApproval(owned.plans, tokenIn, allowance, now);
  const isShared = needed > plan.amountPerRun * BigInt(plan.maxRuns - plan.runs);
  const label = (isShared ? planWords.approveForAll : partWords.approveStep)(exactOf(settings, tokenIn, needed));
  return (
    <>
      <button
        type="button"
        className="button"
        disabled={isOff || isSigning || isUnsure}
        onClick={() => void run([approveStep(label, tokenIn, settings.contracts.planRegistry, needed)])}
      >
        {label}
      </button>
      {isUnsure && <p className="faint">{planWords.mustWait}</p>}
      {progress.state !== 'done' && <Signing progress={progress} done="" />}
    </>
  );
}
