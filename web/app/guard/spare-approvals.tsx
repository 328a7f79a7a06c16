import { useConnection } from 'wagmi';
import { useIsBusyWith } from '../acts/use-acts.tsx';
import { assetAt } from '../api/settings.ts';
import { approveStep } from '../chain/approve.ts';
import type { OwnedGuards } from '../chain/read-guards.ts';
import type { Loan } from '../chain/read-loan.ts';
import { useSteps } from '../chain/use-steps.ts';
import { Notice } from '../parts/notice.tsx';
import { Signing } from '../parts/signing.tsx';
import { useSettings } from '../settings.tsx';
import { moneyOf } from '../words/amounts.ts';
import { words } from '../words/en/frame.ts';
import { guardWords } from '../words/en/guard.ts';
import { unusedApprovals } from './kept-approval.ts';

interface Props {
  readonly account: string;
  readonly owned: OwnedGuards;
  /** The account's own, as last read. */
  readonly loans: readonly Loan[];
  /** Whether the newest reading of guards or loans failed or is old. */
  readonly isStale: boolean;
  /** The chain's time, unix seconds. */
  readonly now: bigint | undefined;
}

/** Approvals to guards that no guard can use any more, each with a button that takes it back. */
export function SpareApprovals({ account, owned, loans, isStale, now }: Props) {
  // Between an approval and the guard that it is for, it only looks left over.
  const isSigning = useIsBusyWith(useSettings().contracts.loanGuard);
  if (now === undefined || isSigning) return null;
  return unusedApprovals(account, owned, loans, now, isStale).map((each) => <OneSpare key={each.token} {...each} />);
}

function OneSpare({ token, symbol, decimals, allowance }: ReturnType<typeof unusedApprovals>[number]) {
  const settings = useSettings();
  const { chainId } = useConnection();
  const { progress, isBusy: isTaking, run } = useSteps(`spare-guard-${token}`);
  const of = assetAt(settings, token) ?? (symbol === undefined ? undefined : { symbol, decimals });
  const shown = moneyOf(of).exact(allowance);
  const label = words.signing.takeBack(shown);
  return (
    <Notice kind="plain" title={guardWords.spare(shown)} more={guardWords.spareMore}>
      <button
        type="button"
        className="button"
        disabled={isTaking || chainId !== settings.chainId}
        onClick={() => void run([approveStep(label, token, settings.contracts.loanGuard, 0n)])}
      >
        {isTaking ? words.signing.signing : label}
      </button>
      <Signing progress={progress} done={guardWords.takenBack} />
    </Notice>
  );
}
