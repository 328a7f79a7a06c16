import type { Check } from '../check.ts';
import { allInCost } from './all-in-cost.ts';
import { bargain } from './bargain.ts';
import { chainFreshness } from './chain-freshness.ts';
import { chainHealth } from './chain-health.ts';
import { exchangeDepth } from './exchange-depth.ts';
import { executability } from './executability.ts';
import { liquidityWithdrawn } from './liquidity-withdrawn.ts';
import { priceImpact } from './price-impact.ts';
import { priceInHistory } from './price-in-history.ts';
import { priceJump } from './price-jump.ts';
import { recentMove } from './recent-move.ts';
import { referenceAgreement } from './reference-agreement.ts';
import { referenceQuorum } from './reference-quorum.ts';
import { spotAgainstTwap } from './spot-against-twap.ts';
import { stablecoinPeg } from './stablecoin-peg.ts';
import { volatility } from './volatility.ts';
import { wayBack } from './way-back.ts';

/**
 * All checks run in this order, whatever earlier ones found. Among findings of equal weight the first gives the verdict
 * its reason, so causes come before their consequences.
 */
export const checks: readonly Check[] = [
  chainHealth,
  chainFreshness,
  referenceQuorum,
  priceJump,
  referenceAgreement,
  bargain,
  spotAgainstTwap,
  liquidityWithdrawn,
  priceImpact,
  exchangeDepth,
  executability,
  wayBack,
  stablecoinPeg,
  allInCost,
  volatility,
  recentMove,
  priceInHistory,
];
