import type { Check } from '../check.ts';
import { allInCost } from './all-in-cost.ts';
import { chainFreshness } from './chain-freshness.ts';
import { chainHealth } from './chain-health.ts';
import { executability } from './executability.ts';
import { priceJump } from './price-jump.ts';
import { recentMove } from './recent-move.ts';
import { stablecoinPeg } from './stablecoin-peg.ts';
import { volatility } from './volatility.ts';
import { wayBack } from './way-back.ts';

/**
 * Each check stops some loss that all others let pass, as a test shows. All run in this order, whatever earlier ones
 * found. Among findings of equal weight the first gives the verdict its reason, so causes come before consequences.
 */
export const checks: readonly Check[] = [
  chainHealth,
  chainFreshness,
  priceJump,
  executability,
  wayBack,
  stablecoinPeg,
  allInCost,
  volatility,
  recentMove,
];
