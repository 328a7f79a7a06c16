/**
 * Items per call. A deployless call returns at most 24,576 bytes. 25 plans take 22,464 of them, and no other listed
 * item is larger (web/test/truth.test.ts).
 */
export const PAGE = 25;
/** Concurrent calls: public nodes refuse more. */
const TOGETHER = 4;

export interface Pages<Item, Found> {
  readonly found: readonly Found[];
  /** Items of the pages that could not be read. */
  readonly unread: readonly Item[];
  /** The error of the first such page. */
  readonly cause: unknown;
}

/**
 * Reads a list page by page; a page that fails does not affect the others.
 * @throws the first page's error if every page fails.
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
