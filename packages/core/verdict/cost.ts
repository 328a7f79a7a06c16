import type { Proposal } from '../domain/facts.ts';
import { leftByFees } from '../domain/route.ts';
import { BPS, mulDivDown, mulDivUp } from '../domain/units.ts';
import { poolUsdWad } from './references.ts';
import { quoteUsdWad } from './sources.ts';

/** What a trade pays and receives, in USD with 18 decimals, rounded against the trader. */
export interface Worth {
  readonly paidUsdWad: bigint;
  readonly receivedUsdWad: bigint;
  /** What the trader loses, in 1/10,000 of what is paid, rounded up; negative for a gain. */
  readonly bps: bigint;
}

/**
 * What the quote pays and receives, including fee and price impact.
 * @param assetUsdWad value of one whole asset.
 * @returns undefined without a quote or a price of the quote token, or if nothing is paid.
 */
export function worthAt(proposal: Proposal, assetUsdWad: bigint): Worth | undefined {
  const { asset, quoteAsset, chain } = proposal;
  const { quote } = chain;
  const quoteUsd = quoteUsdWad(proposal);
  if (quote === undefined || quoteUsd === undefined || quote.amountIn <= 0n) return undefined;
  const values = [
    { unit: 10n ** BigInt(quoteAsset.decimals), usdWad: quoteUsd },
    { unit: 10n ** BigInt(asset.decimals), usdWad: assetUsdWad },
  ] as const;
  const [paid, received] = quote.side === 'buy' ? values : ([values[1], values[0]] as const);
  const paidUsdWad = mulDivUp(quote.amountIn, paid.usdWad, paid.unit);
  const receivedUsdWad = mulDivDown(quote.amountOut, received.usdWad, received.unit);
  if (paidUsdWad <= 0n) return undefined;
  const lost = paidUsdWad - receivedUsdWad;
  const bps = lost > 0n ? mulDivUp(lost, BPS, paidUsdWad) : -mulDivDown(-lost, BPS, paidUsdWad);
  return { paidUsdWad, receivedUsdWad, bps };
}

/** The parts of a cost in USD with 18 decimals, which add up to it. */
export interface CostParts {
  readonly feeUsdWad: bigint;
  /** How far the pool's price is from the value: a buyer loses the excess over it, a seller the shortfall below it. */
  readonly distanceUsdWad: bigint;
  /** The rest: how much the size moves the price. */
  readonly impactUsdWad: bigint;
}

/** @returns undefined if the pool has no price. */
export function partsAt(
  proposal: Proposal,
  usdWad: bigint,
  { paidUsdWad: paid, receivedUsdWad: received }: Worth,
): CostParts | undefined {
  const { asset, side, chain } = proposal;
  const pool = poolUsdWad(proposal);
  if (pool === undefined || pool <= 0n || usdWad <= 0n) return undefined;
  const { numerator, denominator } = leftByFees(chain, asset);
  const feeUsdWad = mulDivUp(paid, denominator - numerator, denominator);
  const distanceUsdWad = side === 'buy' ? (paid * (pool - usdWad)) / pool : (paid * (usdWad - pool)) / usdWad;
  return { feeUsdWad, distanceUsdWad, impactUsdWad: paid - received - feeUsdWad - distanceUsdWad };
}
