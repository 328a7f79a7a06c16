// The facts about a guard and its loan that decide what a rescue could do. Times are unix seconds.

import type { LoanValues } from './loan-health.ts';
import type { PricedPart } from './loan-part.ts';
import type { Guard } from './permissions.ts';
import { sameAddress } from './same-address.ts';
import { type Address, type Hex, utcDay } from './units.ts';

/** A guard with what a rescue would find now. */
export interface FundedGuard extends Omit<Guard, 'borrower' | 'priceSource'> {
  /** Undefined if not read. */
  readonly means: Means | undefined;
}

/**
 * In base units of the repay token; balance and allowance are the funder's. For a guard that pays out of a deposit they
 * are what the receipts repay at the highest cost.
 */
export interface Means {
  readonly allowance: bigint;
  readonly balance: bigint;
  /** The market's current repay token: a rescue in another token than agreed is refused. */
  readonly marketToken: Address;
  /** Undefined if nothing here can read it for the guard's protocol. */
  readonly isRepayPaused: boolean | undefined;
  /** Present if the guard pays out of a deposit. */
  readonly sale?: SaleMeans;
}

export interface SaleMeans {
  /** How much can be repaid, at the highest cost, from what the market can pay out now. */
  readonly byCash: bigint;
  /** How much weighted collateral a unit of repayment may cost. */
  readonly lossWad: bigint;
  /** Why every sale is refused now. */
  readonly refusal?:
    | 'transfer_paused'
    | 'withdrawal_paused'
    | 'withdrawal_fee_too_high'
    | 'borrowing_power_too_low'
    | 'price_source_failed';
}

/** A borrower's account in one lending protocol. */
export interface GuardedLoan extends LoanValues {
  readonly protocol: { readonly adapter: Address; readonly collateralAdapter?: Address; readonly market?: Hex };
  /** `debt` in base units of the market's token. */
  readonly markets: readonly { readonly market: Hex; readonly debt: bigint }[];
  /** Health with the collateral at Chainlink's prices; undefined without debt, or if it was not read. */
  readonly chainlinkHealthWad: bigint | undefined;
  /** Markets whose debt the protocol lets anyone liquidate at any health; undefined if that was not read. */
  readonly forcedMarkets: readonly Hex[] | undefined;
  /** Price of 1e18 base units, by market in lower case, for the markets with debt. */
  readonly prices: Readonly<Record<string, bigint>>;
  /** The smallest debt other than zero that a repayment may leave, by market like `prices`. Absent: any. */
  readonly minDebts?: Readonly<Record<string, bigint>>;
  /** What makes up collateral and debt; undefined if it could not be read. */
  readonly parts?: readonly PricedPart[] | undefined;
}

export const fundedGuard = (guard: Guard, means: Means | undefined): FundedGuard => ({
  ...guard,
  means,
});

/**
 * Whether a guard may still take its funder's tokens. An expired guard keeps the status active until it is cancelled,
 * but takes nothing. If the time is not known, the answer is yes.
 */
export const mayTake = (
  { status, expiresAt }: Pick<FundedGuard, 'status' | 'expiresAt'>,
  now: bigint | undefined,
): boolean => status === 'active' && (now === undefined || now < expiresAt);

/** When the cooldown after a guard's last rescue ends; undefined if it has none now. */
export function coolsUntil(
  { rescues, lastRescueAt, cooldownSeconds }: Pick<FundedGuard, 'rescues' | 'lastRescueAt' | 'cooldownSeconds'>,
  now: bigint,
): bigint | undefined {
  const until = lastRescueAt + cooldownSeconds;
  return rescues > 0 && now < until ? until : undefined;
}

type Paid = Pick<FundedGuard, 'funder' | 'repayToken' | 'sale'>;

/** Whether one account pays two guards in one token, or from one deposit, so that they share balance and allowance. */
export const isPaidAlike = (a: Paid, b: Paid): boolean =>
  sameAddress(a.funder, b.funder) &&
  sameAddress(a.repayToken, b.repayToken) &&
  a.sale?.collateralMarket.toLowerCase() === b.sale?.collateralMarket.toLowerCase();

/** What a guard may still take in the UTC day. */
export function leftOfDay(
  { day, takenInDay, capPerDay }: Pick<FundedGuard, 'day' | 'takenInDay' | 'capPerDay'>,
  now: bigint,
): bigint {
  const taken = day === utcDay(now) ? takenInDay : 0n;
  return capPerDay > taken ? capPerDay - taken : 0n;
}
