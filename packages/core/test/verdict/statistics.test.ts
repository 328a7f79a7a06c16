import { expect, it } from 'vitest';
import { closesOf, inPercent } from '../../verdict/statistics.ts';

it('closing prices are numbers that can be reckoned with, or none', () => {
  expect(closesOf([10n ** 18n, 25n * 10n ** 17n], 2)).toEqual([1, 2.5]);
  expect(closesOf([10n ** 18n, 1n], 2)).toEqual([1, 1e-18]);
  expect(closesOf([10n ** 18n], 2)).toBeUndefined();
  expect(closesOf([10n ** 18n, 0n], 2)).toBeUndefined();
  // More than a JavaScript number holds.
  expect(closesOf([10n ** 18n, 10n ** 330n], 2)).toBeUndefined();
});

it('a logarithmic change is said as a share of the price before, and compares with its limits as before', () => {
  const band = { caution: 900n, noGo: 1_750n };
  expect(inPercent(3_992n, band, 'fall')).toEqual({ measured: 3_292n, band: { caution: 860n, noGo: 1_605n } });
  expect(inPercent(3_992n, band, 'rise')).toEqual({ measured: 4_907n, band: { caution: 941n, noGo: 1_912n } });
  expect(inPercent(0n, band, 'fall').measured).toBe(0n);
  // A price that has halved, and one that has doubled.
  const halved = BigInt(Math.ceil(Math.log(2) * 10_000));
  expect([inPercent(halved, band, 'fall').measured, inPercent(halved, band, 'rise').measured]).toEqual([
    5_001n,
    10_002n,
  ]);
  for (const direction of ['fall', 'rise'] as const) {
    for (const limit of [1n, 50n, 720n, 1_040n, 2_020n, 5_000n]) {
      for (const logBps of [0n, limit - 1n, limit, limit + 1n, limit + 2n, 2n * limit, 40_000n, 1_000_000n]) {
        const said = inPercent(logBps, { caution: limit, noGo: limit }, direction);
        expect(said.measured > said.band.noGo, `${logBps} of ${limit}`).toBe(logBps > limit);
      }
    }
  }
});
