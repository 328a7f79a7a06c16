import { encodeFunctionData } from 'viem';
import { feedAbi, mockFeedAbi } from '../abis.ts';
import { feeds } from '../addresses.ts';
import type { Chain, EncodedCall } from '../chain.ts';
import { type Asset, assets, type Path } from './path.ts';

// Like a Chainlink feed, this answers when the price has moved, and from time to time when it has not.

const movedBps: Record<Asset, bigint> = { BTCB: 8n, ETH: 8n, WBNB: 8n, USDC: 2n, USDT: 2n, ACMEX: 8n };
const heartbeatSeconds = 45;

export interface FeedState {
  readonly asset: Asset;
  readonly roundId: bigint;
  /** USD with 8 decimals. */
  readonly answer: bigint;
  /** Unix seconds. */
  readonly updatedAt: bigint;
}

export function readFeeds(chain: Chain): Promise<FeedState[]> {
  return Promise.all(
    assets.map(async (asset) => {
      const call = { address: feeds[asset], abi: feedAbi, functionName: 'latestRoundData' } as const;
      const [roundId, answer, , updatedAt] = await chain.readContract(call);
      return { asset, roundId, answer, updatedAt };
    }),
  );
}

/**
 * Whether the feed is due for an answer at `now`, unix seconds.
 * @param parts number of parts a share has been split into: the feed prices one of them.
 */
export function isDue({ asset, answer, updatedAt }: FeedState, path: Path, now: number, parts: bigint): boolean {
  const price = usd8(path, asset, now) / parts;
  const moved = answer > price ? answer - price : price - answer;
  return moved * 10_000n >= price * movedBps[asset] || now - Number(updatedAt) >= heartbeatSeconds;
}

export function answerNow(path: Path, asset: Asset, now: number, parts: bigint): EncodedCall {
  const args = [usd8(path, asset, now) / parts] as const;
  const data = encodeFunctionData({ abi: mockFeedAbi, functionName: 'updateAnswer', args });
  return { to: feeds[asset], data };
}

/** The feed's current answer, dated at `updatedAt`. */
export function answerOf({ asset, roundId, answer }: FeedState, updatedAt: bigint): EncodedCall {
  const args = [roundId + 1n, answer, updatedAt, updatedAt] as const;
  return { to: feeds[asset], data: encodeFunctionData({ abi: mockFeedAbi, functionName: 'updateRoundData', args }) };
}

/** USD with 8 decimals, as feeds answer. */
export const usd8 = (path: Pick<Path, 'usd'>, asset: Asset, time: number): bigint =>
  BigInt(Math.round(path.usd(asset, time) * 1e8));
