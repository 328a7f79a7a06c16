import type { PlanHistory } from '@bowline/core/audit/history';
import { expect, test } from 'vitest';
import { readRecorded } from '../app/check/use-executor.ts';

// WB-53: which plans the executor's record covers.

const run = { outcome: 1, floor: 1n, amountIn: 1n, amountOut: 1n } as PlanHistory['runs'][number];
const planOf = (id: bigint, hasRun: boolean) =>
  ({
    id,
    versions: [],
    runs: hasRun ? [run] : [],
    state: { runs: Number(hasRun), records: Number(hasRun) },
  }) as unknown;

/** A registry in which only the plans with these ids ran. */
function registry(ran: readonly bigint[]) {
  const asked: (readonly [bigint, bigint])[] = [];
  const read = async (from: bigint, to: bigint) => {
    asked.push([from, to]);
    const ids = Array.from({ length: Number(to - from) + 1 }, (_, at) => from + BigInt(at));
    const found = ids.map((id) => planOf(id, ran.includes(id)));
    return { found, unread: [], cause: undefined, block: { number: 1n, timestamp: 2n } } as never;
  };
  return { asked, read };
}

test('WB-53: a thousand plans that never ran do not hide those that did', async () => {
  const { asked, read } = registry([3n, 30n]);
  const { plans, from, to } = await readRecorded(920n, read);
  expect(plans.map(({ id }) => id)).toEqual([30n, 3n]);
  expect([from, to, asked.length]).toEqual([1n, 920n, 10]);
  // At most a thousand plans at once, whoever made them.
  expect((await readRecorded(5_000n, registry([]).read)).from).toBe(4_001n);
  expect(await readRecorded(0n, registry([]).read)).toMatchObject({ plans: [], from: 1n, to: 0n });
});

test('WB-53: where enough plans ran, one round is read', async () => {
  const { asked, read } = registry(Array.from({ length: 500 }, (_, at) => BigInt(at + 1)));
  const { plans, from } = await readRecorded(500n, read);
  expect([plans.length, from, asked.length]).toEqual([100, 401n, 1]);
});
