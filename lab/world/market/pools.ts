import type { Address } from 'viem';
import { poolAbi, routerAbi } from '../abis.ts';
import { pancake, tokens, unitScaleOf } from '../addresses.ts';
import { type Chain, call, type EncodedCall } from '../chain.ts';
import { poolAddress, pools, sorted, sqrtPriceX96 } from '../pancake.ts';
import { usd8 } from './feeds.ts';
import { wave } from './noise.ts';
import { type Asset, isAsset, type Path } from './path.ts';

// Pools follow the price because an arbitrageur trades them. The arbitrageur is slightly late and slightly wrong, and
// leaves unprofitable differences alone.

const lagSeconds = 2;
/** The arbitrageur's maximum error, and how quickly the error changes. */
const wrongBps = 3;
const wrongForSeconds = 20;
/** The distance from which a trade pays: about the fee. */
const worthwhileBps: Record<number, bigint> = { 100: 2n, 500: 5n, 2500: 25n };

export interface Pool {
  readonly base: Asset;
  readonly quote: Asset;
  readonly fee: number;
  readonly address: Address;
}

export const tradedPools: readonly Pool[] = pools.flatMap(({ base, quote, fee }) =>
  isAsset(base) && isAsset(quote) ? [{ base, quote, fee, address: poolAddress(tokens[base], tokens[quote], fee) }] : [],
);

export type PoolState = Awaited<ReturnType<typeof readPools>>[number];

export function readPools(chain: Chain) {
  return Promise.all(
    tradedPools.map(async (pool) => {
      const [price] = await chain.readContract({ address: pool.address, abi: poolAbi, functionName: 'slot0' });
      return { pool, sqrtPriceX96: price };
    }),
  );
}

/** The price at which the arbitrageur believes the pool should be at `now`, unix seconds. */
export function believed(pool: Pool, path: Path, now: number): bigint {
  const wrong = wave(path.seed, 1_000 + tradedPools.indexOf(pool), now / wrongForSeconds) * wrongBps;
  return target(pool, path, now - lagSeconds, 1 + wrong / 10_000);
}

/** The pool's sqrtPriceX96 if one whole base were worth `factor` times its price at `time`. */
export function target({ base, quote }: Pool, path: Path, time: number, factor = 1): bigint {
  const unitUsd8 = (asset: Asset) => usd8(path, asset, time) * unitScaleOf(asset);
  const baseUsd = (unitUsd8(base) * BigInt(Math.round(factor * 1e9))) / 10n ** 9n;
  const quoteUsd = unitUsd8(quote);
  return isFirst(base, quote) ? sqrtPriceX96(baseUsd, quoteUsd) : sqrtPriceX96(quoteUsd, baseUsd);
}

export const isWorthwhile = ({ pool, sqrtPriceX96: at }: PoolState, to: bigint): boolean =>
  distanceBps(at, to) > (worthwhileBps[pool.fee] ?? 0n);

/** Distance between two sqrtPriceX96 values, in 1/10,000 of the second price. */
function distanceBps(from: bigint, to: bigint): bigint {
  const [a, b] = [from * from, to * to];
  return ((a > b ? a - b : b - a) * 10_000n) / b;
}

/** The swap that moves the pool exactly to a price. */
export function trade({ pool, sqrtPriceX96: at }: PoolState, to: bigint, trader: Address): EncodedCall {
  const { base, quote, fee } = pool;
  const [token0, token1] = sorted(tokens[base], tokens[quote]);
  const [tokenIn, tokenOut] = at > to ? [token0, token1] : [token1, token0];
  const order = {
    tokenIn,
    tokenOut,
    fee,
    recipient: trader,
    deadline: 2n ** 64n,
    // More than any pool can take: the price limit ends the swap.
    amountIn: 10n ** 30n,
    amountOutMinimum: 0n,
    sqrtPriceLimitX96: to,
  };
  return call(pancake.router, routerAbi, 'exactInputSingle', [order]);
}

const isFirst = (base: Asset, quote: Asset) => sorted(tokens[base], tokens[quote])[0] === tokens[base];
