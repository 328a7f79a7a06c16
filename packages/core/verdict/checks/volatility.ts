import { formatBps } from '../../domain/units.ts';
import { type Check, judge, notAsked } from '../check.ts';
import { changesOf, closesOf, deviationOf } from '../statistics.ts';

/** One day of hours. */
const MIN_HOURS = 25;

// In a market that moves by percents every hour, a price does not last as long as it takes to act on it. If the day is
// unknown, an asset with limits fitted to its own history is judged by its last hours alone. Volatility is the standard
// deviation of logarithmic changes, in percent by convention.
export const volatility: Check = {
  id: 'volatility',
  question: 'Is the market calm enough for a price to last?',
  rests: ['exchange'],
  run({ history, limits, asset }) {
    const band = limits.volatilityBps;
    const { closesWad, intervalSeconds } =
      history && history !== 'off' ? history : { closesWad: [], intervalSeconds: 0n };
    const closes = closesOf(closesWad, MIN_HOURS);
    if (closes === undefined || intervalSeconds <= 0n) {
      const answer = notAsked(band, `No exchange gives an unbroken day of past prices of ${asset.symbol}.`);
      return limits.fittedHours > 0n ? answer : { ...answer, outcome: 'caution', reason: 'past_missing' };
    }
    // Scaled to one hour whatever the interval: a random walk moves with the square root of time.
    const anHour = deviationOf(changesOf(closes)) * Math.sqrt(3_600 / Number(intervalSeconds));
    const measured = BigInt(Math.ceil(anHour * 10_000));
    const statement = `The volatility of ${asset.symbol} is ${formatBps(measured)} an hour, by its last ${closes.length - 1} changes`;
    return judge(measured, band, 'volatility_high', statement);
  },
};
