import { type FundedGuard, type GuardedLoan, leftOfDay, mayTake } from './guarded-loan.ts';
import { nextRescue, takenBy, wouldHarm } from './rescue-size.ts';
import { sameAddress } from './same-address.ts';
import { largest } from './units.ts';

/** What keeps a guard from bringing its loan to the target, now or soon. Amounts in base units of the repay token. */
export type Lack =
  | {
      readonly what: 'allowance' | 'balance' | 'cap_per_rescue' | 'left_today';
      readonly has: bigint;
      readonly needed: bigint;
    }
  | { readonly what: 'expiry' };

/** A guard that ends sooner is named. */
const SOON = 14n * 86_400n;

/**
 * Everything that an active guard lacks, not only the first that the contract would name: empty if nothing. An expired one
 * lacks a later end alone: an approval for it would serve no rescue, and replace one that another guard uses.
 * @param now the chain's time, unix seconds.
 * @param isByChainlink whether Chainlink's prices trigger it too.
 */
export function lacksOf(
  guard: FundedGuard,
  loan: GuardedLoan | undefined,
  now: bigint | undefined,
  isByChainlink: boolean,
): readonly Lack[] {
  if (guard.status !== 'active' || now === undefined) return [];
  const ends: readonly Lack[] = guard.expiresAt < now + SOON ? [{ what: 'expiry' }] : [];
  if (!mayTake(guard, now)) return ends;
  const market = loan?.markets.find((each) => sameAddress(each.market, guard.market));
  const priceWad = loan?.prices[guard.market.toLowerCase()] ?? 0n;
  if (loan?.healthWad === undefined || market === undefined || priceWad === 0n || !guard.means) return ends;
  // No money makes either contract repay a loan without collateral, or sell what lowers health.
  if (loan.weightedUsdWad === 0n || wouldHarm(guard, loan.healthWad)) return ends;
  const { allowance, balance } = guard.means;
  const toTarget = nextRescue(loan, { ...guard, isByChainlink }, priceWad).needed;
  const needed = takenBy(loan, guard.market, toTarget, market.debt);
  // No rescue takes more than its cap, or less than its minimum: what the wallet must have and allow.
  const capped = takenBy(loan, guard.market, toTarget, guard.capPerRescue);
  const paid = largest([capped, guard.minRepay]);
  const all = [
    { what: 'allowance', has: allowance, needed: paid },
    { what: 'balance', has: balance, needed: paid },
    { what: 'cap_per_rescue', has: guard.capPerRescue, needed },
    { what: 'left_today', has: leftOfDay(guard, now), needed: capped },
  ] as const;
  return [...all.filter(({ has, needed: least }) => has < least), ...ends];
}

/** The first of them that is money: what the funder has not approved, or does not hold. */
export const moneyLackOf = (...of: Parameters<typeof lacksOf>) =>
  lacksOf(...of).find(
    (lack): lack is Exclude<Lack, { readonly what: 'expiry' }> => lack.what === 'allowance' || lack.what === 'balance',
  );

/** The approval needed in place of a short one: one rescue, plus what other guards already share. */
export const mendingAllowance = (guard: FundedGuard, isShared: boolean): bigint =>
  guard.capPerRescue + (isShared ? (guard.means?.allowance ?? 0n) : 0n);
