import { type FundedGuard, type GuardedLoan, leftOfDay, mayTake } from './guarded-loan.ts';
import { nextRescue, takenBy, wouldHarm } from './rescue-size.ts';
import { sameAddress } from './same-address.ts';
import { largest } from './units.ts';

/** What stops a guard from bringing its loan to the target, now or soon. Amounts in base units of the repay token. */
export type Lack =
  | {
      readonly what: 'allowance' | 'balance' | 'cap_per_rescue' | 'left_today';
      readonly has: bigint;
      readonly needed: bigint;
    }
  | { readonly what: 'expiry' };

/** A guard that expires within this time is reported. */
const SOON = 14n * 86_400n;

/**
 * Everything that an active guard lacks, not only the first lack that the contract would report; empty if nothing. An
 * expired guard lacks only a later expiry: approving for it would serve no rescue and replace another guard's approval.
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
  // No amount of money makes either contract repay a loan without collateral, or make a sale that lowers health.
  if (loan.weightedUsdWad === 0n || wouldHarm(guard, loan.healthWad)) return ends;
  const { allowance, balance } = guard.means;
  const toTarget = nextRescue(loan, { ...guard, isByChainlink }, priceWad).needed;
  const needed = takenBy(loan, guard.market, toTarget, market.debt);
  // The wallet must hold and allow one rescue, which takes no more than its cap and no less than its minimum.
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

/** The first lack that is money: what the funder has not approved, or does not hold. */
export const moneyLackOf = (...of: Parameters<typeof lacksOf>) =>
  lacksOf(...of).find(
    (lack): lack is Exclude<Lack, { readonly what: 'expiry' }> => lack.what === 'allowance' || lack.what === 'balance',
  );

/** The approval needed in place of a short one: one rescue, plus what other guards already share. */
export const mendingAllowance = (guard: FundedGuard, isShared: boolean): bigint =>
  guard.capPerRescue + (isShared ? (guard.means?.allowance ?? 0n) : 0n);
