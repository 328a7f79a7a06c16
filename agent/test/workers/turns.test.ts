import { expect, test } from 'vitest';
import { createTurns } from '../../src/workers/turns.ts';

// AG-82

interface Item {
  readonly id: number;
  readonly rank: number;
}

function turnsAt() {
  const at = { now: 0 };
  const turns = createTurns<Item>(
    { occasion: ({ id }) => `${id}`, rank: ({ rank }) => rank, headStartMs: () => 3_000 },
    { now: () => at.now },
  );
  const ours = (...items: Item[]) => turns.split(items).ours.map(({ id }) => id);
  return { at, turns, ours };
}

test('the first acts at once, the second after one head start, and all others after two', () => {
  const { at, turns } = turnsAt();
  const items = [0, 1, 2, 63].map((rank) => ({ id: rank, rank }));
  expect(turns.split(items)).toEqual({ ours: [items[0]], left: 3, nextMs: 3_000 });
  at.now = 2_999;
  expect(turns.split(items)).toEqual({ ours: [items[0]], left: 3, nextMs: 1 });
  at.now = 3_000;
  expect(turns.split(items)).toEqual({ ours: items.slice(0, 2), left: 2, nextMs: 3_000 });
  at.now = 6_000;
  expect(turns.split(items)).toEqual({ ours: items, left: 0 });
});

test('what was not due in between has its head start again, and so has what is restarted', () => {
  const { at, turns, ours } = turnsAt();
  const item = { id: 1, rank: 1 };
  expect(ours(item)).toEqual([]);
  at.now = 3_000;
  expect(ours()).toEqual([]);
  expect(ours(item)).toEqual([]);
  at.now = 6_000;
  expect(ours(item)).toEqual([1]);
  turns.restart(item);
  expect(ours(item)).toEqual([]);
  at.now = 9_000;
  expect(ours(item)).toEqual([1]);
});

test('a worker that becomes the first does not wait, and what it has waited is not lost when it becomes the second', () => {
  const { at, ours } = turnsAt();
  expect(ours({ id: 1, rank: 2 }, { id: 2, rank: 0 })).toEqual([2]);
  at.now = 3_500;
  expect(ours({ id: 1, rank: 0 }, { id: 2, rank: 1 })).toEqual([1, 2]);
});
