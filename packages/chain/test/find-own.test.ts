import type { Moment } from '@bowline/core/domain/time';
import { type Hex, HttpRequestError, RpcRequestError } from 'viem';
import { expect, test } from 'vitest';
import { findAllOwn, findOwn, isWhole } from '../find-own.ts';

// The search for an account's plans and guards with the permissions lens.

const market = `0x${'c'.repeat(40)}` as const;
const someone = `0x${'5'.repeat(40)}` as const;
/** A node's own error. */
const refusedWith = (message: string) =>
  new RpcRequestError({ body: {}, url: 'http://127.0.0.1:1', error: { code: -32_000, message } });
const at = (seconds: number): Moment => ({ wall: 1_700_000_000_000 + seconds * 1_000, steady: seconds * 1_000 });

test('WB-13: the lens is asked until it has searched all, 2,500 numbers at most in a call', async () => {
  const asked: bigint[][] = [];
  const lens = (answer: (from: bigint, to: bigint) => readonly [readonly bigint[], bigint]) =>
    ({
      readContract: async ({ args }: { args: [Hex, Hex, bigint, bigint] }) => {
        const [, , from, to] = args;
        asked.push([from, to]);
        return answer(from, to);
      },
    }) as never;
  const find = (client: never, before?: Parameters<typeof findOwn>[2], count = 6_000n) => {
    asked.length = 0;
    return findOwn(client, { functionName: 'plansOf', contract: market, account: someone }, before, count, at(0));
  };
  const own = (from: bigint, to: bigint) => [3n, 5_999n].filter((id) => id >= from && id < to);
  const looked = { grewAt: at(0), searchedAt: at(0) };
  const whole = { ids: [3n, 5_999n], upTo: 6_000n, looked, cause: undefined };

  expect(await find(lens((from, to) => [own(from, to), to]))).toEqual(whole);
  expect(asked).toEqual([
    [1n, 2_501n],
    [2_501n, 5_001n],
    [5_001n, 6_001n],
  ]);

  // A node that runs out of gas before it runs out of numbers, and one that refuses calls for more than 700.
  expect(await find(lens((from, to) => [own(from, to), to > from + 900n ? from + 900n : to]))).toEqual(whole);
  expect(asked).toHaveLength(7);
  const tooMany = refusedWith('execution aborted (timeout = 5s)');
  const capped = lens((from, to) => {
    if (to - from > 700n) throw tooMany;
    return [own(from, to), to];
  });
  expect(await find(capped)).toEqual(whole);
  expect(asked.slice(0, 4)).toEqual([
    [1n, 2_501n],
    [1n, 1_251n],
    [1n, 626n],
    [626n, 1_251n],
  ]);

  // Results are kept, and the next search continues after them.
  const broken = await find(
    lens((from, to) => {
      if (from > 1n) throw tooMany;
      return [own(from, to), to];
    }),
  );
  expect(broken).toEqual({ ids: [3n], upTo: 2_500n, looked, cause: tooMany });
  expect(asked.at(-1)).toEqual([2_501n, 2_501n + 156n]);
  const before = { own: [{ id: 3n }], upTo: 2_500n, unread: [7n] };
  const after = await find(
    lens((from, to) => [own(from, to), to]),
    before,
  );
  expect(after).toEqual({ ...whole, ids: [3n, 7n, 5_999n] });
  // It repeats the newest numbers of the last search, which may have been too recent.
  expect(asked[0]).toEqual([2_481n, 4_981n]);
  const silent = lens(() => {
    throw tooMany;
  });
  expect(await find(silent, before)).toMatchObject({ ids: [3n, 7n], upTo: 2_480n, cause: tooMany });
  await expect(find(silent)).rejects.toBe(tooMany);
  expect(asked).toHaveLength(5);

  // One search makes at most twenty calls, whatever count a node claims.
  const endless = await find(
    lens((_, to) => [[], to]),
    undefined,
    2n ** 200n,
  );
  expect(endless).toEqual({ ids: [], upTo: 50_000n, looked, cause: undefined });
  expect(isWhole({ ...endless, unread: [], count: 2n ** 200n })).toBe(false);
  // A node with too little gas for one number, and one that claims to have searched more than it was asked for.
  await expect(find(lens((from) => [[], from]))).rejects.toThrow('did not search');
  await expect(find(lens((_, to) => [[], to + 1n]))).rejects.toThrow('did not search');
});

