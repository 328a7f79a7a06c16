import { BowlineError } from './result.ts';
import type { Address, Hex } from './units.ts';

/** Class of an asset, which decides its limits. */
export const assetClasses = ['crypto', 'stable'] as const;
export type AssetClass = (typeof assetClasses)[number];

interface Pool {
  /** The asset that pays for it; a route to it may use any pools. */
  readonly quote: string;
  /** The pool of the two tokens that get_price reads; absent if there is none. */
  readonly address?: Address;
  readonly feeMillionths?: number;
}

/** One line of the asset registry. Adding an asset is data, not code. */
export interface Asset {
  /** Display symbol, upper case: BTCB. */
  readonly symbol: string;
  readonly name: string;
  readonly class: AssetClass;
  readonly address: Address;
  readonly decimals: number;
  /** Chainlink feed of asset / USD. */
  readonly feed: Address;
  readonly feedDecimals: number;
  /** How it is traded on PancakeSwap v3. Absent: the asset has a price but is not traded. */
  readonly pool?: Pool;
  /** Pair on the exchange, quoted in the pool's quote asset; absent if there is none. */
  readonly exchangePair?: string;
  /** Pyth price ID; absent if there is none. */
  readonly pythId?: Hex;
  /** Set only if Venus does not list it. */
  readonly onVenus?: false;
  /** Other names people use for it, lower case. */
  readonly aliases: readonly string[];
}

/** Symbol of the token that BNB is wrapped into, which has BNB's price. */
export const WRAPPED_BNB = 'WBNB';

export type TradedAsset = Asset & { readonly pool: Pool };

export const isTraded = <Each extends Pick<Asset, 'pool'>>(asset: Each): asset is Each & { readonly pool: Pool } =>
  asset.pool !== undefined;

/** @throws BowlineError `no_pool`. */
export function tradedAsset(asset: Asset): TradedAsset {
  if (isTraded(asset)) return asset;
  const { symbol } = asset;
  throw new BowlineError(
    'no_pool',
    `${symbol} has no pool here to trade it in. Ask for its price instead (get_price).`,
  );
}

/** The asset in which the asset's pool is quoted. */
export function quoteAssetOf(assets: readonly Asset[], { symbol, pool }: TradedAsset): Asset {
  const quoteAsset = assets.find((other) => other.symbol === pool.quote);
  if (quoteAsset === undefined) throw new BowlineError('internal', `${symbol} has no quote asset.`);
  return quoteAsset;
}

interface Named {
  readonly symbol: string;
  readonly address: string;
  /** Other names, in lower case. */
  readonly aliases?: readonly string[];
}

/** The listed asset that a text names by symbol, other name or address, in any case; undefined if none. */
export function assetNamed<Listed extends Named>(assets: readonly Listed[], text: string): Listed | undefined {
  const wanted = text.trim().toLowerCase();
  return assets.find(({ symbol, address, aliases = [] }) =>
    [symbol.toLowerCase(), address.toLowerCase(), ...aliases].includes(wanted),
  );
}
