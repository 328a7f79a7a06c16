import { BowlineError } from '@bowline/core/domain/result';
import { ExecutionRevertedError, HttpRequestError, LimitExceededRpcError, RpcRequestError } from 'viem';
import { describe, expect, test } from 'vitest';
import { readInPages } from '../paginated-reads.ts';

// AG-19

const ids = (count: number) => Array.from({ length: count }, (_, at) => BigInt(at + 1));
const silence = () => new HttpRequestError({ url: 'http://127.0.0.1:9' });
const saying = (code: number, message: string) => new RpcRequestError({ body: {}, url: '', error: { code, message } });
const refusal = () => new ExecutionRevertedError({ cause: saying(3, 'execution reverted') });
const tooMuch = () => new LimitExceededRpcError(saying(-32_005, 'slow down'));
const tooMany = () => saying(-32_007, 'slow down');
const wrapped = () => new BowlineError('chain_unavailable', 'The chain does not answer.', { cause: silence() });

/** Reads each number as its double, unless `failing` returns an error for the page. Records its requests. */
function source(failing: (page: readonly bigint[]) => Error | undefined = () => undefined) {
  const asked = { pages: [] as (readonly bigint[])[], maxAtOnce: 0 };
  let underWay = 0;
  const read = async (page: readonly bigint[]) => {
    asked.pages.push(page);
    underWay += 1;
    asked.maxAtOnce = Math.max(asked.maxAtOnce, underWay);
    await new Promise((resolve) => setImmediate(resolve));
    underWay -= 1;
    const error = failing(page);
    if (error) throw error;
    return page.map((id) => id * 2n);
  };
  return { asked, read };
}

test('every number has its own item, and no more than eight calls are under way', async () => {
  const { asked, read } = source();
  const { items, unread } = await readInPages(ids(1_003), 20, read);
  expect(unread).toEqual([]);
  expect(items.size).toBe(1_003);
  for (const [id, item] of items) expect(item).toBe(id * 2n);
  expect(asked.pages).toHaveLength(51);
  expect(asked.maxAtOnce).toBe(8);
});

test('nothing to read asks nothing', async () => {
  const { asked, read } = source();
  expect(await readInPages([], 20, read)).toEqual({ items: new Map(), unread: [] });
  expect(asked.pages).toEqual([]);
});

describe('a page that is refused', () => {
  test('is halved down to the number that is to blame', async () => {
    const { asked, read } = source((page) => (page.includes(33n) ? refusal() : undefined));
    const { items, unread } = await readInPages(ids(200), 24, read);
    expect(unread).toEqual([33n]);
    expect(items.size).toBe(199);
    expect(items.get(34n)).toBe(68n);
    expect(asked.pages.length).toBeLessThan(9 + 2 * 6);
  });

  test('comes again only after all the others', async () => {
    const { asked, read } = source((page) => (page.includes(1n) ? refusal() : undefined));
    await readInPages(ids(240), 24, read);
    expect(asked.pages.slice(0, 10).map(([first]) => first)).toEqual(ids(240).filter((id) => id % 24n === 1n));
  });

  test('and all others too: a node that refuses whatever it is asked is not asked for every number', async () => {
    const { asked, read } = source(refusal);
    const { items, unread, silence } = await readInPages(ids(5_000), 20, read);
    expect(silence).toBeUndefined();
    expect(items.size).toBe(0);
    expect(unread.toSorted((a, b) => Number(a - b))).toEqual(ids(5_000));
    expect(asked.pages.length).toBe(250 + 2 * 40);
  });
});

describe.each([
  ['no answer', silence],
  ['an answer that it was too much', tooMuch],
  ['the same by another code', tooMany],
  ['no answer, as our own error', wrapped],
])('%s', (_, failure) => {
  test('to one page leaves its numbers unread, unasked again, and the others as they are', async () => {
    const { asked, read } = source((page) => (page.includes(33n) ? failure() : undefined));
    const { items, unread, silence } = await readInPages(ids(200), 20, read);
    expect(silence).toBeUndefined();
    expect(unread).toEqual(ids(40).slice(20));
    expect(items.size).toBe(180);
    expect(asked.pages).toHaveLength(10);
  });

  test('from some page on: no more is asked, and what was read is kept', async () => {
    const { asked, read } = source((page) => ((page[0] ?? 0n) > 400n ? failure() : undefined));
    const { items, unread } = await readInPages(ids(5_000), 20, read);
    expect(items.size).toBe(400);
    expect(unread).toHaveLength(4_600);
    expect(asked.pages.length).toBeLessThan(20 + 2 * 8);
  });

  test('to now and then a page: the rest is read', async () => {
    const { read } = source((page) => ((page[0] ?? 0n) % 100n === 1n ? failure() : undefined));
    const { items } = await readInPages(ids(5_000), 20, read);
    expect(items.size).toBe(4_000);
  });

  test('at all is told', async () => {
    const { asked, read } = source(failure);
    const { items, unread, silence } = await readInPages(ids(5_000), 20, read);
    expect(silence?.message).toBe(failure().message);
    expect([items.size, unread.length]).toEqual([0, 5_000]);
    expect(asked.pages.length).toBeLessThan(2 * 8);
  });
});

test('a fault of our own is nobody’s page', async () => {
  const { read } = source(() => new TypeError('a fault'));
  await expect(readInPages(ids(100), 20, read)).rejects.toThrow('a fault');
});
