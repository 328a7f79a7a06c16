import { guardKey } from '@bowline/core/domain/guard-key';
import { mayTake } from '@bowline/core/domain/guarded-loan';
import { sameAddress } from '@bowline/core/domain/same-address';
import { areWhole, type Guard, type OwnedGuards } from '../chain/read-guards.ts';
import { paidToken } from '../chain/receipt.ts';
import { guardWords } from '../words/en/guard.ts';

/**
 * Whether a new approval must wait. It replaces the one that all guards paid by the account share, so it could take
 * from a guard that the page does not know or knows only from a stale reading.
 * @param isStale whether the newest reading of guards or allowance failed or is old.
 */
export const mustWait = (owned: OwnedGuards, isStale: boolean): boolean => isStale || !areWhole(owned);

/**
 * What shares the approval (of a token or a deposit's receipts) that `total` would replace, in words; or undefined.
 * @param allowance what is approved now, in base units, like `total`.
 * @param now the chain's time, unix seconds.
 * @param replaces shares nothing, because it ends.
 */
export function sharedBy(
  { guards, funded }: Pick<OwnedGuards, 'guards' | 'funded'>,
  { token, symbol, allowance }: { readonly token: string; readonly symbol: string; readonly allowance: bigint },
  total: bigint | undefined,
  now: bigint | undefined,
  replaces?: Guard,
): string | undefined {
  const replaced = replaces && guardKey(replaces);
  const takes = (guard: Guard) =>
    guardKey(guard) !== replaced && mayTake(guard, now) && sameAddress(paidToken(guard), token);
  // A guard that another account pays for takes nothing from this account's approval.
  const isOwn = ({ funder, borrower }: Guard) => sameAddress(funder, borrower);
  if (guards.some((guard) => isOwn(guard) && takes(guard))) return guardWords.sharedOwn(symbol);
  if (funded.some(takes)) return guardWords.sharedOther(symbol);
  if (allowance > 0n && allowance !== total) return guardWords.sharedApproved(symbol);
  return undefined;
}