test('WB-13: a fault of ours is thrown, and never taken for a node that does not answer', async () => {
  const ours = new TypeError('not a function');
  let calls = 0;
  const client = {
    readContract: async () => {
      calls += 1;
      throw ours;
    },
  } as never;
  const sought = { functionName: 'plansOf', contract: market, account: someone } as const;
  const before = { own: [], upTo: 2_500n, unread: [] };
  await expect(findOwn(client, sought, before, 6_000n, at(0))).rejects.toBe(ours);
  await expect(findAllOwn(client, sought, 6_000n)).rejects.toBe(ours);
  expect(calls).toBe(2);
});

test('fewer numbers than were searched are searched anew, and the newest once more when their blocks are final', async () => {
  let own: bigint[] = [];
  const asked: bigint[][] = [];
  const client = {
    readContract: async ({ args: [, , from, to] }: { args: [Hex, Hex, bigint, bigint] }) => {
      asked.push([from, to]);
      return [own.filter((id) => id >= from && id < to), to];
    },
  } as never;
  const sought = { functionName: 'plansOf', contract: market, account: someone } as const;
  type Found = Awaited<ReturnType<typeof findOwn>>;
  const find = (found: Found | undefined, count: bigint, seconds: number) => {
    const before = found && {
      own: found.ids.map((id) => ({ id })),
      upTo: found.upTo,
      unread: [],
      looked: found.looked,
    };
    return findOwn(client, sought, before, count, at(seconds));
  };
  // None of seven plans is the owner's. Then the chain starts over, and the fourth is.
  const seven = await find(undefined, 7n, 0);
  own = [4n];
  const four = await find(seven, 4n, 5);
  expect(four).toMatchObject({ ids: [4n], upTo: 4n });
  expect(isWhole({ ...four, unread: [], count: 4n })).toBe(true);

  // Plan 100 was a stranger's when it was searched. In the block that a reorg put in its place, it is the owner's.
  own = [];
  const before = await find(undefined, 100n, 0);
  own = [100n];
  asked.length = 0;
  let later = before;
  for (let seconds = 5; seconds <= 25; seconds += 5) later = await find(later, 100n, seconds);
  expect(asked).toEqual([]);
  for (let seconds = 30; seconds <= 90; seconds += 5) later = await find(later, 100n, seconds);
  expect(asked).toEqual([[81n, 101n]]);
  expect(later.ids).toEqual([100n]);

  // If the node does not answer at that point, they stay unsearched.
  const silent = {
    readContract: async () => {
      throw new HttpRequestError({ url: 'http://127.0.0.1:1' });
    },
  } as never;
  const known = { own: [], upTo: 100n, unread: [], looked: before.looked };
  const failed = await findOwn(silent, sought, known, 100n, at(40));
  expect(isWhole({ ...failed, unread: [], count: 100n })).toBe(false);
});

test('AU-1: a whole search names the numbers that the node does not search, and goes on behind them', async () => {
  const sought = { functionName: 'guardsOf', contract: market, account: someone } as const;
  let calls = 0;
  const lens = (answer: (from: bigint, to: bigint) => readonly [readonly bigint[], bigint]) =>
    ({
      readContract: async ({ args: [, , from, to] }: { args: [string, string, bigint, bigint] }) => {
        calls += 1;
        return answer(from, to);
      },
    }) as never;
  const refusal = refusedWith('execution aborted');
  const own = (from: bigint, to: bigint) => [3n, 4_999n].filter((id) => id >= from && id < to);
  const broken = lens((from, to) => {
    if (from <= 3_000n && to > 3_000n) throw refusal;
    return [own(from, to), to];
  });
  const { ids, unsearched } = await findAllOwn(broken, sought, 5_000n);
  expect(ids).toEqual([3n, 4_999n]);
  expect(unsearched).toContain(3_000n);
  expect(unsearched.length).toBeLessThanOrEqual(200);
  // The search soon gives up on a node that refuses everything, and at once on a silent one.
  calls = 0;
  const none = await findAllOwn(
    lens(() => {
      throw refusal;
    }),
    sought,
    5_000n,
  );
  expect([none.ids, none.unsearched.length]).toEqual([[], 5_000]);
  expect(calls).toBeLessThan(50);
  const silence = new HttpRequestError({ url: 'http://127.0.0.1:1' });
  const silent = lens(() => {
    throw silence;
  });
  await expect(findAllOwn(silent, sought, 5_000n)).rejects.toBe(silence);
});
