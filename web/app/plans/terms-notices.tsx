import type { BarePlan as Plan } from '@bowline/core/domain/permissions';
import { otherRecipient, whyUnserved } from '../chain/served.ts';
import type { Buyer } from '../chain/serving.ts';
import { Notice } from '../parts/notice.tsx';
import { useSettings } from '../settings.tsx';
import { planWords } from '../words/en/plans.ts';
import { servedWords } from '../words/en/served.ts';

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
