import { formatBps } from '../../domain/units.ts';
import { type Check, judge, missing, notAsked } from '../check.ts';
import { changesOf, closesOf, deviationOf } from '../statistics.ts';

/** A day. */
const LEAST = 25;

// In a storm every price is right for a moment only, and this one is acted on some seconds later.
export const volatility: Check = {
  id: 'volatility',
  question: 'Is the market calm enough for a price to last?',
  run({ history, limits, asset }) {
    const band = limits.volatilityBps;
    if (history === 'off') return notAsked(band, 'bps', `No exchange is asked for the past of ${asset.symbol}.`);
    const closes = history && closesOf({ ...history, closesWad: history.closesWad.slice(-LEAST) }, LEAST);
    if (history === undefined || closes === undefined) {
      return missing('history_missing', band.noGo, 'bps', `The exchange gave no past prices of ${asset.symbol}.`);
    }
    const measured = BigInt(Math.ceil(deviationOf(changesOf(closes)) * 10_000));
    const told = `${asset.symbol} has moved by ${formatBps(measured)} an hour, by its last ${closes.length - 1} hours`;
    return judge(measured, band, 'volatility_high', told);
  },
};
