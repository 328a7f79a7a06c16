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
  // Setting the clock back over midnight frees no gas.
  now -= 1n;
  day.settle({}, 6n);
  expect(day.paidWei()).toBe(11n);
  now += 86_401n;
  expect(day.paidWei()).toBe(0n);
});

// AG-18
it('counts the calls of one kind apart, while they are open and after', () => {
  let now = 86_400n * 20_000n;
  const day = createGasDay(() => now);
  const [deferral, run] = [{}, {}];
  day.hold(deferral, 5n, 'defer');
  day.hold(run, 7n);
  // At a higher price it is the same deferral.
  day.hold(deferral, 6n);
  const ofDeferrals = (but?: object) => day.spentOnKindWei('defer', but);
  expect([ofDeferrals(), ofDeferrals(deferral), day.heldWei(), day.spentOnKindWei(undefined)]).toEqual([
    6n,
    0n,
    13n,
    0n,
  ]);
  day.settle(deferral, 2n);
  day.settle(run, 3n);
  expect([ofDeferrals(), day.paidWei()]).toEqual([2n, 5n]);
  now += 86_400n;
  expect([ofDeferrals(), day.paidWei()]).toEqual([0n, 0n]);
});

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
