import { privateKeyToAddress } from 'viem/accounts';
import { expect, test } from 'vitest';
import { bitsOf, rankOf } from '../../src/workers/turns.ts';

// AG-82

const workers = Array.from({ length: 12 }, (_, at) =>
  privateKeyToAddress(`0x${(at + 1).toString(16).padStart(64, '0')}`),
);
const permissions = Array.from({ length: 12_000 }, (_, at) => at + 1);

/** The worker that comes first for a permission. Fails if it is not exactly one. */
function firstOf(permission: number, all: readonly string[]): string {
  const ranks = all.map((worker) =>
    rankOf(
      permission,
      worker,
      all.filter((other) => other !== worker),
    ),
  );
  expect(ranks.toSorted((a, b) => a - b)).toEqual(all.map((_, at) => at));
  return all[ranks.indexOf(0)] as string;
}

test.each([2, 3, 7, 12])('%i workers agree on one order, in which each is first for its part', (count) => {
  const all = workers.slice(0, count);
  const shares = new Map<string, number>();
  for (const permission of permissions) {
    const first = firstOf(permission, all);
    shares.set(first, (shares.get(first) ?? 0) + 1);
  }
  const fair = permissions.length / count;
  // Five standard deviations of a fair die.
  const margin = 5 * Math.sqrt(fair * (1 - 1 / count));
  for (const worker of all) expect(Math.abs((shares.get(worker) ?? 0) - fair)).toBeLessThan(margin);
});

test('a worker that goes moves only what was its own, to all others alike', () => {
  const all = workers.slice(0, 5);
  const gone = all[2] as string;
  const left = all.filter((worker) => worker !== gone);
  const moved = new Map<string, number>();
  for (const permission of permissions) {
    const [before, after] = [firstOf(permission, all), firstOf(permission, left)];
    if (before === gone) moved.set(after, (moved.get(after) ?? 0) + 1);
    else expect(after).toBe(before);
  }
  expect([...moved.keys()].toSorted()).toEqual(left.toSorted());
  for (const count of moved.values()) expect(count).toBeGreaterThan(permissions.length / 5 / 4 / 1.5);
});

test('owners are shared, too, and the spelling of an address changes nothing', () => {
  const owners = workers.map((worker) => bitsOf(worker));
  expect(new Set(owners.map((owner) => firstOf(owner, workers.slice(0, 3)))).size).toBe(3);
  const [first, second] = workers as [string, string];
  const lower = rankOf(7, first.toLowerCase(), [second.toLowerCase()]);
  expect(rankOf(7, first, [second])).toBe(lower);
});
