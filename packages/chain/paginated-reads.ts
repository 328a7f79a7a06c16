import { faultOf, isSilence } from './errors.ts';

/** Maximum concurrent calls. A node that receives all of them at once answers none. */
const AT_ONCE = 8;

/**
 * Maximum halvings per read. Five halvings find one bad key in a page; a node that rejects every page must not be called
 * for every key of it.
 */
const maxHalvings = 40;

export interface ReadInPages<Key, Item> {
  readonly items: ReadonlyMap<Key, Item>;
  /** Keys without an answer. */
  readonly unread: readonly Key[];
  /** The first error; absent if every key has an answer. */
  readonly cause?: Error;
  /** Error of the last call, if no call was answered. */
  readonly silence?: Error;
}

/**
 * Reads the items of `keys`, one page per call and a few calls at a time. A failing page does not affect the others: it
 * is halved down to the key at fault. After as many unanswered calls as run concurrently, the node counts as unreachable
 * and no more are made.
 * @param read returns items in the order of the page's keys; undefined for one that cannot be read.
 */
export async function readInPages<Key, Item>(
  keys: readonly Key[],
  pageSize: number,
  read: (page: readonly Key[]) => Promise<readonly (Item | undefined)[]>,
  atOnce = AT_ONCE,
): Promise<ReadInPages<Key, Item>> {
  const queue: (readonly Key[])[] = [];
  for (let from = 0; from < keys.length; from += pageSize) queue.push(keys.slice(from, from + pageSize));
  const items = new Map<Key, Item>();
  const unread: Key[] = [];
  let halvings = 0;
  let silent = 0;
  let answered = false;
  let first: Error | undefined;
  let last: Error | undefined;

  const readNext = async (page: readonly Key[]) => {
    try {
      const answer = await read(page);
      for (const [at, item] of answer.entries()) {
        if (item === undefined) unread.push(page[at] as Key);
        else items.set(page[at] as Key, item);
      }
      answered = true;
      silent = 0;
    } catch (error) {
      if (!(error instanceof Error) || faultOf(error) === 'ours') throw error;
      first ??= error;
      last = error;
      if (isSilence(error)) silent += 1;
      else answered = true;
      if (page.length > 1 && !isSilence(error) && halvings < maxHalvings) {
        halvings += 1;
        const half = Math.ceil(page.length / 2);
        // Queue behind the pages that have not been tried yet.
        queue.push(page.slice(0, half), page.slice(half));
      } else {
        unread.push(...page);
      }
    }
  };
  const work = async () => {
    for (let page = queue.shift(); page !== undefined; page = queue.shift()) {
      if (silent < atOnce) await readNext(page);
      else unread.push(...page);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  const cause = unread.length > 0 && first && { cause: first };
  return { items, unread, ...cause, ...(!answered && last && { silence: last }) };
}

/** Reads one page after the other, for a caller that is itself one of several. */
export async function inTurn<Asked, Item>(
  asked: readonly Asked[],
  pageSize: number,
  read: (page: readonly Asked[]) => Promise<readonly Item[]>,
): Promise<Item[]> {
  const items: Item[] = [];
  for (let from = 0; from < asked.length; from += pageSize)
    items.push(...(await read(asked.slice(from, from + pageSize))));
  return items;
}
