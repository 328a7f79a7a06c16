import type { Run } from '@bowline/core/audit/history';
import { expect, it } from 'vitest';
import { type Found, stillOf, toAsk } from '../app/audit/held.ts';

const run = (evidencePrefix: Run['evidencePrefix'], changes: Partial<Run> = {}): Run => ({
  ...{ time: 1_800_000_000, outcome: 1, slotStart: 1_800_000_000, version: 1, reason: 0, verdict: 3, isAttested: true },
  ...{ floor: 1n, amountIn: 1n, amountOut: 1n, evidencePrefix, ...changes },
});

it('what bore out one record bears out no other one that has its number now', () => {
  const [one, other] = [run('0xaa'), run('0xbb')];
  const found = new Map<number, Found>([
    [0, { state: 'follows', looser: [], unchecked: [], of: one }],
    [1, { state: 'differs', what: [], of: other }],
  ]);
  expect([...stillOf([{ ...one }, { ...other }], found).keys()]).toEqual([0, 1]);
  for (const changed of [run('0xcc'), run('0xaa', { verdict: 2 }), run('0xaa', { time: 1_800_000_012 })])
    expect([...stillOf([changed, other], found).keys()]).toEqual([1]);
  expect([...stillOf([], found).keys()]).toEqual([]);
});

it('each press asks the server for documents that it has not said it lacks, as long as there are any', () => {
  const missing = Array.from({ length: 250 }, (_, at) => `0x${at}`);
  const first = toAsk(missing, new Set());
  const second = toAsk(missing, new Set(first));
  const third = toAsk(missing, new Set([...first, ...second]));
  expect([...first, ...second, ...third]).toEqual(missing);
  // The server may have got them since, so they are asked for again.
  expect(toAsk(missing, new Set(missing))).toEqual(first);
  expect(toAsk(['0x1', '0x1'], new Set())).toEqual(['0x1']);
});
