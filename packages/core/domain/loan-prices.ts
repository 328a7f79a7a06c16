// At which prices something happens to a loan, by the protocol's own formula. A price is per 1e18 base units unless it
// says that it is per token.

import type { GuardedLoan } from './guarded-loan.ts';
import { type LoanValues, loanValues } from './loan-health.ts';
import type { Position, PricedPart } from './loan-part.ts';
import { type Hex, mulDivUp, WAD } from './units.ts';

/** The loan's values at these prices; markets that are not listed keep their price. */
export function valuesAt(
  { debtUsdWad, weightedUsdWad, parts = [] }: Pick<GuardedLoan, 'debtUsdWad' | 'weightedUsdWad' | 'parts'>,
  prices: readonly { readonly market: Hex; readonly priceWad: bigint }[],
): LoanValues {
  let [debt, weighted] = [debtUsdWad, weightedUsdWad];
  for (const { market, priceWad } of prices) {
    const part = parts.find((each) => each.market === market);
    if (part === undefined) continue;
    debt += part.debtAt(priceWad) - part.debtAt(part.priceWad);
    weighted += part.weightedAt(priceWad) - part.weightedAt(part.priceWad);
  }
  return loanValues(debt, weighted);
}

/** A market whose collateral counts, with its token's price. */
export interface Collateral<Market = unknown> {
  readonly market: Market;
  readonly part: PricedPart;
}

/** Undefined if the parts could not be read. */
export const collateralsOf = <Market extends { readonly market: Hex }>({
  markets,
  parts,
}: {
  readonly markets: readonly Market[];
  readonly parts?: readonly PricedPart[] | undefined;
}): readonly Collateral<Market>[] | undefined =>
  parts &&
  markets.flatMap((market) => {
    const part = parts.find((each) => each.market === market.market);
    return part && part.weightedAt(part.priceWad) > 0n ? [{ market, part }] : [];
  });

/** USD price of one whole token, 18 decimals, from that of 1e18 base units. */
export const perToken = (priceWad: bigint, { decimals }: { readonly decimals: number }): bigint =>
  (priceWad * 10n ** BigInt(decimals)) / WAD;

/** A range of prices of one collateral, with all other prices unchanged. `toWad` undefined: no upper end. */
export interface Prices {
  readonly fromWad: bigint;
  readonly toWad: bigint | undefined;
}

interface Repaid {
  readonly market: string;
  /** Base units of the market's token. */
  readonly amount: bigint;
  /** How much weighted collateral a unit of it costs if a deposit is sold for it; zero if absent. */
  readonly lossWad?: bigint;
  /** Whether it rises and falls with the collateral's price. `amount` is that of the current price. */
  readonly isByPrice?: boolean;
}

/** The part of a loan that its prices decide, without a repayment. */
type PricedLoan = Pick<GuardedLoan, 'debtUsdWad' | 'weightedUsdWad'> & Partial<Pick<GuardedLoan, 'prices'>>;

/**
 * The prices of one collateral at which the loan has at least this health, after a repayment; undefined if none do.
 * If the account owes much of the same asset, these are the low prices. Rounded inwards.
 */
export function pricesOf(
  loan: PricedLoan,
  { part }: Pick<Collateral, 'part'>,
  healthWad: bigint,
  repaid?: Repaid,
): Prices | undefined {
  const own = part.weightedAt(part.priceWad);
  const owed = part.debtAt(part.priceWad);
  const isOwn = repaid?.market === part.market;
  const paid = repaid === undefined ? 0n : (repaid.amount * priceOf(loan, repaid.market)) / WAD;
  // W = others + own · f and D = rest + owed · f, at f times today's price: W + (health − loss) · paid ≥ health · D.
  const others = loan.weightedUsdWad - own;
  const rest = loan.debtUsdWad - owed;
  const gained = (healthWad - (repaid?.lossWad ?? 0n)) * paid;
  const rises = isOwn || repaid?.isByPrice === true;
  const above = healthWad * rest - WAD * others - (rises ? 0n : gained);
  const below = WAD * own - healthWad * owed + (rises ? gained : 0n);
  if (below > 0n) {
    return { fromWad: above > 0n ? (part.priceWad * above + below - 1n) / below : 0n, toWad: undefined };
  }
  if (below === 0n && above <= 0n) return { fromWad: 0n, toWad: undefined };
  return above < 0n ? { fromWad: 0n, toWad: (part.priceWad * above) / below } : undefined;
}

/**
 * The price below which the loan has less than this health: 1 for its liquidation, a guard's trigger for its rescue.
 * Undefined if a fall of this price alone never causes that.
 */
export const priceAt = (
  loan: PricedLoan,
  collateral: Pick<Collateral, 'part'>,
  healthWad: bigint,
): bigint | undefined => pricesOf(loan, collateral, healthWad)?.fromWad || undefined;

const priceOf = ({ prices = {} }: PricedLoan, market: string): bigint => prices[market.toLowerCase()] ?? 0n;

/**
 * Base units of this collateral to add until health is at the target. Each counts as much as the existing ones. Rounded
 * up; undefined if there are no existing ones.
 */
export function depositUp(
  { debtUsdWad, weightedUsdWad }: Pick<LoanValues, 'debtUsdWad' | 'weightedUsdWad'>,
  { weightedWad, supplied }: Pick<Position, 'weightedWad' | 'supplied'>,
  targetHealthWad: bigint,
): bigint | undefined {
  if (weightedWad === 0n) return undefined;
  const lacking = mulDivUp(debtUsdWad, targetHealthWad, WAD) - weightedUsdWad;
  return lacking > 0n ? mulDivUp(lacking, supplied, weightedWad) : 0n;
}
