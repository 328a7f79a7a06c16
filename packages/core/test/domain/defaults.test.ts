import { expect, test } from 'vitest';
import { expiryOf, windowSecondsOf } from '../../domain/defaults.ts';

test('a slot stays open for its period, and for six hours of a longer one', () => {
  const [hour, day] = [3_600, 86_400];
  const windows = [60, hour, 6 * hour, day, 7 * day].map((period) => windowSecondsOf(period, false));
  expect(windows).toEqual([60, hour, 6 * hour, 6 * hour, 6 * hour]);
  // A stop loss must always be open.
  expect(windowSecondsOf(30 * day, true)).toBe(30 * day);
});

test('a plan lasts as long as its runs, and twice as long where deferred ones can be made up', () => {
  expect(expiryOf(1_000, 60, 10)).toBe(2_200);
  expect(expiryOf(1_000, 60, 10, false)).toBe(1_600);
});
