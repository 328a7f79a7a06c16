import { deviationBpsUp, formatUsd } from '../../domain/units.ts';
import { type Check, judge, missing } from '../check.ts';

// A price pushed within this block, or the last few, stands far from its own mean.
export const spotAgainstTwap: Check = {
  id: 'spot_against_twap',
  question: 'Has the pool been pushed?',
  run({ chain, limits, asset, quoteAsset }) {
    if (chain.spotWad === undefined || chain.twapWad === undefined) {
      const detail = `The ${asset.symbol}/${quoteAsset.symbol} pool remembers less than ${chain.twapSeconds} s.`;
      return missing('twap_missing', limits.twapBps.noGo, 'bps', detail);
    }
    return judge(
      deviationBpsUp(chain.spotWad, chain.twapWad),
      limits.twapBps,
      'spot_off_twap',
      `The pool trades at ${formatUsd(chain.spotWad)} ${quoteAsset.symbol}, ` +
        `its mean of ${chain.twapSeconds} s is ${formatUsd(chain.twapWad)}.`,
    );
  },
};
