import type { History } from '../../domain/facts.ts';
import { formatBps } from '../../domain/units.ts';
import { type Check, judge, notAsked } from '../check.ts';
import { changesOf, closesOf, inPercent } from '../statistics.ts';

/** The current hour, the one before, and where that began. */
const MIN_HOURS = 3;

interface Move {
  /** Logarithmic, in 1/10,000, rounded up. Logarithms of changes add up over hours. */
  readonly logBps: bigint;
  readonly direction: 'fall' | 'rise';
}

/** The furthest of the last hour's move, that of the hour before, and both together; undefined without the prices. */
function furthestMove(history: History | undefined): Move | undefined {
  const closes = history && closesOf({ ...history, closesWad: history.closesWad.slice(-MIN_HOURS) }, MIN_HOURS);
  if (closes === undefined) return undefined;
  const [before = 0, last = 0] = changesOf(closes);
  const move = [before, before + last].reduce((far, each) => (Math.abs(each) > Math.abs(far) ? each : far), last);
  return { logBps: BigInt(Math.ceil(Math.abs(move) * 10_000)), direction: move > 0 ? 'rise' : 'fall' };
}

// In the hours of a crash or a pump, sources follow one another, and all of them follow whoever moves the market. The
// limits are what the asset has hardly ever done in its own history. They are of logarithmic changes; move and limits are
// said as percentages of the price before.
export const recentMove: Check = {
  id: 'recent_move',
  question: 'Have the last two hours moved further than this asset ever does?',
  rests: ['exchange'],
  run({ history, limits, asset }) {
    const unmeasured = inPercent(0n, limits.moveBps, 'fall').band;
    if (history === 'off') return notAsked(unmeasured, 'bps', `No exchange is asked for the past of ${asset.symbol}.`);
    const move = furthestMove(history);
    if (move === undefined) {
      return notAsked(unmeasured, 'bps', `The exchange gave no prices of the last hours of ${asset.symbol}.`);
    }
    const { logBps, direction } = move;
    const { measured, band } = inPercent(logBps, limits.moveBps, direction);
    const moved = direction === 'fall' ? 'fallen' : 'risen';
    const how = measured === 0n ? 'not moved' : `${moved} by ${formatBps(measured)}`;
    return judge(measured, band, 'price_moving', `${asset.symbol} has ${how} within its last two hours`);
  },
};
