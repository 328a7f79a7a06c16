import { expect, it } from 'vitest';
import { rowsOf } from '../../lab/bench/start/rows.ts';

// DP-63

const good = { bare: 40, agent: 120, agentUncached: 400, first: 20_000, second: 12_000 };

it('passes a start at its bars', () => {
  const { table, below } = rowsOf(good);
  expect(below).toEqual([]);
  expect(table[2]).toEqual(['the agent, to the first answer of `/ping`', '120 ms, 3.0 ×', '3 ×']);
});

it.each([
  [{ agent: 121 }, '/ping'],
  [{ first: 20_001 }, 'first npm start'],
  [{ second: 12_001 }, 'second npm start'],
])('names what is above its bar: %o', (slow, name) => {
  const { below } = rowsOf({ ...good, ...slow });
  expect(below).toHaveLength(1);
  expect(below[0]).toContain(name);
});
