import { grouped, inUtc, isoSeconds, short } from '@bowline/core/domain/readable';
import { counted } from '@bowline/core/texts/counts';
import { inLargestUnit, period } from '@bowline/core/texts/times';
import { expect, test } from 'vitest';

test('an amount has six digits, or all those before the point', () => {
  const shown = [
    ['105000.00', '105,000'],
    ['64123.4567', '64,123.4'],
    ['3214.5678', '3,214.56'],
    ['1.000129', '1.00012'],
    ['0.009995123456', '0.00999512'],
    ['12345678.9', '12,345,678'],
    ['0.10', '0.1'],
    ['0', '0'],
    ['0.00', '0'],
  ] as const;
  for (const [decimal, text] of shown) expect(short(decimal), decimal).toBe(text);
  expect(grouped('1234567.1234567')).toBe('1,234,567.1234567');
  expect(grouped(-1_234_567n)).toBe('-1,234,567');
  expect([60n, 3_600n, 86_400n, 600n, 90n].map(period)).toEqual(['minute', 'hour', 'day', '10 minutes', '90 seconds']);
  expect([0n, 59n, 5_400n, 172_799n].map(inLargestUnit)).toEqual([
    [0n, 'second'],
    [59n, 'second'],
    [1n, 'hour'],
    [1n, 'day'],
  ]);
  expect([1, 2_000n].map((count) => counted(count, 'plan'))).toEqual(['1 plan', '2,000 plans']);
  expect(isoSeconds(1_795_234_815n)).toBe('2026-11-21T04:20:15Z');
  expect(inUtc(isoSeconds(1_795_234_815n))).toBe('2026-11-21 04:20:15 UTC');
});
