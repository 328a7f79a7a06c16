import type { Proposal } from '../domain/facts.ts';
import { leftByFees } from '../domain/route.ts';
import { BPS, mulDivDown, mulDivUp } from '../domain/units.ts';
import { poolUsdWad } from './references.ts';
import { quoteUsdWad } from './sources.ts';

/** What a trade pays and receives, in USD with 18 decimals: rounded against the trader. */
export interface Worth {
  readonly paidUsdWad: bigint;
  readonly receivedUsdWad: bigint;
}

/**
 * What the quote pays and gives, fee and price impact included.
 * @param usdWad value of one whole asset.
 * @returns undefined without a quote or a price of the quote token.
 */
export function worthAt(proposal: Proposal, usdWad: bigint): Worth | undefined {
  const { asset, quoteAsset, chain } = proposal;
  const { quote } = chain;
  const quoteUsd = quoteUsdWad(proposal);
  if (quote === undefined || quoteUsd === undefined || quote.amountIn <= 0n) return undefined;
  const [paid, received] =
    quote.side === 'buy'
      ? [
          { decimals: quoteAsset.decimals, usdWad: quoteUsd },
          { decimals: asset.decimals, usdWad },
        ]
      : [
          { decimals: asset.decimals, usdWad },
          { decimals: quoteAsset.decimals, usdWad: quoteUsd },
        ];
  return {
    paidUsdWad: mulDivUp(quote.amountIn, paid.usdWad, 10n ** BigInt(paid.decimals)),
    receivedUsdWad: mulDivDown(quote.amountOut, received.usdWad, 10n ** BigInt(received.decimals)),
  };
}

/** What the trader loses, in 1/10,000 of what is paid, rounded up; negative for a gain. Undefined if nothing is paid. */
export const costBps = ({ paidUsdWad, receivedUsdWad }: Worth): bigint | undefined => {
  if (paidUsdWad <= 0n) return undefined;
  const lost = paidUsdWad - receivedUsdWad;
  return lost > 0n ? mulDivUp(lost, BPS, paidUsdWad) : -mulDivDown(-lost, BPS, paidUsdWad);
};

/** The parts of a cost in USD with 18 decimals, which add up to it. */
export interface CostParts {
  readonly feeUsdWad: bigint;
  /** How far the pool's price is from the value: a buyer loses what it asks above, a seller what it bids below. */
  readonly distanceUsdWad: bigint;
  /** The rest: by how much the size moves the price. */
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
