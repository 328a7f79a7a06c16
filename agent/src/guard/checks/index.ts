import type { Check } from '../check.ts';
import { exchangeSpread } from './exchange-spread.ts';
import { poolAgainstReference } from './pool-against-reference.ts';
import { priceImpact } from './price-impact.ts';
import { referenceAgreement } from './reference-agreement.ts';
import { referenceFreshness } from './reference-freshness.ts';
import { spotAgainstTwap } from './spot-against-twap.ts';
import { stablecoinPeg } from './stablecoin-peg.ts';

/** All of them run, in this order, whatever the ones before have found. */
export const checks: readonly Check[] = [
  referenceFreshness,
  exchangeSpread,
  referenceAgreement,
  poolAgainstReference,
  spotAgainstTwap,
  priceImpact,
  stablecoinPeg,
];
