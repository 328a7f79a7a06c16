import { shortUnits } from '../../domain/readable.ts';
import { BPS, formatBps, mulDivUp } from '../../domain/units.ts';
import { type Check, judge, missing, notAsked } from '../check.ts';

// A source that reports its own uncertainty, and is too uncertain, does not count as an independent source.
export const referenceConfidence: Check = {
  id: 'reference_confidence',
  question: 'Are the references sure of their prices?',
  rests: ['pyth'],
  run({ pyth, limits, asset }) {
    const band = limits.confidenceBps;
    if (pyth === 'off') return notAsked(band, 'bps', `Pyth is not asked for prices of ${asset.symbol}.`);
    if (pyth === undefined || pyth.confidenceWad === undefined || pyth.usdWad <= 0n) {
      return missing('reference_missing', band.noGo, 'bps', `Pyth gave no price of ${asset.symbol}.`);
    }
    const measured = mulDivUp(pyth.confidenceWad, BPS, pyth.usdWad);
    const statement = `Pyth says ${shortUnits(pyth.usdWad, 18)} USD, give or take ${formatBps(measured)}`;
    return judge(measured, band, 'reference_uncertain', statement);
  },
};
