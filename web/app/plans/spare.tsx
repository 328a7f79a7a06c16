import { keptForOthers } from '@bowline/core/domain/owner-plans';
import type { Address } from 'viem';
import { useIsBusyWith } from '../acts/use-acts.tsx';
import { approveStep } from '../chain/approve.ts';
import type { OwnedPlans } from '../chain/read-plans.ts';
import { useChainTime } from '../chain/use-clock.ts';
import { OfferedStep } from '../parts/offered-step.tsx';
import { useSettings } from '../settings.tsx';
import { exactOf } from '../words/amount-of.ts';
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
  const isSigning = useIsBusyWith(useSettings().contracts.planRegistry);
  if (now === undefined || isSigning) return null;
  const spare = Object.entries(owned.allowances).flatMap(([token, allowance]) => {
    const kept = keptForOthers(owned.plans, token, allowance, now);
    return kept === allowance || mustWait(owned, token, isStale) ? [] : [{ token: token as Address, allowance, kept }];
  });
  return spare.map((each) => <OneSpare key={each.token} {...each} />);
}

interface OneProps {
  readonly token: Address;
  readonly allowance: bigint;
  readonly kept: bigint;
}

function OneSpare({ token, allowance, kept }: OneProps) {
  const settings = useSettings();
  const amount = exactOf(settings, token, allowance - kept);
  const label = words.signing.takeBack(amount);
  return (
    <OfferedStep
      place={`spare-${token}`}
      step={approveStep(label, token, settings.contracts.planRegistry, kept)}
      title={planWords.spare(amount)}
      more={planWords.spareMore}
      done={words.signing.takenBack}
    />
  );
}
