// What a guard is covered by: its funder's balance and allowance, its caps, its cooldown and its expiry.

import type { GuardKey } from './guard-key.ts';
import { coolsUntil, type FundedGuard, type GuardedLoan, leftOfDay, type SaleMeans } from './guarded-loan.ts';
import { isAccountOf } from './lending.ts';
import { nextRescue, takenBy, wouldHarm } from './rescue-size.ts';
import { sameAddress } from './same-address.ts';
import { type Address, mulDivDown, smallest, WAD } from './units.ts';

/**
 * Why no rescue is possible, from the checks of LoanGuard or CollateralGuard and the adapter; `unknown` if something
 * could not be read. If several apply, the page names a pause before the loan and the funds; the contract finds it last.
 */
export type Missing =
  | 'unknown'
  | 'revoked'
  | 'cancelled'
  | 'expired'
  | 'token_changed'
  | 'repay_paused'
  | 'no_debt'
  | 'no_collateral'
  | 'day_cap_used_up'
  | 'no_allowance'
  | 'allowance_too_low'
  | 'no_balance'
  | 'balance_too_low'
  | 'below_minimum'
  | 'remainder_refused'
  | 'cash_too_low'
  | 'sale_would_harm'
  | NonNullable<SaleMeans['refusal']>;

/**
 * What a guard could do with its loan at the trigger or, once the loan is below it, at its current health. Amounts in
 * base units of the repay token.
 */
export type Coverage<Unwatched = string> =
  | { readonly state: 'unable'; readonly why: Missing }
  | {
      /** `part`: a rescue is possible, but stops short of the target. */
      readonly state: 'full' | 'part';
      readonly amount: bigint;
      readonly needed: bigint;
      /** Unix seconds; set during the last rescue's cooldown if it blocks every rescue. */
      readonly nextFrom: bigint | undefined;
      /** Unix seconds; set during a cooldown that blocks only rescues triggered by the price source. */
      readonly sourceFrom: bigint | undefined;
      /** The only account that may rescue; the page cannot know whether it is running. */
      readonly onlyBy: Address | undefined;
      /** Whether the loan can be liquidated at any health, even where no rescue happens; undefined if not known. */
      readonly isForced: boolean | undefined;
      /** Set while a rescue is due: whose prices trigger it, the health at those prices, and the trigger. */
      readonly due?: Due;
      /** Whether the loan can be liquidated now, so that no rescue may come in time. */
      readonly isLiquidatable?: true;
      /** Why no keeper that is known here watches it; absent if one says that it does. */
      readonly unwatched?: Unwatched;
      /**
       * Set if one rescue by this guard and by each guard in `with` would together need more than the account that pays
       * for all of them holds and has approved: `has` is the lesser of the two, `needed` the sum.
       */
      readonly shares?: { readonly has: bigint; readonly needed: bigint; readonly with: readonly GuardKey[] };
    };

export interface Due {
  readonly by: 'protocol' | 'chainlink';
  readonly healthWad: bigint;
  readonly triggerHealthWad: bigint;
}

/**
 * Whether a rescue by `guard` is possible, and how far it goes.
 * @param loan in the guard's own protocol; undefined if it could not be read, or not recently.
 * @param now the chain's time, unix seconds.
 * @param isByChainlink whether Chainlink's prices trigger it too.
 * @param whyUnwatched why no keeper watches it; undefined if one says that it does. Called with what a rescue would
 *   repay, in dollars.
 */
export function coverageOf<Unwatched extends string = never>(
  guard: FundedGuard,
  loan: GuardedLoan | undefined,
  now: bigint | undefined,
  isByChainlink = false,
  whyUnwatched: (repayUsdWad: bigint) => Unwatched | undefined = () => undefined,
): Coverage<Unwatched> {
  const { status, means } = guard;
  if (status === 'revoked' || status === 'cancelled') return unable(status);
  if (status !== 'active' || now === undefined) return unable('unknown');
  if (now >= guard.expiresAt) return unable('expired');
  if (loan === undefined || means === undefined) return unable('unknown');
  if (!isAccountOf(loan.protocol, guard)) return unable('unknown');
  if (!sameAddress(means.marketToken, guard.repayToken)) return unable('token_changed');
  if (means.isRepayPaused) return unable('repay_paused');
  if (means.isRepayPaused === undefined) return unable('unknown');
  if (means.sale?.refusal) return unable(means.sale.refusal);
  const market = loan.markets.find((each) => sameAddress(each.market, guard.market));
  if (loan.healthWad === undefined || market === undefined || market.debt === 0n) return unable('no_debt');
  if (loan.weightedUsdWad === 0n) return unable('no_collateral');
  const priceWad = loan.prices[guard.market.toLowerCase()] ?? 0n;
  if (priceWad === 0n) return unable('unknown');

  const { triggerHealthWad, targetHealthWad, minRepay } = guard;
  const until = coolsUntil(guard, now);
  const triggers = { triggerHealthWad, targetHealthWad, isByChainlink: isByChainlink && until === undefined };
  const { due: by, needed } = nextRescue(loan, { ...guard, ...triggers }, priceWad);
  if (wouldHarm(guard, loan.healthWad)) return unable('sale_would_harm');
  const leftToday = leftOfDay(guard, now);
  if (leftToday < minRepay) return unable('day_cap_used_up');
  if (means.allowance < minRepay) return unable(means.allowance === 0n ? 'no_allowance' : 'allowance_too_low');
  if (means.balance < minRepay) return unable(means.balance === 0n ? 'no_balance' : 'balance_too_low');
  if (means.sale && means.sale.byCash < minRepay) return unable('cash_too_low');
  const most = smallest(boundsOf(guard, loan, now) ?? [0n]);
  if (smallest([needed, most]) < minRepay) return unable('below_minimum');
  const amount = takenBy(loan, guard.market, needed, most);
  if (amount < minRepay) return unable('remainder_refused');

  const isForced = loan.forcedMarkets && loan.forcedMarkets.length > 0;
  const state = amount < needed ? 'part' : 'full';
  const healthWad = by === 'chainlink' ? loan.chainlinkHealthWad : loan.healthWad;
  const unwatched = whyUnwatched(mulDivDown(amount, priceWad, WAD));
  return {
    state,
    amount,
    needed,
    nextFrom: guard.isBySource ? undefined : until,
    sourceFrom: guard.isBySource ? until : undefined,
    onlyBy: guard.keeper,
    isForced,
    ...(by && healthWad !== undefined && { due: { by, healthWad, triggerHealthWad } }),
    ...(loan.healthWad < WAD && { isLiquidatable: true }),
    ...(unwatched && { unwatched }),
  };
}

/** The first bounds are the caps and the debt, which do not depend on prices. */
export const CAPS = 3;

/** What limits a rescue, each in base units; undefined if something is not known. */
export function boundsOf(
  guard: FundedGuard,
  loan: GuardedLoan,
  now: bigint,
): readonly [bigint, ...bigint[]] | undefined {
  const debt = loan.markets.find((each) => sameAddress(each.market, guard.market))?.debt;
  if (guard.means === undefined || debt === undefined) return undefined;
  const { allowance, balance, sale } = guard.means;
  return [guard.capPerRescue, leftOfDay(guard, now), debt, allowance, balance, ...(sale ? [sale.byCash] : [])];
}

const unable = (why: Missing): Coverage<never> => ({ state: 'unable', why });
