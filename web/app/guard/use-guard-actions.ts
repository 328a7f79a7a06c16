import { contractOf, guardKey } from '@bowline/core/domain/guard-key';
import { isPaidAlike, mayTake } from '@bowline/core/domain/guarded-loan';
import { sameAddress } from '@bowline/core/domain/same-address';
import type { Address } from 'viem';
import { useConnection } from 'wagmi';
import { approveStep } from '../chain/approve.ts';
import type { Guard, OwnedGuards } from '../chain/read-guards.ts';
import { paidToken } from '../chain/receipt.ts';
import { useSteps } from '../chain/use-steps.ts';
import { useSettings } from '../settings.tsx';
import { useIsApproving } from '../transactions/use-transactions.tsx';
import { partWords } from '../words/en/parts.ts';
import { cancelStep } from './cancel-step.ts';
import { freedBy } from './kept-approval.ts';
import { mustWait } from './shared-approval.ts';

interface Given {
  readonly guard: Guard;
  readonly account?: Address;
  readonly owned?: OwnedGuards | undefined;
  readonly isStale?: boolean;
  readonly now?: bigint | undefined;
}

/**
 * What the viewing account can sign for a guard, and what prevents it.
 * @param exact formats base units of the repay token.
 */
export function useGuardActions(
  { guard, account, owned, isStale = true, now }: Given,
  exact: (base: bigint) => string,
) {
  const settings = useSettings();
  const { chainId } = useConnection();
  const key = guardKey(guard);
  const { progress, isBusy, run } = useSteps(`guard-${key}`);
  const [token, spender] = [paidToken(guard), contractOf(settings.contracts, guard)];
  const isFunder = sameAddress(guard.funder, account);
  const takesToo = (each: Guard) => guardKey(each) !== key && mayTake(each, now) && isPaidAlike(each, guard);
  // Another approval for guards would replace this one, or the reverse. What its guard needs is not left over.
  const isOtherApproving = useIsApproving(spender) && !isBusy;
  const back =
    isFunder && !isOtherApproving && guard.sale === undefined ? freedBy(guard, owned, now, isStale) : undefined;
  const approval = (base: bigint, label: string) => approveStep(label, token, spender, base);
  return {
    ...{ progress, isFunder, isOtherApproving, back },
    isBorrower: sameAddress(guard.borrower, account),
    /** Whether another guard is paid by the same approval. */
    isShared: [...(owned?.guards ?? []), ...(owned?.funded ?? [])].some(takesToo),
    isPausable: isFunder && mayTake(guard, now) && (guard.means?.allowance ?? 0n) > 0n,
    /** Whether nothing can be signed; `isUnsure`: whether no approval can. */
    isOff: isBusy || chainId !== settings.chainId,
    isUnsure: owned === undefined || mustWait(owned, isStale),
    approve: (base: bigint, label: string) => void run([approval(base, label)]),
    cancel: (takesBack: boolean) => {
      const takeBack =
        back && takesBack && back.freed > 0n ? [approval(back.kept, partWords.takeBackStep(exact(back.freed)))] : [];
      void run([cancelStep(settings.contracts, key), ...takeBack]);
    },
  };
}

export type GuardActions = ReturnType<typeof useGuardActions>;
