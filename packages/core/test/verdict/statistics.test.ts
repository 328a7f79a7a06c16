import { expect, it } from 'vitest';
import { closesOf } from '../../verdict/statistics.ts';

const history = (...closesWad: bigint[]) => ({ intervalSeconds: 3_600n, closesWad });

it('closing prices are numbers that can be reckoned with, or none', () => {
  expect(closesOf(history(10n ** 18n, 25n * 10n ** 17n), 2)).toEqual([1, 2.5]);
  expect(closesOf(history(10n ** 18n, 1n), 2)).toEqual([1, 1e-18]);
  expect(closesOf(history(10n ** 18n), 2)).toBeUndefined();
  expect(closesOf(history(10n ** 18n, 0n), 2)).toBeUndefined();
  // More than a number holds.
  expect(closesOf(history(10n ** 18n, 10n ** 330n), 2)).toBeUndefined();
});
