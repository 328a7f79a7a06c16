import { expect, it } from 'vitest';
import { rowsOf } from '../../lab/bench/start/rows.ts';

const good = { bare: 40, packaged: 240, checkout: 900, first: 20_000, second: 12_000 };

it('passes a start at its bars', () => {
  const { table, below } = rowsOf(good);
  expect(below).toEqual([]);
  expect(table[2]).toEqual(['the packaged agent, to its first verdict', '240 ms, 6.0 ×', '6 ×']);
});

it.each([
  [{ packaged: 241 }, 'a verdict after'],
  [{ first: 20_001 }, 'first `npm start`'],
  [{ second: 12_001 }, 'second `npm start`'],
])('names what is above its bar: %o', (slow, name) => {
  const { below } = rowsOf({ ...good, ...slow });
  expect(below).toHaveLength(1);
  expect(below[0]).toContain(name);
});
