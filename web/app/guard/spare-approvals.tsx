import { contractOf } from '@bowline/core/domain/guard-key';
import { shortAddress } from '@bowline/core/domain/readable';
import { assetAt } from '../api/settings.ts';
import { approveStep } from '../chain/approve.ts';
import type { OwnedGuards } from '../chain/read-guards.ts';
import type { Loan } from '../chain/read-loan.ts';
import { OfferedStep } from '../parts/offered-step.tsx';
import { useSettings } from '../settings.tsx';
import { useIsBusyWith } from '../transactions/use-transactions.tsx';
import { moneyOf } from '../words/amounts.ts';
import { words } from '../words/en/frame.ts';
import { guardWords } from '../words/en/guard.ts';
import { unusedApprovals } from './kept-approval.ts';

interface Props {
  readonly account: string;
  readonly owned: OwnedGuards;
  /** The account's own loans, as last read. */
  readonly loans: readonly Loan[];
  /** Whether the newest reading of guards or loans failed or is old. */
  readonly isStale: boolean;
  /** The chain's time, unix seconds. */
  readonly now: bigint | undefined;
}

/** Approvals for guards that no guard can use any more, each with a button that takes it back. */
export function SpareApprovals({ account, owned, loans, isStale, now }: Props) {
  if (now === undefined) return null;
  return unusedApprovals(account, owned, loans, now, isStale).map((each) => <OneSpare key={each.token} {...each} />);
}

function OneSpare(spare: ReturnType<typeof unusedApprovals>[number]) {
  const { token, symbol, decimals, allowance, sale } = spare;
  const settings = useSettings();
  const spender = contractOf(settings.contracts, spare);
  // An approval whose guard is not set yet only looks left over.
  if (useIsBusyWith(spender)) return null;
  const of = assetAt(settings, sale?.collateralToken ?? token) ?? (symbol ? { symbol, decimals } : undefined);
  const shown = sale ? words.stop.receipts(of?.symbol ?? shortAddress(token)) : moneyOf(of).exact(allowance);
  return (
    <OfferedStep
      place={`spare-guard-${token}`}
      step={approveStep(words.signing.takeBack(shown), token, spender, 0n)}
      title={guardWords.spare(shown)}
      more={guardWords.spareMore}
      done={guardWords.takenBack}
    />
  );
}
