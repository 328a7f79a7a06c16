import { apart, shortUnits } from '../../domain/readable.ts';
import { deviationBpsUp, mulDivDown, WAD } from '../../domain/units.ts';
import { type Check, judge, missing, notAsked } from '../check.ts';
import { poolUsdWad } from '../references.ts';

// A token with an underlying is worth that underlying, not what its pool or its own market say.
export const premiumToUnderlying: Check = {
  id: 'premium_to_underlying',
  question: 'Is it priced as what it stands for?',
  rests: ['block', 'chainlink', 'quote_token'],
  run({ asset, chain, limits }) {
    const band = limits.premiumBps;
    if (asset.multiplier === undefined) return notAsked(band, 'bps', `${asset.symbol} stands for nothing else.`);
    const { multiplier, chainlink } = chain;
    if (multiplier === undefined) {
      return missing('multiplier_missing', band.noGo, 'bps', `How much one ${asset.symbol} stands for is not known.`);
    }
    const worth = mulDivDown(chainlink?.usdWad ?? 0n, multiplier.wad, WAD);
    if (worth <= 0n) {
      return missing('reference_missing', band.noGo, 'bps', `What ${asset.symbol} stands for has no price.`);
    }
    const usdWad = poolUsdWad(chain);
    if (usdWad === undefined) {
      return missing('pool_missing', band.noGo, 'bps', `The pool of ${asset.symbol} gave no price.`);
    }
    const measured = deviationBpsUp(usdWad, worth);
    const statement =
      `One ${asset.symbol} costs ${shortUnits(usdWad, 18)} USD, ${apart(usdWad, worth, measured)} ` +
      `the ${shortUnits(worth, 18)} USD that it stands for`;
    return judge(measured, band, 'premium_high', statement);
  },
};
