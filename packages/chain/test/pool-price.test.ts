import { WAD } from '@bowline/core/domain/units';
import { describe, expect, it } from 'vitest';
import { meanTickDown, priceWadDown, sqrtPriceX96AtTick } from '../market-facts.ts';

describe('sqrtPriceX96AtTick', () => {
  // The ends are constants in every v3 pool's code. market-reader.test.ts checks other ticks against a pool itself.
  it.each([
    [-887_272, 4295128739n],
    [887_272, 1461446703485210103287273052203988822378723970342n],
    [0, 2n ** 96n],
  ])('tick %i', (tick, sqrtPriceX96) => {
    expect(sqrtPriceX96AtTick(tick)).toBe(sqrtPriceX96);
  });

  it('rises with every tick by a root of 1.0001', () => {
    for (const tick of [-887_000, -276_324, -115_129, -1, 0, 1, 23_027, 82_944, 115_129, 600_000]) {
      const [here, next] = [sqrtPriceX96AtTick(tick), sqrtPriceX96AtTick(tick + 1)];
      const ratio = (next * next * WAD) / (here * here);
      // Near the lower end a root has ten digits.
      expect(Number(ratio - 1_000_100_000_000_000_000n) / 1e18).toBeCloseTo(0, tick < -800_000 ? 8 : 15);
    }
  });

  it.each([-887_273, 887_273, 0.5])('refuses %d', (tick) => {
    expect(() => sqrtPriceX96AtTick(tick)).toThrow(RangeError);
  });
});

describe('priceWadDown', () => {
  const root = (price: number) => BigInt(Math.sqrt(price) * 2 ** 48) << 48n;

  it.each([
    { name: 'token0, both with 18 decimals', raw: 4, side: [true, 18, 18] as const, expected: 4n * WAD },
    { name: 'token1, both with 18 decimals', raw: 4, side: [false, 18, 18] as const, expected: WAD / 4n },
    { name: 'token0 with 8 decimals, quote with 6', raw: 25, side: [true, 8, 6] as const, expected: 2500n * WAD },
    { name: 'token1 with 8 decimals, quote with 6', raw: 0.25, side: [false, 8, 6] as const, expected: 400n * WAD },
  ])('asset is $name', ({ raw, side: [assetIsToken0, assetDecimals, quoteDecimals], expected }) => {
    const pools = [{ sqrtPriceX96: root(raw), assetIsToken0 }];
    expect(priceWadDown(pools, assetDecimals, quoteDecimals)).toBe(expected);
  });

  it('is cut, not rounded', () => {
    const pools = [{ sqrtPriceX96: 2n ** 96n + 1n, assetIsToken0: false }];
    expect(priceWadDown(pools, 18, 18)).toBe(WAD - 1n);
  });
});

describe('meanTickDown', () => {
  it.each([
    [0n, 6_000n, 10],
    [0n, 6_599n, 10],
    [0n, -6_000n, -10],
    [0n, -6_001n, -11],
    [-1_000n, -1_001n, -1],
  ])('from %d to %d over 600 s', (before, after, tick) => {
    expect(meanTickDown(before, after, 600n)).toBe(tick);
  });
});
