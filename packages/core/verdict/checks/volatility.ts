import { formatBps } from '../../domain/units.ts';
import { type Check, judge, notAsked } from '../check.ts';
import { changesOf, closesOf, deviationOf } from '../statistics.ts';

/** One day of hours. */
const MIN_HOURS = 25;

// In a market that moves by percents every hour, a price is worth less than the time that it takes to act on it. An
// unknown past is no danger by itself: what the trade costs now is known. Volatility is the standard deviation of
// logarithmic changes, in percent by convention.
export const volatility: Check = {
  id: 'volatility',
  question: 'Is the market calm enough for a price to last?',
  rests: ['exchange'],
  run({ history, limits, asset }) {
    const band = limits.volatilityBps;
    if (history === 'off') return notAsked(band, 'bps', `No exchange is asked for the past of ${asset.symbol}.`);
    const closes = history && closesOf({ ...history, closesWad: history.closesWad.slice(-MIN_HOURS) }, MIN_HOURS);
    if (history === undefined || closes === undefined || history.intervalSeconds <= 0n) {
      return notAsked(band, 'bps', `The exchange gave no unbroken day of past prices of ${asset.symbol}.`);
    }
    // Scaled to one hour whatever the interval: a random walk moves with the square root of time.
    const anHour = deviationOf(changesOf(closes)) * Math.sqrt(3_600 / Number(history.intervalSeconds));
    const measured = BigInt(Math.ceil(anHour * 10_000));
    const statement = `The volatility of ${asset.symbol} is ${formatBps(measured)} an hour, by its last ${closes.length - 1} changes`;
    return judge(measured, band, 'volatility_high', statement);
  },
};
