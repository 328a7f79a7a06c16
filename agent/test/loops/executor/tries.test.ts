import { BTCB, NOW, USDT } from '@bowline/core/test/verdict/proposals';
import { expect, test } from 'vitest';
import { gasOfRecord } from '../../../src/loops/executor/plan.ts';
import { createTries } from '../../../src/loops/executor/tries.ts';
import { duePlan, executor, owner } from './plans.ts';

// AG-41

const pairing = { asset: BTCB, quoteAsset: USDT, side: 'buy' } as const;
const slot = (slotStart = NOW, id = 1n) => ({ plan: { ...duePlan, id }, slotStart, pairing });

test('a slot is given up after the third revert that a price explains, and two more rounds are asked for', () => {
  const tries = createTries();
  for (const again of [true, true, false]) {
    expect(tries.revertedSlots.size).toBe(0);
    tries.missed(slot(), 'reverted');
    expect(tries.takeAgain()).toBe(again);
    expect(tries.takeAgain()).toBe(false);
  }
  expect([...tries.revertedSlots]).toEqual([[1n, NOW]]);
});

test('each plan and each slot has its own', () => {
  const tries = createTries();
  for (const each of [slot(), slot(), slot(NOW, 2n), slot(NOW, 2n), slot(NOW + 3_600n)]) tries.missed(each, 'reverted');
  expect(tries.revertedSlots.size).toBe(0);
  tries.missed(slot(NOW, 2n), 'reverted');
  expect([...tries.revertedSlots]).toEqual([[2n, NOW]]);
});

test('what is refused before it is paid for gives nothing up, and asks for two more rounds of the slot at most', () => {
  const tries = createTries();
  for (const again of [true, true, false, false]) {
    tries.missed(slot(), 'refused');
    expect(tries.takeAgain()).toBe(again);
  }
  expect(tries.revertedSlots.size).toBe(0);
  // It has not used up a paid try either.
  tries.missed(slot(), 'reverted');
  expect(tries.takeAgain()).toBe(true);
  expect(tries.revertedSlots.size).toBe(0);
});

test('a slot waits after its third cancelled call, until the next slot or until something is included', () => {
  const tries = createTries();
  for (const again of [true, true, false]) {
    expect(tries.cancelledSlots.size).toBe(0);
    tries.missed(slot(), 'cancelled');
    expect(tries.takeAgain()).toBe(again);
  }
  expect([...tries.cancelledSlots]).toEqual([[1n, NOW]]);
  // Its owner has paid for nothing.
  expect([...tries.gasToday(NOW)]).toEqual([]);
  tries.included();
  expect(tries.cancelledSlots.size).toBe(0);
  tries.missed(slot(), 'cancelled');
  expect([tries.takeAgain(), tries.cancelledSlots.size]).toEqual([true, 0]);
});

test('any other revert gives the slot up at once', () => {
  const tries = createTries();
  tries.giveUp(slot());
  expect([...tries.revertedSlots]).toEqual([[1n, NOW]]);
  expect(tries.takeAgain()).toBe(false);
});

// AG-18
test('reverts cost their owner gas until midnight UTC, whatever the slot; refusals cost none', () => {
  const tries = createTries();
  const midnight = NOW - (NOW % 86_400n) + 86_400n;
  expect([...tries.gasToday(midnight - 86_400n)]).toEqual([]);
  const other = { ...slot(), plan: { ...duePlan, id: 3n, owner: executor } as const };
  for (let times = 0; times < 4; times += 1) tries.missed(slot(), 'reverted');
  tries.missed(slot(NOW, 2n), 'refused');
  tries.giveUp(slot(NOW + 3_600n, 2n));
  tries.giveUp(other);
  const spent = [
    [owner, 5n * gasOfRecord.executed],
    [executor, gasOfRecord.executed],
  ];
  expect([...tries.gasToday(midnight - 1n)]).toEqual(spent);
  expect([...tries.gasToday(midnight)]).toEqual([]);
  tries.missed(slot(), 'reverted');
  expect([...tries.gasToday(midnight)]).toEqual([[owner, gasOfRecord.executed]]);
});
