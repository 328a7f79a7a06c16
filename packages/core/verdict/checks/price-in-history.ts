import { formatUnits } from '../../domain/units.ts';
import { type Check, judge, notAsked } from '../check.ts';
import { apartOf, countedOf } from '../sources.ts';
import { changesOf, closesOf, deviationOf } from '../statistics.ts';

/** Two days of hours. */
const MIN_HOURS = 49;

/** Minimum deviation: a stablecoin that did not move for a week has none, and tiny moves must not count. */
const MIN_USUAL = 0.0005;

/** All of them. */
const EVERY_SOURCE = 3;

// Compares a price with its own past, in hourly standard deviations: the current hour's move, the previous one and both
// together. A move far outside it is no reason to wait while every source gives the new price; with one source missing,
// or apart from the others, it is.
export const priceInHistory: Check = {
  id: 'price_in_history',
  question: 'Is an unusual move seen by every source?',
  rests: ['block', 'chainlink', 'quote_token', 'redstone', 'exchange', 'binance_oracle', 'pyth'],
  run(proposal) {
    const { history, limits, asset } = proposal;
    const band = { ...limits.unusualMillisigma, caution: limits.unusualMillisigma.noGo };
    if (history === 'off') return notAsked(band, 'millisigma', `No exchange is asked for the past of ${asset.symbol}.`);
    const closes = history && closesOf(history, MIN_HOURS);
    if (closes === undefined) {
      const detail = `The exchange gave no unbroken two days of past prices of ${asset.symbol}.`;
      return notAsked(band, 'millisigma', detail);
    }
    const changes = changesOf(closes);
    const [before = 0, last = 0] = changes.slice(-2);
    // The judged moves are excluded from the deviation.
    const usual = Math.max(deviationOf(changes.slice(0, -2)), MIN_USUAL);
    const max = Math.max(Math.abs(last), Math.abs(before), Math.abs(before + last) / Math.SQRT2);
    const measured = BigInt(Math.ceil((max / usual) * 1_000));
    const isSeenByAll =
      countedOf(proposal).length >= EVERY_SOURCE &&
      (apartOf(proposal)?.widestBps ?? 0n) <= limits.referencesBps.caution;
    const times = formatUnits(measured, 3);
    const seen = isSeenByAll ? 'which every source confirms' : 'which not every source confirms';
    const statement = `${asset.symbol} has lately moved by ${times} deviations of its ${changes.length - 2} moves before, ${seen}`;
    const answer = judge(measured, band, 'price_unusual', statement, 'millisigma');
    if (answer.outcome === 'pass') return answer;
    const { reason, ...found } = answer;
    return isSeenByAll ? { ...found, outcome: 'pass' } : { ...found, reason: 'price_unusual', outcome: 'caution' };
  },
};
