import { expect, it } from 'vitest';
import type { Recorded, Table } from '../../lab/bench/record.ts';
import { follows } from '../../lab/bench/scale/follows.ts';

const tables: Readonly<Record<string, Table>> = {
  loops: [
    ['', 'time', 'CPU', 'requests', 'aim'],
    ['guards, first time', '4,967 ms', '2,225 ms', 33, ''],
    ['guards, again (each interval)', '495 ms', '128 ms', '', ''],
    ['loans at a block', '328 ms', '111 ms', 4, '100 ms'],
  ],
  crowd: [['a block (every 450 ms)', '4 requests, 1,653 ms of CPU']],
};
const read = (name: string): Recorded => ({
  command: `npm run lab -- bench:${name}`,
  ...{ revision: 'abc', date: '2026-11-23', cores: 2, loads: [0, 0] as const },
  table: tables[name] ?? [],
});

it('says of ten and a hundred times as many what the results say of 10,000 and 100,000', () => {
  const table = follows(read);
  expect(table).toContain('for the first time | 33 | 330 | 3,300 |');
  expect(table).toContain('each interval | 7 · 6 | 63 · 56 | 625 · 556 |');
  expect(table).toContain('each interval | 2.23 s · 0.13 s | 22 s · 1.28 s | 223 s · 13 s |');
  expect(table).toContain('loans at a block | 0.11 s | 1.65 s | 17 s |');
  expect(table).toContain('10 blocks | 42 blocks | 417 blocks |');
});

it('fails where a result has no such row', () => {
  expect(() => follows((name) => ({ ...read(name), table: [] }))).toThrow('npm run lab -- bench:loops has no row');
});
