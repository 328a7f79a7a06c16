import { BowlineError } from './result.ts';
import type { Address, Hex } from './units.ts';

/** What an asset is, which decides the limits that its price is held to. */
export const assetClasses = ['crypto', 'stable', 'tokenised_stock', 'lst'] as const;
export type AssetClass = (typeof assetClasses)[number];

interface Pool {
  readonly address: Address;
  readonly quote: string;
  readonly feeMillionths: number;
}

/** One line of the asset registry. Adding an asset is data, not code. */
export interface Asset {
  /** As people write it, upper case: BTCB. */
  readonly symbol: string;
  readonly name: string;
  readonly class: AssetClass;
  readonly address: Address;
  readonly decimals: number;
  /** Chainlink feed of asset / USD; for an asset with a multiplier, of what it stands for. */
  readonly feed: Address;
  readonly feedDecimals: number;
  /** Its PancakeSwap v3 pool against another asset of the registry, in which it is traded. Absent: it has a price alone. */
  readonly pool?: Pool;
  /** Pair on the exchange, priced in what the pool is quoted in; absent where there is none. */
  readonly exchangePair?: string;
  /** Its price at Pyth, by id; as `feed`, of what it stands for. Absent where there is none. */
  readonly pythId?: Hex;
  /** Only where Venus does not list it. */
  readonly onVenus?: false;
  /** Says how many of what it stands for (shares, staked coins) one token is, and whether it is halted. */
  readonly multiplier?: Address;
  /** Trading hours of what it stands for: the name of a calendar. Absent where it trades at all hours. */
  readonly calendar?: string;
  /** Other words that people use for it, lower case. */
  readonly aliases: readonly string[];
}

export type TradedAsset = Asset & { readonly pool: Pool };

export const isTraded = (asset: Asset): asset is TradedAsset => asset.pool !== undefined;

/** @throws BowlineError `no_pool`. */
export function tradedAsset(asset: Asset): TradedAsset {
  if (isTraded(asset)) return asset;
  const { symbol } = asset;
  throw new BowlineError(
    'no_pool',
    `${symbol} has no pool here to trade it in. Ask for its price instead (get_price).`,
  );
}

/** What the asset's pool is quoted in. */
export function quoteAssetOf(assets: readonly Asset[], { symbol, pool }: TradedAsset): Asset {
  const quoteAsset = assets.find((other) => other.symbol === pool.quote);
  if (quoteAsset === undefined) throw new BowlineError('internal', `${symbol} has no quote asset.`);
  return quoteAsset;
}
