import { expect, test } from 'vitest';
import type { BarePlan } from '../../domain/permissions.ts';
import { nextSlot, nextSlots, slotEnd } from '../../domain/slots.ts';

/** Three of five runs are left, in slots that are open for 60 of every 100 seconds. */
const plan = {
  ...{ startAt: 1_000n, periodSeconds: 100n, windowSeconds: 60n, expiresAt: 2_000n },
  ...{ cursor: 1_200n, runs: 2, maxRuns: 5 },
} as BarePlan;

test('the open slot is a next one until its window closes', () => {
  expect(nextSlots(plan, 1_359n, 2)).toEqual([1_300n, 1_400n]);
  expect(nextSlots(plan, 1_360n, 2)).toEqual([1_400n, 1_500n]);
  expect(nextSlots(plan, 1_300n, 2)).toEqual([1_300n, 1_400n]);
});

test('no slot is a next one that has run, or that begins before the plan', () => {
  expect(nextSlots(plan, 1_110n, 2)).toEqual([1_200n, 1_300n]);
  expect(nextSlots({ ...plan, cursor: 1_300n }, 1_210n, 1)).toEqual([1_300n]);
  expect(nextSlots({ ...plan, cursor: 0n }, 500n, 1)).toEqual([1_000n]);
});

test('there are no more next slots than runs are left, and none from the plan’s end on', () => {
  expect(nextSlots(plan, 1_200n, 9)).toEqual([1_200n, 1_300n, 1_400n]);
  expect(nextSlots({ ...plan, runs: 5 }, 1_200n, 9)).toEqual([]);
  expect(nextSlots({ ...plan, expiresAt: 1_400n }, 1_200n, 9)).toEqual([1_200n, 1_300n]);
});

test('an expired plan has no next slot, also where its last one would still be open', () => {
  expect(nextSlots({ ...plan, expiresAt: 1_350n }, 1_349n, 9)).toEqual([1_300n]);
  expect(nextSlots({ ...plan, expiresAt: 1_350n }, 1_350n, 9)).toEqual([]);
});

test('a slot closes at the end of its window, or with the plan', () => {
  expect(slotEnd(plan, 1_300n)).toBe(1_360n);
  expect(slotEnd({ ...plan, expiresAt: 1_350n }, 1_300n)).toBe(1_350n);
});

test('after an edit that moves the slots, the next one begins at or after the end of the last used one', () => {
  expect(nextSlot({ ...plan, startAt: 1_050n, cursor: 1_300n }, 1_270n)).toBe(1_350n);
  expect(nextSlot({ ...plan, startAt: 1_050n, cursor: 1_250n }, 1_270n)).toBe(1_250n);
});
