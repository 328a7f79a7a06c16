import { guardKey } from '@bowline/core/domain/guard-key';
import { isPaidAlike, mayTake } from '@bowline/core/domain/guarded-loan';
import { sameAddress } from '@bowline/core/domain/same-address';
import { smallest } from '@bowline/core/domain/units';
import type { Guard, OwnedGuards } from '../chain/read-guards.ts';
import type { Loan } from '../chain/read-loan.ts';
import { paidToken } from '../chain/receipt.ts';
import { mustWait } from './shared-approval.ts';

/**
 * What ending a guard frees of its funder's approval, in base units; undefined if not certain. Kept is what each other
 * guard may take of the token in a day, but no more than is approved now. A guard's approval has no natural end, so
 * this covers what one day of crashes can need.
 * @param isStale whether the newest reading of `owned` failed or is old.
 */
export function freedBy(guard: Guard, owned: OwnedGuards | undefined, now: bigint | undefined, isStale: boolean) {
  const allowance = guard.means?.allowance;
  if (allowance === undefined || owned === undefined || now === undefined || mustWait(owned, isStale)) return undefined;
  const others = [...owned.guards, ...owned.funded].filter(
    (each) => guardKey(each) !== guardKey(guard) && mayTake(each, now) && isPaidAlike(each, guard),
  );
  const kept = smallest([others.reduce((sum, { capPerDay }) => sum + capPerDay, 0n), allowance]);
  return { kept, freed: allowance - kept };
}

/** An approval for guards that no guard can use any more. */
interface Unused {
  readonly token: Guard['repayToken'];
  readonly symbol: string | undefined;
  readonly decimals: number | undefined;
  /** Base units. For a deposit's receipts: what they repay. */
  readonly allowance: bigint;
  /** Absent if the wallet pays. */
  readonly sale?: NonNullable<Guard['sale']>;
}

/**
 * The account's approvals of tokens that no guard can take any more, as far as its loans and expired guards show them.
 * Empty while some guards are not known.
 */
export function unusedApprovals(
  account: string,
  owned: OwnedGuards,
  loans: readonly Loan[],
  now: bigint,
  isStale: boolean,
): readonly Unused[] {
  if (mustWait(owned, isStale)) return [];
  const own = [...owned.guards, ...owned.funded].filter(({ funder }) => sameAddress(funder, account));
  const markets = loans.filter(({ borrower }) => sameAddress(borrower, account)).flatMap((loan) => loan.markets);
  const ofGuards = own.flatMap((guard) =>
    guard.means ? [{ token: paidToken(guard), allowance: guard.means.allowance, sale: guard.sale }] : [],
  );
  const ofLoans = markets.map(({ token, allowance }) => ({ token, allowance, sale: undefined }));
  const known = new Map([...ofGuards, ...ofLoans].map((each) => [each.token.toLowerCase(), each]));
  return [...known.values()].flatMap(({ token, allowance, sale }) => {
    const takes = (guard: Guard) => mayTake(guard, now) && sameAddress(paidToken(guard), token);
    if (allowance === 0n || own.some(takes)) return [];
    const market = markets.find((each) => sameAddress(each.token, sale?.collateralToken ?? token));
    return [{ token, symbol: market?.symbol, decimals: market?.decimals, allowance, ...(sale && { sale }) }];
  });
}
