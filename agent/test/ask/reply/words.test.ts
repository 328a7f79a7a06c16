import { expect, test } from 'vitest';
import { everySo, grouped, short } from '../../../src/ask/reply/words.ts';

test('AG-25: an amount has six digits, or all those before the point', () => {
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
  expect(['60', '3600', '86400', '600', '90'].map(everySo)).toEqual([
    'minute',
    'hour',
    'day',
    '10 minutes',
    '90 seconds',
  ]);
});
