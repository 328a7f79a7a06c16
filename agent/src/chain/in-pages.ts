import { BowlineError } from '@bowline/core/domain/result';
import { BaseError, HttpRequestError, RpcRequestError, TimeoutError } from 'viem';

/** Calls under way at a time. A node that is asked for all of them at once answers none. */
const atOnce = 8;

/**
 * Pages of one reading that may be halved. Five halvings find one bad number in a page; a node that refuses every page must not be
 * asked for every number of it.
 */
const maxHalvings = 40;

/** What a node says, with a sound HTTP answer, when it is asked too much. */
const limitExceeded = -32_005;

export interface ReadInPages<Item> {
  readonly items: ReadonlyMap<bigint, Item>;
  /** Numbers that got no answer. */
  readonly unread: readonly bigint[];
  /** What the last call failed with, when none of them was answered. */
  readonly silence?: Error;
}

/**
 * Reads what stands under `ids`, a page to a call and a few calls at a time. A page that cannot be read leaves the others
 * alone: it is halved, down to the number that is to blame. After as many calls without any answer as are made at a
 * time, nobody is there, and no more are made.
 * @param read items in the order of the page's numbers.
 */
export async function readInPages<Item>(
  ids: readonly bigint[],
  pageSize: number,
  read: (page: readonly bigint[]) => Promise<readonly Item[]>,
): Promise<ReadInPages<Item>> {
  const queue: (readonly bigint[])[] = [];
  for (let from = 0; from < ids.length; from += pageSize) queue.push(ids.slice(from, from + pageSize));
  const items = new Map<bigint, Item>();
  const unread: bigint[] = [];
  let halvings = 0;
  let silent = 0;
  let answered = false;
  let failure: Error | undefined;

  const readNext = async (page: readonly bigint[]) => {
    try {
      const answer = await read(page);
      for (const [at, item] of answer.entries()) items.set(page[at] as bigint, item);
      answered = true;
      silent = 0;
    } catch (error) {
      if (!(error instanceof BaseError || error instanceof BowlineError)) throw error;
      failure = error;
      if (isSilence(error)) silent += 1;
      else answered = true;
      if (page.length > 1 && !isSilence(error) && halvings < maxHalvings) {
        halvings += 1;
        const half = Math.ceil(page.length / 2);
        // Behind the pages that have not been asked for yet: those come first.
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
  return answered || failure === undefined ? { items, unread } : { items, unread, silence: failure };
}

/** Nobody answered, or answered that it was too much: asking again for less would be asking for more. */
function isSilence(error: BaseError | BowlineError): boolean {
  if (error instanceof BowlineError) return false;
  const cause = error.walk(
    (each) =>
      each instanceof HttpRequestError ||
      each instanceof TimeoutError ||
      (each instanceof RpcRequestError && each.code === limitExceeded),
  );
  return cause !== null;
}
