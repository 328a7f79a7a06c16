import type { Address } from 'viem';
import { feedAbi, mockFeedAbi } from '../abis.ts';
import { binanceFeeds, feeds, isTestnet, venusFeeds } from '../addresses.ts';
import { type Chain, call, type EncodedCall } from '../chain.ts';
import { answering } from '../oracle.ts';
import { type Asset, assets, type Path } from './path.ts';

// Like real ones, these feeds answer when the price has moved, and from time to time when it has not.

/** A feed's operator. Chainlink has two feeds per asset: the standard one, and the one that Venus reads. */
type Operator = 'chainlink' | 'redStone' | 'atlas' | 'binance';

/** One price feed of an asset. */
export interface Feed {
  readonly asset: Asset;
  readonly operator: Operator;
  readonly address: Address;
  /** How far its answers are behind the market, in seconds. */
  readonly lagSeconds: number;
  /** How far the price must move for an answer, in 1/10,000. */
  readonly movedBps: bigint;
}

const movedBps: Record<Asset, bigint> = { BTCB: 8n, ETH: 8n, WBNB: 8n, USDC: 2n, USDT: 2n };
const heartbeatSeconds = 45;

/** How long an update of Venus's Chainlink feed is for sale before it is published like the standard feed's. */
const saleSeconds = 5;

/** RedStone, Atlas and Binance answer only after twice the move that Chainlink needs. */
const othersMoveTimes = 2n;

/** Chainlink's standard feed of each asset, the three that Venus reads, and Binance's. */
const allFeeds: readonly Feed[] = assets.flatMap((asset): Feed[] => {
  const bps = movedBps[asset];
  const standard = { asset, operator: 'chainlink', address: feeds[asset], lagSeconds: 0, movedBps: bps } as const;
  const { chainlink, redStone, atlas } = venusFeeds;
  const slower = { asset, lagSeconds: 0, movedBps: bps * othersMoveTimes } as const;
  return [
    standard,
    ...(isTestnet ? [] : [{ ...standard, address: chainlink[asset], lagSeconds: saleSeconds }]),
    { ...slower, operator: 'redStone', address: redStone[asset] },
    { ...slower, operator: 'atlas', address: atlas[asset] },
    { ...slower, operator: 'binance', address: binanceFeeds[asset].address },
  ];
});

/** Whether Venus reads this feed. */
const isOfVenus = ({ asset, address }: Feed): boolean => address !== feeds[asset];

export type FeedState = Awaited<ReturnType<typeof readFeeds>>[number];

/** The states of all feeds, in one request: answers in USD with 8 decimals, times in unix seconds. */
export async function readFeeds(chain: Chain) {
  const rounds = await chain.multicall({
    allowFailure: false,
    deployless: true,
    batchSize: 0,
    contracts: allFeeds.map(({ address }) => ({ address, abi: feedAbi, functionName: 'latestRoundData' }) as const),
  });
  return allFeeds.map((feed, at) => {
    const [roundId, answer, , updatedAt] = rounds[at] as (typeof rounds)[number];
    return { feed, roundId, answer, updatedAt };
  });
}

/** A scene's effect on an asset's feeds. */
export interface Bend {
  /** Additional lag of Venus's Chainlink feed, in seconds. */
  readonly lagSeconds: number;
}

/** Whether the feed is due for an answer at `now`, unix seconds. */
export function isDue({ feed, answer, updatedAt }: FeedState, path: Path, now: number, bend: Bend): boolean {
  const price = answerAt(feed, path, now, bend);
  const moved = answer > price ? answer - price : price - answer;
  return moved * 10_000n >= price * feed.movedBps || now - Number(updatedAt) >= heartbeatSeconds;
}

export const answerNow = (feed: Feed, path: Path, now: number, bend: Bend): EncodedCall =>
  answering(feed.address, answerAt(feed, path, now, bend));

function answerAt(feed: Feed, path: Path, now: number, { lagSeconds }: Bend): bigint {
  const more = feed.operator === 'chainlink' && isOfVenus(feed) ? lagSeconds : 0;
  return usd8(path, feed.asset, now - feed.lagSeconds - more);
}

/** The feed's current answer, dated at `updatedAt`. */
export const answerOf = ({ feed, roundId, answer }: FeedState, updatedAt: bigint): EncodedCall =>
  call(feed.address, mockFeedAbi, 'updateRoundData', [roundId + 1n, answer, updatedAt, updatedAt]);

/** USD with 8 decimals, as feeds answer. */
export const usd8 = (path: Pick<Path, 'usd'>, asset: Asset, time: number): bigint =>
  BigInt(Math.round(path.usd(asset, time) * 1e8));
