import type { Proposal } from '../../domain/facts.ts';
import { formatBps } from '../../domain/units.ts';
import { type Answer, type Check, judge } from '../check.ts';
import { countedOf } from '../sources.ts';
import { changesOf, closesOf, inPercent } from '../statistics.ts';

/** Ends of the current hour and the one before, and the start of that one. */
const RECENT_CLOSES = 3;
const HOUR = 3_600n;
/** This many counted sources bound what a buy after a fall can cost: two of them would have to lie. */
const ENOUGH_SOURCES = 3;

// In the hours of a crash or a pump, sources follow one another, and all of them follow whoever moves the market. The
// limits are moves that the asset has hardly ever made in its own history. They bound logarithmic changes, which add up
// over hours; move and limits are stated as percentages of the previous price. Waiting after a fall makes a buy more
// expensive, so a buy waits only if fewer than three sources state the price.
export const recentMove: Check = {
  id: 'recent_move',
  question: 'Have the last two hours moved further than this asset ever does?',
  rests: ['block', 'chainlink', 'exchange'],
  run(proposal): Answer {
    const { limits, asset, side, history } = proposal;
    const ofExchange = history && history !== 'off' ? closesOf(history.closesWad, RECENT_CLOSES) : undefined;
    const closes = ofExchange ?? closesOfFeed(proposal);
    if (closes === undefined) {
      const { caution: cautionLimit, noGo: limit } = inPercent(0n, limits.moveBps, 'fall').band;
      const detail = `Neither the exchange nor its Chainlink feed gives the prices of ${asset.symbol} in the last two hours.`;
      return { outcome: 'caution', reason: 'past_missing', limit, cautionLimit, unit: 'bps', detail };
    }
    const [before = 0, last = 0] = changesOf(closes);
    const move = [before, before + last].reduce((far, each) => (Math.abs(each) > Math.abs(far) ? each : far), last);
    const direction = move > 0 ? 'rise' : 'fall';
    const { measured, band } = inPercent(BigInt(Math.ceil(Math.abs(move) * 10_000)), limits.moveBps, direction);
    const moved = direction === 'fall' ? 'fallen' : 'risen';
    const how = measured === 0n ? 'not moved' : `${moved} by ${formatBps(measured)}`;
    const statement = `${asset.symbol} has ${how} within its last two hours`;
    const count = countedOf(proposal).length;
    const isBorne = side === 'buy' && direction === 'fall' && measured > band.caution && count >= ENOUGH_SOURCES;
    if (!isBorne) return judge(measured, band, 'price_moving', statement);
    const detail = `${statement}; ${count} sources say what it costs now.`;
    return { outcome: 'pass', measured, limit: band.noGo, cautionLimit: band.caution, unit: 'bps', detail };
  },
};

/** What the asset's feed said two hours ago, one hour ago, and now, if that counts. */
function closesOfFeed(proposal: Proposal): readonly number[] | undefined {
  const { chainlink, chainlinkPast = [], block } = proposal.chain;
  const isCounted = countedOf(proposal).some(({ source }) => source === 'chainlink');
  const isOfThen = chainlinkPast.every(({ updatedAt }, hours) => {
    return updatedAt > 0n && block.timestamp - updatedAt >= HOUR * BigInt(hours + 1);
  });
  if (chainlink === undefined || !isCounted || !isOfThen) return undefined;
  return closesOf([...chainlinkPast.map(({ usdWad }) => usdWad).toReversed(), chainlink.usdWad], RECENT_CLOSES);
}
