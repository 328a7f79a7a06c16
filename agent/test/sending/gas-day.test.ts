import { expect, it } from 'vitest';
import { createGasDay } from '../../src/sending/signing-policy.ts';

// AG-18
it('counts what is paid from midnight to midnight UTC, and no day twice', () => {
  let now = 86_400n * 20_000n + 86_399n;
  const day = createGasDay(() => now);
  expect(day.paidWei()).toBe(0n);
  day.pay(3n);
  day.pay(4n);
  expect(day.paidWei()).toBe(7n);
  now += 1n;
  expect(day.paidWei()).toBe(0n);
  day.pay(5n);
  // A clock that is set back over midnight makes no room.
  now -= 1n;
  day.pay(6n);
  expect(day.paidWei()).toBe(11n);
  now += 86_401n;
  expect(day.paidWei()).toBe(0n);
});
