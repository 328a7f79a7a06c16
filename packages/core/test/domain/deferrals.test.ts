import { expect, test } from 'vitest';
import { limitFloor, waitsForPrice } from '../../domain/deferrals.ts';

// AG-342

test('a plan waits while its source’s price is below its trigger, or more than 1 % above its limit', () => {
  const waits = (price: bigint | undefined, triggerPriceWad: bigint, limitPriceWad: bigint) =>
    waitsForPrice({ triggerPriceWad, limitPriceWad }, price);
  expect(waits(100n, 0n, 0n)).toBeUndefined();
  expect([waits(99n, 100n, 0n), waits(100n, 100n, 0n)]).toEqual(['trigger_not_reached', undefined]);
  expect([waits(10_000n, 0n, 9_899n), waits(10_000n, 0n, 9_900n)]).toEqual(['limit_not_reached', undefined]);
  expect(waits(90n, 100n, 1n)).toBe('trigger_not_reached');
  expect(waits(undefined, 100n, 1n)).toBeUndefined();
});

test('what a limit price asks of a run is rounded up', () => {
  expect(limitFloor(100n, 3n * 10n ** 18n)).toBe(34n);
  expect(limitFloor(100n, 0n)).toBe(0n);
});
