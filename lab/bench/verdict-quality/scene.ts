import type { Asset, TradedAsset } from '@bowline/core/domain/assets';
import type { Side } from '@bowline/core/domain/facts';

// A moment: the truth, and what each source says about it. Floats are fine: nothing is paid with them. Attacks are
// functions from scene to scene; `proposalOf` turns a scene into facts.

export interface Scene {
  readonly asset: TradedAsset;
  readonly quoteAsset: Asset;
  readonly side: Side;
  readonly sizeUsd: number;
  /** The block's time, and the wall clock when everything had been read; unix seconds. */
  readonly blockAt: number;
  readonly readAt: number;
  /** How many blocks the final block is behind. */
  readonly finalLag: number;
  /** True USD of one whole asset, and of one whole quote token, at the block. */
  readonly usd: number;
  readonly quoteUsd: number;
  /** USD answers, and their ages at the block in seconds. */
  readonly chainlink?: { readonly usd: number; readonly age: number; readonly before: number };
  /** What Chainlink's feed said an hour ago and two hours ago, in USD; absent if its rounds do not reach back. */
  readonly feedPast?: readonly [hourAgo: number, twoHoursAgo: number];
  /** From the same operator as Chainlink's. */
  readonly venusUsd?: number;
  readonly quoteFeed: { readonly usd: number; readonly age: number };
  /** Mid-price in quote tokens, half the spread as a share of it, the clock's offset. */
  readonly exchange?: Exchange;
  /** USD, and its age by the wall clock. */
  readonly pyth?: { readonly usd: number; readonly confidence: number; readonly age: number };
  readonly pool: Pool;
  /** Hourly closes before the current hour, oldest first, with the beginning of their hours; empty if silent. */
  readonly closes: readonly { readonly at: number; readonly close: number }[];
}

export interface Exchange {
  readonly mid: number;
  readonly halfSpread: number;
  readonly offset: number;
}

export interface Pool {
  /** Quote tokens per asset: now, and the mean of ten minutes. */
  readonly spot: number;
  readonly mean: number;
  /** USD in the quote token's virtual reserve: a trade of 1 % of it has an impact of 1 %. */
  readonly depthUsd: number;
  /** Share of the output that this trade's route loses besides fee and impact, for example to a gap in liquidity. */
  readonly detour: number;
  /** Shares that the token withholds from a transfer there, and from one back; 1 refuses, below 0 it gives some back. */
  readonly taxThere: number;
  readonly taxBack: number;
}

/** Whole tokens paid and received, received after taxes, and returned by a swap back at once. */
export interface Trade {
  readonly paid: number;
  readonly quoted: number;
  readonly received: number;
  readonly returned: number;
}

/** The agent converts dollars at the feeds' prices; a pool with virtual reserves fills the trade. */
export function tradeOf({ side, sizeUsd, usd, chainlink, quoteFeed, pool, asset }: Scene): Trade {
  const kept = 1 - (asset.pool.feeMillionths ?? 0) / 1e6;
  const feed = chainlink?.usd;
  const paid = sizeUsd / (side === 'buy' ? quoteFeed.usd : feed !== undefined && feed > 0 ? feed : usd);
  // Reserves in the units of the paid and of the received token.
  const quotes = pool.depthUsd / quoteFeed.usd;
  const [paying, receiving] = side === 'buy' ? [quotes, quotes / pool.spot] : [quotes / pool.spot, quotes];
  const into = paid * kept;
  const quoted = ((receiving * into) / (paying + into)) * (1 - pool.detour);
  const received = quoted * (1 - pool.taxThere);
  // The detour is a gap between the prices of both directions, so it is not won back.
  const back = received * kept;
  const left = receiving - quoted;
  const returned = (((paying + into) * back) / (left + back)) * (1 - pool.taxThere) * (1 - pool.taxBack);
  return { paid, quoted, received, returned };
}

/**
 * How much less than its true price the trade returns, without the pool's fee: 0.02 is 2 %. Negative for a bargain.
 * A refused swap loses nothing; what cannot be sold again is worth that much less.
 */
export function lossOf(scene: Scene): number {
  const { side, usd, quoteUsd, pool, asset } = scene;
  if (pool.taxThere === 1) return 0;
  const { paid, received } = tradeOf(scene);
  const [paidUsd, receivedUsd] =
    side === 'buy'
      ? [paid * quoteUsd, received * usd * (1 - Math.max(0, pool.taxBack))]
      : [paid * usd, received * quoteUsd];
  return 1 - receivedUsd / (1 - (asset.pool.feeMillionths ?? 0) / 1e6) / paidUsd;
}
