import { expect, test } from 'vitest';
import {
  deviationBpsUp,
  formatBps,
  formatUnits,
  formatUsd,
  mulDivDown,
  mulDivUp,
  parseUnitsDown,
  WAD,
} from '../../domain/units.ts';

test('division rounds the way its name says', () => {
  expect(mulDivDown(10n, 1n, 3n)).toBe(3n);
  expect(mulDivUp(10n, 1n, 3n)).toBe(4n);
  expect(mulDivUp(9n, 1n, 3n)).toBe(3n);
  expect(mulDivUp(0n, 1n, 3n)).toBe(0n);
});

test('a deviation is rounded away from zero, on either side', () => {
  expect(deviationBpsUp(100n, 100n)).toBe(0n);
  expect(deviationBpsUp(1_000_001n, 1_000_000n)).toBe(1n);
  expect(deviationBpsUp(999_999n, 1_000_000n)).toBe(1n);
  expect(deviationBpsUp(0n, 5n)).toBe(10_000n);
});

test('decimal text and base units', () => {
  expect(formatUnits(1_234_500n, 6)).toBe('1.2345');
  expect(formatUnits(5n, 18)).toBe('0.000000000000000005');
  expect(formatUnits(7n, 0)).toBe('7');
  expect(formatUnits(-1_500n, 3)).toBe('-1.5');
  expect(parseUnitsDown('1.2345', 6)).toBe(1_234_500n);
  expect(parseUnitsDown('0.0000000000000000059', 18)).toBe(5n);
  expect(parseUnitsDown('7', 0)).toBe(7n);
  for (const text of ['', '.', '1.', '.5', '-1', '1e3', ' 1', '1,000', '0x10', 'Infinity']) {
    expect(parseUnitsDown(text, 18), text).toBeUndefined();
  }
});

test('every amount survives the way through text', () => {
  let amount = 1n;
  for (let step = 0; step < 60; step += 1) {
    expect(parseUnitsDown(formatUnits(amount, 18), 18)).toBe(amount);
    amount = amount * 3n + 1n;
  }
});

test('prices and rates for people', () => {
  expect(formatUsd(100_000n * WAD)).toBe('100000.00');
  expect(formatUsd((WAD * 12_349n) / 10_000n)).toBe('1.23');
  expect(formatUsd(123_456_789n)).toBe('0.000000000123456');
  expect(formatUsd(WAD / 2n)).toBe('0.50');
  expect(formatUsd(0n)).toBe('0.00');
  expect(formatBps(125n)).toBe('1.25 %');
});
