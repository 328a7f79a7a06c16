import { type Asset, isTraded, type TradedAsset } from './assets.ts';
import type { Side } from './facts.ts';
import type { Address, Hex } from './units.ts';

/** A trade within one pool, in terms of asset and quote asset. */
export interface Route {
  readonly asset: TradedAsset;
  /** The asset it is traded against. */
  readonly quoteAsset: Asset;
  readonly side: Side;
  /** PancakeSwap v3 path: token, 3-byte fee, token. */
  readonly path: Hex;
}

/** The route from `tokenIn` to `tokenOut`; undefined if the registry has no pool of the two. */
export function routeOf(assets: readonly Asset[], tokenIn: Address, tokenOut: Address): Route | undefined {
  const paid = assetOf(assets, tokenIn);
  const received = assetOf(assets, tokenOut);
  if (paid === undefined || received === undefined) return undefined;
  if (isTraded(received) && received.pool.quote === paid.symbol) {
    return { asset: received, quoteAsset: paid, side: 'buy', path: path(paid, received.pool.feeMillionths, received) };
  }
  if (isTraded(paid) && paid.pool.quote === received.symbol) {
    return { asset: paid, quoteAsset: received, side: 'sell', path: path(paid, paid.pool.feeMillionths, received) };
  }
  return undefined;
}

const assetOf = (assets: readonly Asset[], token: Address): Asset | undefined =>
  assets.find(({ address }) => address.toLowerCase() === token.toLowerCase());

const path = (from: Asset, feeMillionths: number, to: Asset): Hex =>
  `0x${from.address.slice(2)}${feeMillionths.toString(16).padStart(6, '0')}${to.address.slice(2)}`.toLowerCase() as Hex;
