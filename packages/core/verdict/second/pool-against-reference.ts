import { apart, shortUnits } from '../../domain/readable.ts';
import { deviationBpsUp } from '../../domain/units.ts';
import { type Check, judge, missing } from '../check.ts';
import { poolUsdWad, referenceUsdWad } from '../references.ts';

// The trade executes at the pool's price; the references show what it should cost.
export const poolAgainstReference: Check = {
  id: 'pool_against_reference',
  question: 'Does the pool trade at the reference price?',
  rests: ['block', 'chainlink', 'quote_token', 'venus', 'exchange', 'pyth'],
  run(proposal) {
    const { chain, limits, asset, quoteAsset } = proposal;
    const limit = limits.poolBps.noGo;
    const reference = referenceUsdWad(proposal);
    if (reference === undefined) {
      return missing('reference_missing', limit, 'bps', `There is no reference price of ${asset.symbol}.`);
    }
    const usdWad = poolUsdWad(chain);
    if (usdWad === undefined) {
      const detail =
        chain.spotWad === undefined
          ? `The ${asset.symbol}/${quoteAsset.symbol} pool gave no price.`
          : `The Chainlink feed of ${quoteAsset.symbol} gave no price, so that the pool's is not known in USD.`;
      return missing('pool_missing', limit, 'bps', detail);
    }
    const measured = deviationBpsUp(usdWad, reference);
    return judge(
      measured,
      limits.poolBps,
      'pool_off_reference',
      `The pool trades ${asset.symbol} at ${shortUnits(usdWad, 18)} USD, ${apart(usdWad, reference, measured)} ` +
        `the reference price of ${shortUnits(reference, 18)} USD`,
    );
  },
};
