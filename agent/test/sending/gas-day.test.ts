import { expect, it } from 'vitest';
import { createGasDay } from '../../src/sending/signing-policy.ts';

// AG-18
it('counts what is paid from midnight to midnight UTC, and no day twice', () => {
  let now = 86_400n * 20_000n + 86_399n;
  const day = createGasDay(() => now);
  expect(day.paidWei()).toBe(0n);
  day.settle({}, 3n);
  day.settle({}, 4n);
  expect(day.paidWei()).toBe(7n);
  now += 1n;
  expect(day.paidWei()).toBe(0n);
  day.settle({}, 5n);
  // A clock that is set back over midnight makes no room.
  now -= 1n;
  day.settle({}, 6n);
  expect(day.paidWei()).toBe(11n);
  now += 86_401n;
  expect(day.paidWei()).toBe(0n);
});

// WA-12
it('holds the most that everything open may cost, until it is over', () => {
  const day = createGasDay(() => 86_400n * 20_000n);
  const [one, other] = [{}, {}];
  day.hold(one, 5n);
  day.hold(other, 7n);
  // Replaced at a higher price: only one of the two is mined.
  day.hold(one, 6n);
  expect([day.paidWei(), day.heldWei(), day.heldWei(one)]).toEqual([0n, 13n, 7n]);
  day.settle(one, 2n);
  expect([day.paidWei(), day.heldWei()]).toEqual([2n, 7n]);
});
