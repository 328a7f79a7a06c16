import { formatUnits } from '../../domain/units.ts';
import { type Check, judge, missing, notAsked } from '../check.ts';
import { changesOf, closesOf, deviationOf } from '../statistics.ts';

/** Two days of hours. */
export const MIN_HOURS = 49;

/** Minimum deviation: a stablecoin that did not move for a week has none, and tiny moves must not count. */
const MIN_USUAL = 0.0005;

// Compares a price with its own past, in hourly standard deviations: the current hour's move, the previous one and both
// together, since a crash must not be forgotten when the hour changes. A price outside its past is no fraud, but a
// reason to wait a slot.
export const priceInHistory: Check = {
  id: 'price_in_history',
  question: 'Is the price usual by its own past?',
  rests: ['exchange'],
  run({ history, limits, asset }) {
    const band = limits.unusualMillisigma;
    if (history === 'off') return notAsked(band, 'millisigma', `No exchange is asked for the past of ${asset.symbol}.`);
    const closes = history && closesOf(history, MIN_HOURS);
    if (closes === undefined) {
      const detail = `The exchange gave no past prices of ${asset.symbol}.`;
      return missing('history_missing', band.noGo, 'millisigma', detail);
    }
    const changes = changesOf(closes);
    const [before = 0, last = 0] = changes.slice(-2);
    // The judged moves are excluded from the deviation.
    const usual = Math.max(deviationOf(changes.slice(0, -2)), MIN_USUAL);
    const max = Math.max(Math.abs(last), Math.abs(before), Math.abs(before + last) / Math.SQRT2);
    const measured = BigInt(Math.ceil((max / usual) * 1_000));
    const times = formatUnits(measured, 3);
    const statement = `${asset.symbol} has lately moved by ${times} deviations of its ${changes.length - 2} moves before`;
    return judge(measured, band, 'price_unusual', statement, 'millisigma');
  },
};
