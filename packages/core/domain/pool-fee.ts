import type { Asset } from './assets.ts';
import { pairingOf } from './route.ts';
import type { Address } from './units.ts';

/**
 * Fee of the pool in which the registry trades two tokens, in millionths; undefined if they are not traded, or no pool of
 * the two is named.
 */
export const poolFeeOf = (
  assets: readonly Pick<Asset, 'symbol' | 'address' | 'pool'>[],
  tokenIn: Address,
  tokenOut: Address,
): number | undefined =>
  // A pairing depends on these fields alone, which are all that the page knows of an asset.
  pairingOf(assets as readonly Asset[], tokenIn, tokenOut)?.asset.pool.feeMillionths;
