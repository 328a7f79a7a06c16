import { deviationBpsUp, formatUsd, mulDivDown, WAD } from '../../domain/units.ts';
import { type Check, judge, missing } from '../check.ts';
import { referenceUsdWad } from '../references.ts';

// The pool is where the money goes; the references say what it should cost.
export const poolAgainstReference: Check = {
  id: 'pool_against_reference',
  question: 'Does the pool trade at the reference price?',
  run(proposal) {
    const { chain, limits, asset, quoteAsset } = proposal;
    const limit = limits.poolBps.noGo;
    const reference = referenceUsdWad(proposal);
    if (reference === undefined) return missing('reference_missing', limit, 'bps', 'No reference to compare with.');
    if (chain.spotWad === undefined || chain.quoteToken === undefined) {
      return missing('pool_missing', limit, 'bps', `The ${asset.symbol}/${quoteAsset.symbol} pool gave no price.`);
    }
    const poolUsdWad = mulDivDown(chain.spotWad, chain.quoteToken.usdWad, WAD);
    return judge(
      deviationBpsUp(poolUsdWad, reference),
      limits.poolBps,
      'pool_off_reference',
      `The pool trades ${asset.symbol} at ${formatUsd(poolUsdWad)} USD, the references say ${formatUsd(reference)}.`,
    );
  },
};
