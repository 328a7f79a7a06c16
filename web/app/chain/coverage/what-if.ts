import { boundsOf } from '@bowline/core/domain/guard-cover';
import { largest, smallest, WAD } from '@bowline/core/domain/units';
import type { Part } from '../lending/reader.ts';
import type { Guard } from '../read-guards.ts';
import type { Loan, LoanMarket } from '../read-loan.ts';
import type { Coverage } from './coverage.ts';

// At which prices something happens to a loan, by the protocol's own sums.

/** A market whose collateral counts, with what its token costs. */
export interface Collateral {
  readonly market: LoanMarket;
  readonly part: Part;
}

/** Undefined if the parts could not be read. */
export const collateralsOf = ({ markets, parts }: Loan): readonly Collateral[] | undefined =>
  parts &&
  markets.flatMap((market) => {
    const part = parts.find((each) => each.market === market.market);
    return part && part.weightedAt(part.priceWad) > 0n ? [{ market, part }] : [];
  });

/** USD price of one whole token, 18 decimals, from that of 1e18 base units. */
export const perToken = (priceWad: bigint, { decimals }: Pick<LoanMarket, 'decimals'>): bigint =>
  (priceWad * 10n ** BigInt(decimals)) / WAD;

/** Prices of one collateral, all others as they are; `toWad` undefined: without end. */
export interface Prices {
  readonly fromWad: bigint;
  readonly toWad: bigint | undefined;
}

interface Repaid {
  readonly market: string;
  /** Base units of the market's token. */
  readonly amount: bigint;
}

/**
 * The prices of one collateral at which the loan has at least this health, after a repayment; undefined if none do.
 * Where the account owes much of the same asset, these are the low prices. Rounded inwards.
 */
export function pricesOf(loan: Loan, { part }: Collateral, healthWad: bigint, repaid?: Repaid): Prices | undefined {
  const own = part.weightedAt(part.priceWad);
  const owed = part.debtAt(part.priceWad);
  const isOwn = repaid?.market === part.market;
  const paid = repaid === undefined ? 0n : (repaid.amount * priceOf(loan, repaid.market)) / WAD;
  // W = others + own · f and D = rest + owed · f, at f times the price of now: W ≥ health · D.
  const others = loan.weightedUsdWad - own;
  const rest = loan.debtUsdWad - owed - (isOwn ? 0n : paid);
  const owedLeft = owed - (isOwn ? paid : 0n);
  const above = healthWad * rest - WAD * others;
  const below = WAD * own - healthWad * owedLeft;
  if (below > 0n) {
    return { fromWad: above > 0n ? (part.priceWad * above + below - 1n) / below : 0n, toWad: undefined };
  }
  if (below === 0n && above <= 0n) return { fromWad: 0n, toWad: undefined };
  return above < 0n ? { fromWad: 0n, toWad: (part.priceWad * above) / below } : undefined;
}

/** The price below which the loan has less than this health; undefined if its fall alone never leads there. */
export const priceAt = (loan: Loan, collateral: Collateral, healthWad: bigint): bigint | undefined =>
  pricesOf(loan, collateral, healthWad)?.fromWad || undefined;

const priceOf = ({ prices }: Loan, market: string): bigint => prices[market.toLowerCase()] ?? 0n;

/** `priceWad` down to which a guard is funded, zero for any; and up to which, where a rise endangers the loan. */
export type Funded = { readonly priceWad: bigint; readonly upToWad?: bigint } | 'any' | undefined;

/**
 * The prices of one collateral, all others as they are, at which one rescue within the guard's caps, allowance and
 * balance still brings the loan to its target if the guard acts; never where a liquidation can come first.
 * `any`: every price. Undefined: none, or what it depends on is not known.
 */
export function fundedDownTo(guard: Guard, loan: Loan, collateral: Collateral, now: bigint): Funded {
  const bounds = boundsOf(guard, loan, now);
  if (bounds === undefined || now >= guard.expiresAt) return undefined;
  const amount = smallest(bounds);
  if (amount < guard.minRepay) return undefined;
  const reached = pricesOf(loan, collateral, guard.targetWad, { market: guard.market, amount });
  const solvent = pricesOf(loan, collateral, WAD);
  if (reached === undefined || solvent === undefined) return undefined;
  const idle = pricesOf(loan, collateral, guard.triggerWad);
  // Where it begins to act: a rescue must reach the target there, or it does nowhere on from there.
  const isFromFall = idle !== undefined && idle.fromWad > 0n;
  const begins = isFromFall ? idle.fromWad : idle?.toWad;
  if (begins !== undefined && !isWithin(reached, begins)) return undefined;
  const isIdleBelow = idle?.toWad !== undefined;
  const fromWad = isIdleBelow ? 0n : largest([reached.fromWad, solvent.fromWad]);
  const toWad = isFromFall ? undefined : least(reached.toWad, solvent.toWad);
  if (toWad !== undefined && toWad < fromWad) return undefined;
  if (toWad === undefined) return fromWad === 0n ? 'any' : { priceWad: fromWad };
  return { priceWad: fromWad, upToWad: toWad };
}

/**
 * Where the guard is funded, as far as its coverage lets that be said: nowhere if it cannot rescue, and at no price if the
 * loan can be liquidated at any, or at those of now. `unknown`: something that a rescue depends on is not known.
 */
export function fundedIf(
  coverage: Coverage,
  guard: Guard,
  loan: Loan,
  collateral: Collateral,
  now: bigint | undefined,
): Funded | 'unknown' | 'forced' | 'liquidatable' {
  if (coverage.state === 'unable') return coverage.why === 'unknown' ? 'unknown' : undefined;
  if (coverage.isForced === undefined || now === undefined) return 'unknown';
  if (coverage.isForced) return 'forced';
  return coverage.isLiquidatable ? 'liquidatable' : fundedDownTo(guard, loan, collateral, now);
}

const isWithin = ({ fromWad, toWad }: Prices, priceWad: bigint): boolean =>
  fromWad <= priceWad && (toWad === undefined || priceWad <= toWad);
const least = (a: bigint | undefined, b: bigint | undefined): bigint | undefined =>
  a === undefined ? b : b === undefined || a < b ? a : b;
