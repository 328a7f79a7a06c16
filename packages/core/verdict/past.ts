import type { History, Proposal } from '../domain/facts.ts';
import { countedOf } from './sources.ts';
import { closesOf } from './statistics.ts';

/** The current hour, the one before, and where that began. */
export const RECENT_CLOSES = 3;
const HOUR = 3_600n;

/** The last hours' prices, oldest first, the newest of now; undefined if nobody gives them. */
export function recentCloses(proposal: Proposal): readonly number[] | undefined {
  const { history } = proposal;
  const ofExchange = history === 'off' ? undefined : history && newest(history, RECENT_CLOSES);
  return ofExchange ?? ofFeed(proposal);
}

/** So many newest closes, unless there are fewer. */
export const newest = (history: History, count: number): readonly number[] | undefined =>
  closesOf({ ...history, closesWad: history.closesWad.slice(-count) }, count);

/** What the asset's feed said two hours ago, one hour ago, and now. */
function ofFeed(proposal: Proposal): readonly number[] | undefined {
  const { chainlink, chainlinkPast, block } = proposal.chain;
  const isCounted = countedOf(proposal).some(({ source }) => source === 'chainlink');
  if (chainlink === undefined || chainlinkPast === undefined || !isCounted) return undefined;
  const isOfThen = chainlinkPast.every(({ updatedAt }, hours) => {
    return updatedAt > 0n && block.timestamp - updatedAt >= HOUR * BigInt(hours + 1);
  });
  if (!isOfThen || chainlinkPast.length < RECENT_CLOSES - 1) return undefined;
  const closesWad = [...chainlinkPast.map(({ usdWad }) => usdWad).toReversed(), chainlink.usdWad];
  return newest({ intervalSeconds: HOUR, closesWad }, RECENT_CLOSES);
}
