/**
 * Items of one call. A deployless call's answer has 24,576 bytes at most: 25 plans take 22,464 of them, and no other item that
 * the page lists is larger (web/test/truth.test.ts).
 */
export const PAGE = 25;
/** Calls at the same time: public nodes refuse more. */
const TOGETHER = 4;

/** More than a page could read anyway. What is beyond it is not a count but a node that makes one up. */
const MAX_NUMBERS = 1_000_000n;

/**
 * Numbers after `known`, up to and including `count`.
 * @throws when there are more than a list can be read of.
 */
export function numbersAfter(known: bigint, count: bigint): bigint[] {
  if (count - known > MAX_NUMBERS) throw new Error(`The node counts ${count}, more than can be listed.`);
  return Array.from({ length: Math.max(0, Number(count - known)) }, (_, at) => known + BigInt(at) + 1n);
}

export interface Pages<Item, Found> {
  readonly found: readonly Found[];
  /** Items of the pages that gave no answer. */
  readonly unread: readonly Item[];
  /** Why, of the first such page. */
  readonly cause: unknown;
}

/**
 * Reads a list page by page; a page that gives no answer takes nothing from the others.
 * @throws what the first page failed with when every page fails.
 */
export async function inPages<Item, Found>(
  items: readonly Item[],
  read: (page: readonly Item[]) => Promise<readonly Found[]>,
): Promise<Pages<Item, Found>> {
  const pages: (readonly Item[])[] = [];
  for (let from = 0; from < items.length; from += PAGE) pages.push(items.slice(from, from + PAGE));
  const found: Found[] = [];
  const unread: Item[] = [];
  const causes: unknown[] = [];
  for (let from = 0; from < pages.length; from += TOGETHER) {
    const asked = pages.slice(from, from + TOGETHER);
    for (const [at, answer] of (await Promise.allSettled(asked.map(read))).entries()) {
      if (answer.status === 'fulfilled') found.push(...answer.value);
      else {
        unread.push(...(asked[at] ?? []));
        causes.push(answer.reason);
      }
    }
  }
  if (pages.length > 0 && causes.length === pages.length) throw causes[0];
  return { found, unread, cause: causes[0] };
}
