import type { Check } from '../check.ts';
import { allInCost } from '../checks/all-in-cost.ts';
import { bargain } from '../checks/bargain.ts';
import { chainFreshness } from '../checks/chain-freshness.ts';
import { chainHealth } from '../checks/chain-health.ts';
import { exchangeDepth as depthNow } from '../checks/exchange-depth.ts';
import { executability } from '../checks/executability.ts';
import { liquidityWithdrawn } from '../checks/liquidity-withdrawn.ts';
import { premiumToUnderlying } from '../checks/premium-to-underlying.ts';
import { priceImpact } from '../checks/price-impact.ts';
import { priceInHistory as historyNow } from '../checks/price-in-history.ts';
import { priceJump } from '../checks/price-jump.ts';
import { referenceAgreement as agreementNow } from '../checks/reference-agreement.ts';
import { referenceQuorum } from '../checks/reference-quorum.ts';
import { shareMultiplier } from '../checks/share-multiplier.ts';
import { spotAgainstTwap as twapNow } from '../checks/spot-against-twap.ts';
import { stablecoinPeg as pegNow } from '../checks/stablecoin-peg.ts';
import { tradingHalt } from '../checks/trading-halt.ts';
import { tradingSession } from '../checks/trading-session.ts';
import { volatilityBy } from '../checks/volatility.ts';
import { wayBack } from '../checks/way-back.ts';
import { exchangeDepth } from './exchange-depth.ts';
import { exchangeSpread } from './exchange-spread.ts';
import { poolAgainstReference } from './pool-against-reference.ts';
import { priceInHistory } from './price-in-history.ts';
import { recentMove } from './recent-move.ts';
import { referenceAgreement } from './reference-agreement.ts';
import { referenceConfidence } from './reference-confidence.ts';
import { referenceFreshness } from './reference-freshness.ts';
import { spotAgainstTwap } from './spot-against-twap.ts';
import { stablecoinPeg } from './stablecoin-peg.ts';
import { volatility } from './volatility.ts';

// The checks of earlier versions, by which their recorded verdicts are judged again. They change no more.

/** Checks of rules version 3. */
export const thirdChecks: readonly Check[] = [
  chainHealth,
  chainFreshness,
  tradingHalt,
  tradingSession,
  shareMultiplier,
  referenceQuorum,
  priceJump,
  agreementNow,
  premiumToUnderlying,
  bargain,
  twapNow,
  liquidityWithdrawn,
  priceImpact,
  depthNow,
  executability,
  wayBack,
  pegNow,
  allInCost,
  volatilityBy((symbol, percent) => `${symbol} moves by ${percent}`),
  recentMove,
  historyNow,
];

/** Checks of rules version 2. */
export const secondChecks: readonly Check[] = [
  chainHealth,
  tradingHalt,
  tradingSession,
  shareMultiplier,
  referenceFreshness,
  referenceConfidence,
  exchangeSpread,
  priceJump,
  referenceAgreement,
  premiumToUnderlying,
  poolAgainstReference,
  spotAgainstTwap,
  liquidityWithdrawn,
  priceImpact,
  exchangeDepth,
  executability,
  wayBack,
  stablecoinPeg,
  volatility,
  priceInHistory,
];

/** Checks of rules version 1. */
export const firstChecks: readonly Check[] = [
  referenceFreshness,
  exchangeSpread,
  referenceAgreement,
  poolAgainstReference,
  spotAgainstTwap,
  priceImpact,
  stablecoinPeg,
];
