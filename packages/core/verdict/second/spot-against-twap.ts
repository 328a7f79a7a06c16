import { apart, shortUnits } from '../../domain/readable.ts';
import { deviationBpsUp } from '../../domain/units.ts';
import { type Check, judge, missing } from '../check.ts';

// A price pushed within this block or the last few is far from its own mean.
export const spotAgainstTwap: Check = {
  id: 'spot_against_twap',
  question: 'Has the pool been pushed?',
  rests: ['block'],
  run({ chain, limits, asset, quoteAsset }) {
    const { spotWad, twapWad, twapSeconds } = chain;
    const pool = `The ${asset.symbol}/${quoteAsset.symbol} pool`;
    if (spotWad === undefined) return missing('twap_missing', limits.twapBps.noGo, 'bps', `${pool} gave no price.`);
    if (twapWad === undefined || twapWad === 0n) {
      const detail = `${pool} does not remember its prices of the last ${twapSeconds} s.`;
      return missing('twap_missing', limits.twapBps.noGo, 'bps', detail);
    }
    const measured = deviationBpsUp(spotWad, twapWad);
    return judge(
      measured,
      limits.twapBps,
      'spot_off_twap',
      `The pool trades ${asset.symbol} at ${shortUnits(spotWad, 18)} ${quoteAsset.symbol}, ` +
        `${apart(spotWad, twapWad, measured)} its mean of the last ${twapSeconds} s, ` +
        `${shortUnits(twapWad, 18)} ${quoteAsset.symbol}`,
    );
  },
};
