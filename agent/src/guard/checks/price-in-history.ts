import { formatUnits } from '../../domain/units.ts';
import { type Check, judge, missing, notAsked } from '../check.ts';
import { changesOf, closesOf, deviationOf } from '../statistics.ts';

/** Two days of hours. */
const LEAST = 49;

// Fair against its own past: how large the last move is, in the deviations of those before. A price that leaves
// its past is no fraud, but the moment to wait a slot.
export const priceInHistory: Check = {
  id: 'price_in_history',
  question: 'Is the price usual by its own past?',
  run({ history, limits, asset }) {
    const band = limits.unusualMillisigma;
    if (history === 'off') return notAsked(band, 'millisigma', `No exchange is asked for the past of ${asset.symbol}.`);
    const closes = history && closesOf(history, LEAST);
    if (closes === undefined) {
      const detail = `The exchange gave no past prices of ${asset.symbol}.`;
      return missing('history_missing', band.noGo, 'millisigma', detail);
    }
    const changes = changesOf(closes);
    const last = changes.at(-1) ?? 0;
    // The change that is judged has no part in what it is judged by.
    const usual = deviationOf(changes.slice(0, -1));
    const measured = BigInt(Math.ceil((Math.abs(last) / Math.max(usual, 1e-6)) * 1_000));
    const times = formatUnits(measured, 3);
    const told = `${asset.symbol} has last moved by ${times} deviations of its ${changes.length - 1} moves before`;
    return judge(measured, band, 'price_unusual', told, 'millisigma');
  },
};
