import { expect, it } from 'vitest';
import { figure, toMarkdown } from '../../lab/bench/record.ts';

it('writes a table with the line that says how it was made, and aligns figures to the right', () => {
  const made = { command: 'npm run bench:x', revision: 'abc', date: '2026-11-23', cores: 2, loads: [0.7, 2] } as const;
  const table = [
    ['what', 'time', 'calls', 'aim'],
    ['one', '1,234 ms', 5, '2 s'],
    ['all', '12 ms', 1, ''],
  ];
  expect(toMarkdown({ ...made, table })).toBe(`| what | time | calls | aim |
| --- | --: | --: | --: |
| one | 1,234 ms | 5 | 2 s |
| all | 12 ms | 1 |  |

\`npm run bench:x\`: revision abc, 2026-11-23, 2 cores, load 0.7 at the start and 2 at the end.`);
});

it('groups thousands and keeps the digits that are asked for', () => {
  expect([figure(1_234_567.8), figure(1.005, 2), figure(3, 1)]).toEqual(['1,234,568', '1.01', '3.0']);
});
