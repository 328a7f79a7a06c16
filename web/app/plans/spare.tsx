import { keptForOthers } from '@bowline/core/domain/owner-plans';
import type { Address } from 'viem';
import { useIsBusyWith } from '../acts/use-acts.tsx';
import type { OwnedPlans } from '../chain/read-plans.ts';
import { useChainTime } from '../chain/use-clock.ts';
import { SpareApproval } from '../parts/spare-approval.tsx';
import { useSettings } from '../settings.tsx';
import { words } from '../words/en/frame.ts';
import { planWords } from '../words/en/plans.ts';
import { mustWait } from './committed.ts';

interface Props {
  readonly owned: OwnedPlans;
  readonly isStale: boolean;
}

/** Approvals to plans that no plan needs any more, each with a button that takes back exactly that. */
export function Spare({ owned, isStale }: Props) {
  const now = useChainTime();
  // Between an approval and the plan that it is for, it only looks left over.
  const spender = useSettings().contracts.planRegistry;
  const isSigning = useIsBusyWith(spender);
  if (now === undefined || isSigning) return null;
  const spare = Object.entries(owned.allowances).flatMap(([token, allowance]) => {
    const kept = keptForOthers(owned.plans, token, allowance, now);
    return kept === allowance || mustWait(owned, token, isStale) ? [] : [{ token: token as Address, allowance, kept }];
  });
  const { spare: title, spareMore } = planWords;
  const says = { spare: title, spareMore, takenBack: words.signing.takenBack };
  return spare.map((each) => (
    <SpareApproval key={each.token} name={`spare-${each.token}`} {...{ spender, says }} {...each} />
  ));
}
