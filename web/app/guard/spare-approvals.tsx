import { useIsBusyWith } from '../acts/use-acts.tsx';
import type { OwnedGuards } from '../chain/read-guards.ts';
import type { Loan } from '../chain/read-loan.ts';
import { SpareApproval } from '../parts/spare-approval.tsx';
import { useSettings } from '../settings.tsx';
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
  const spender = useSettings().contracts.loanGuard;
  const isSigning = useIsBusyWith(spender);
  if (now === undefined || isSigning) return null;
  return unusedApprovals(account, owned, loans, now, isStale).map(({ token, market, allowance }) => (
    <SpareApproval
      key={token}
      name={`spare-guard-${token}`}
      {...{ spender, token, allowance }}
      kept={0n}
      otherwise={market}
      says={guardWords}
    />
  ));
}
