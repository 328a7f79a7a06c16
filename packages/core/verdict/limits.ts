import type { AssetClass } from '../domain/assets.ts';
import type { Band, Limits } from '../domain/facts.ts';
import type { BarePlan } from '../domain/permissions.ts';

/** A rise of 10 % is 953 as a logarithm: whatever an asset's history says, it is never a pass. */
export const SUDDEN_BPS = 900n;

const crypto: Limits = {
  referenceAgeSeconds: 300n,
  quoteAgeSeconds: 93_600n,
  blockAgeSeconds: 60n,
  exchangeAgeSeconds: 30n,
  pythAgeSeconds: 60n,
  finalityBlocks: { caution: 100n, noGo: 400n },
  jumpBps: { caution: 3_000n, noGo: 10_000n },
  costBps: { caution: 40n, noGo: 90n },
  taxBps: { caution: 0n, noGo: 0n },
  roundTripBps: { caution: 10n, noGo: 50n },
  pegBps: { caution: 50n, noGo: 100n },
  volatilityBps: { caution: 300n, noGo: 600n },
  moveBps: { caution: SUDDEN_BPS, noGo: 2_000n },
  fittedHours: 0n,
};

/** Limits of each asset class; asset-limits.ts has those of single assets, among them each feed's age. See docs/reasons.md. */
export const limitsOf: Readonly<Record<AssetClass, Limits>> = {
  crypto,
  stable: {
    ...crypto,
    referenceAgeSeconds: 93_600n,
    jumpBps: { caution: 200n, noGo: 1_000n },
    costBps: { caution: 20n, noGo: 50n },
    volatilityBps: { caution: 20n, noGo: 100n },
    moveBps: { caution: 50n, noGo: 200n },
  },
};

/**
 * Applies a plan's own terms if they are stricter: a trade its floor would reject is not worth the gas of an attempt. A
 * plan without a price source has no slippage term, and the registry stores zero.
 */
export function stricter(
  limits: Limits,
  { priceSource, maxSlippageBps }: Pick<BarePlan, 'priceSource' | 'maxSlippageBps'>,
): Limits {
  if (BigInt(priceSource) === 0n) return limits;
  const max = BigInt(maxSlippageBps);
  const within = ({ caution, noGo }: Band): Band => ({
    caution: caution < max ? caution : max,
    noGo: noGo < max ? noGo : max,
  });
  return { ...limits, costBps: within(limits.costBps) };
}
