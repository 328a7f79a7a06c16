import { health, shortAmount } from '@bowline/core/texts/amounts';
import { expect, test } from 'vitest';
import { tokens } from '../../src/ask/reply/words.ts';

test('an answer writes an amount as the page does, to the cent at any size', () => {
  const base = [1n, 99n, 123_456n, 1_234_567n, 1_234_567_890n, 98_765_432_109n];
  for (const amount of base) {
    const decimal = `${amount / 1_000_000n}.${String(amount % 1_000_000n).padStart(6, '0')}`;
    expect(tokens({ token: 'USDT', amount: decimal })).toBe(`${shortAmount(amount, 6)} USDT`);
  }
  expect(tokens({ token: 'USDT', amount: '12345.67' })).toBe('12,345.67 USDT');
  expect(health(1_315_789n * 10n ** 12n)).toBe('1.31');
});
