import type { Part } from '../lending/reader.ts';
import type { Guard } from '../read-guards.ts';
import type { Loan, LoanMarket } from '../read-loan.ts';
import { boundsOf } from './coverage.ts';

// At which prices something happens to a loan, by the protocol's own sums.

const WAD = 10n ** 18n;

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

/**
 * The price of one collateral at which the loan has this health, after a repayment, while all other prices stay;
 * undefined if no price from zero up gives it, so that this collateral's fall alone never leads there. Rounded up.
 * @param repaid base units of a market's token.
 */
export function priceAt(
  loan: Loan,
  { part }: Collateral,
  healthWad: bigint,
  repaid?: { readonly market: string; readonly amount: bigint },
): bigint | undefined {
  const own = part.weightedAt(part.priceWad);
  const owed = part.debtAt(part.priceWad);
  const isOwn = repaid?.market === part.market;
  const paid = repaid === undefined ? 0n : (repaid.amount * priceOf(loan, repaid.market)) / WAD;
  // W = others + own · f and D = rest + owed · f, at f times the price of now: W = health · D.
  const others = loan.weightedUsdWad - own;
  const rest = loan.debtUsdWad - owed - (isOwn ? 0n : paid);
  const owedLeft = owed - (isOwn ? paid : 0n);
  const above = healthWad * rest - WAD * others;
  const below = WAD * own - healthWad * owedLeft;
  if (above <= 0n || below <= 0n) return undefined;
  return (part.priceWad * above + below - 1n) / below;
}

const priceOf = ({ prices }: Loan, market: string): bigint => prices[market.toLowerCase()] ?? 0n;

/**
 * The lowest price of one collateral, all others as they are, at which one rescue within the guard's caps, allowance and
 * balance still brings the loan to its target; never below the liquidation price, where a liquidation can come first.
 * `any`: at every price. Undefined: at none, or what it depends on is not known.
 */
export function fundedDownTo(
  guard: Guard,
  loan: Loan,
  collateral: Collateral,
  now: bigint,
): { readonly priceWad: bigint } | 'any' | undefined {
  const bounds = boundsOf(guard, loan, now);
  if (bounds === undefined || now >= guard.expiresAt) return undefined;
  const amount = bounds.reduce((least, each) => (each < least ? each : least));
  if (amount < guard.minRepay) return undefined;
  const funded = priceAt(loan, collateral, guard.targetWad, { market: guard.market, amount }) ?? 0n;
  const trigger = priceAt(loan, collateral, guard.triggerWad);
  // Above the price of its trigger it does nothing, so it reaches the target nowhere.
  if (trigger !== undefined && funded > trigger) return undefined;
  const liquidation = priceAt(loan, collateral, WAD) ?? 0n;
  const priceWad = funded > liquidation ? funded : liquidation;
  return priceWad === 0n ? 'any' : { priceWad };
}
