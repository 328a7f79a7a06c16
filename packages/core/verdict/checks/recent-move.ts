import { formatBps } from '../../domain/units.ts';
import { type Check, judge, notAsked } from '../check.ts';
import { changesOf, closesOf } from '../statistics.ts';

/** The current hour, the one before, and where that began. */
const MIN_HOURS = 3;

// In the hours of a crash or a pump, sources follow one another, and all of them follow whoever moves the market. The
// limits are what the asset has hardly ever done in its own history.
export const recentMove: Check = {
  id: 'recent_move',
  question: 'Have the last two hours moved further than this asset ever does?',
  rests: ['exchange'],
  run({ history, limits, asset }) {
    const band = limits.moveBps;
    if (history === 'off') return notAsked(band, 'bps', `No exchange is asked for the past of ${asset.symbol}.`);
    const closes = history && closesOf({ ...history, closesWad: history.closesWad.slice(-MIN_HOURS) }, MIN_HOURS);
    if (closes === undefined) {
      return notAsked(band, 'bps', `The exchange gave no prices of the last hours of ${asset.symbol}.`);
    }
    const [before = 0, last = 0] = changesOf(closes);
    const max = Math.max(Math.abs(last), Math.abs(before), Math.abs(before + last));
    const measured = BigInt(Math.ceil(max * 10_000));
    const statement = `${asset.symbol} has moved by ${formatBps(measured)} within its last two hours`;
    return judge(measured, band, 'price_moving', statement);
  },
};
