import { apart, shortUnits } from '../../domain/readable.ts';
import { deviationBpsUp } from '../../domain/units.ts';
import { type Check, judge, missing } from '../check.ts';
import { poolUsdWad } from '../references.ts';
import { apartOf, conservativeUsdWad } from '../sources.ts';

// A price in the trader's favour is welcome up to a point. Far beyond it the pool may know what no source says, for
// example that a wrapped token has lost its backing; and where the sources are apart, it may only look like one.
export const bargain: Check = {
  id: 'bargain',
  question: "Is the pool's price too good to be true?",
  rests: ['block', 'chainlink', 'quote_token', 'redstone', 'exchange', 'binance_oracle', 'pyth'],
  run(proposal) {
    const { chain, limits, asset, quoteAsset, side } = proposal;
    const { poolBps, referencesBps } = limits;
    const reference = conservativeUsdWad(proposal, side);
    if (reference === undefined) {
      const detail = `What ${asset.symbol} is worth is not known by two independent sources.`;
      return missing('reference_missing', poolBps.noGo, 'bps', detail);
    }
    const usdWad = poolUsdWad(proposal);
    if (usdWad === undefined) {
      const detail =
        chain.spotWad === undefined
          ? `The ${asset.symbol}/${quoteAsset.symbol} pool gave no price.`
          : `No source has a current price of ${quoteAsset.symbol}, so that the pool's is not known in USD.`;
      return missing('pool_missing', poolBps.noGo, 'bps', detail);
    }
    const isFavourable = side === 'buy' ? usdWad < reference : usdWad > reference;
    const distance = deviationBpsUp(usdWad, reference);
    const isApart = (apartOf(proposal)?.widestBps ?? 0n) > referencesBps.caution;
    const caution = isApart && referencesBps.caution < poolBps.caution ? referencesBps.caution : poolBps.caution;
    const statement =
      `The pool trades ${asset.symbol} at ${shortUnits(usdWad, 18)} USD, ${apart(usdWad, reference, distance)} ` +
      `the conservative reference of ${shortUnits(reference, 18)} USD`;
    return judge(isFavourable ? distance : 0n, { ...poolBps, caution }, 'pool_off_reference', statement);
  },
};
