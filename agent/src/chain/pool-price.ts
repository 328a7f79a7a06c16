import { WAD } from '@bowline/core/domain/units';

// Prices of a v3 pool, in whole numbers throughout. A pool keeps √(token1 per token0), in base units, with 96 fractional
// bits; ticks are its logarithm to the base √1.0001.

const Q192 = 1n << 192n;
const MAX_TICK = 887_272;

/** Which side of the pool the priced asset is, and the decimals of both. */
export interface PoolSide {
  readonly assetIsToken0: boolean;
  readonly assetDecimals: number;
  readonly quoteDecimals: number;
}

/** Whole quote tokens per whole asset, with 18 decimals, rounded down. `sqrtPriceX96` is above zero. */
export function poolPriceWadDown(sqrtPriceX96: bigint, side: PoolSide): bigint {
  const square = sqrtPriceX96 * sqrtPriceX96;
  const scale = WAD * 10n ** BigInt(side.assetDecimals);
  const quoteUnit = 10n ** BigInt(side.quoteDecimals);
  return side.assetIsToken0 ? (square * scale) / (Q192 * quoteUnit) : (Q192 * scale) / (square * quoteUnit);
}

/** The mean tick between two readings of the pool's tick sum, rounded down as the pool's own library does. */
export function meanTickDown(before: bigint, after: bigint, seconds: bigint): number {
  const difference = after - before;
  const mean = difference / seconds;
  return Number(difference < 0n && difference % seconds !== 0n ? mean - 1n : mean);
}

// The pool multiplies roots of 1/1.0001 that are rounded to 128 fractional bits. Its very roundings are wanted, because its
// own answers are what this is compared with.
const PRECISION = 400n;
const ROOTS: readonly bigint[] = rootsNearest(20);

/** √(1/1.0001)^(2^k) for k = 0, 1, 2 …, with 128 fractional bits, rounded to nearest. */
function rootsNearest(count: number): bigint[] {
  const half = 1n << (PRECISION - 129n);
  const roots: bigint[] = [];
  let root = squareRootDown((10_000n << (2n * PRECISION)) / 10_001n);
  while (roots.length < count) {
    roots.push((root + half) >> (PRECISION - 128n));
    root = (root * root) >> PRECISION;
  }
  return roots;
}

/** Newton's method from above: every step is closer until the one that is not. */
function squareRootDown(square: bigint): bigint {
  let root = 1n << BigInt(Math.ceil(square.toString(2).length / 2));
  for (;;) {
    const next = (root + square / root) >> 1n;
    if (next >= root) return root;
    root = next;
  }
}

export const isTick = (tick: number): boolean => Number.isInteger(tick) && Math.abs(tick) <= MAX_TICK;

/** √1.0001^tick with 96 fractional bits, rounded up; `tick` in ±887,272. */
export function sqrtPriceX96AtTick(tick: number): bigint {
  const distance = Math.abs(tick);
  if (!isTick(tick)) throw new RangeError(`${tick} is no tick`);
  let ratio = 1n << 128n;
  for (const [bit, root] of ROOTS.entries()) {
    if ((distance & (1 << bit)) !== 0) ratio = (ratio * root) >> 128n;
  }
  if (tick > 0) ratio = ((1n << 256n) - 1n) / ratio;
  return (ratio + (1n << 32n) - 1n) >> 32n;
}
