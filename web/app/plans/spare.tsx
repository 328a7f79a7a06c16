import { keptForOthers } from '@bowline/core/domain/owner-plans';
import type { Address } from 'viem';
import { useConnection } from 'wagmi';
import { useIsBusyWith } from '../acts/use-acts.tsx';
import { assetAt } from '../api/settings.ts';
import { approveStep } from '../chain/approve.ts';
import type { OwnedPlans } from '../chain/read-plans.ts';
import { useChainTime } from '../chain/use-clock.ts';
import { useSteps } from '../chain/use-steps.ts';
import { Notice } from '../parts/notice.tsx';
import { Signing } from '../parts/signing.tsx';
import { useSettings } from '../settings.tsx';
import { exactAmount } from '../words/amounts.ts';
import { words } from '../words/en/frame.ts';
import { partWords } from '../words/en/parts.ts';
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
  const { chainId } = useConnection();
  const { progress, isBusy: isTaking, run } = useSteps(`spare-${token}`);
  const asset = assetAt(settings, token);
  const shown = (base: bigint) =>
    asset ? `${exactAmount(base, asset.decimals)} ${asset.symbol}` : partWords.units(base);
  const label = words.signing.takeBack(shown(allowance - kept));
  return (
    <Notice kind="plain" title={planWords.spare(shown(allowance - kept))} more={planWords.spareMore}>
      <button
        type="button"
        className="button"
        disabled={isTaking || chainId !== settings.chainId}
        onClick={() => void run([approveStep(label, token, settings.contracts.planRegistry, kept)])}
      >
        {isTaking ? words.signing.signing : label}
      </button>
      <Signing progress={progress} done={words.signing.takenBack} />
    </Notice>
  );
}
