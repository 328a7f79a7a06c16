import type { Block } from '@bowline/core/domain/facts';
import { BowlineError } from '@bowline/core/domain/result';
import { BaseError, HttpRequestError, RpcRequestError, TimeoutError } from 'viem';
import { type ChainClient, newestBlock } from './chain-client.ts';

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

/** How many of them one eth_call reads, and reads them, in the order asked. */
interface Reading<Asked, Item> {
  readonly pageSize: number;
  read(page: readonly Asked[]): Promise<readonly Item[]>;
}

/** What a contract numbers from 1 on: anybody may add to it, and nothing ever leaves. */
interface Numbered<Item> {
  count(): Promise<bigint>;
  readonly first: Reading<bigint, Item>;
  /** What is read of the live ones each time, by what is known of them. Left out, it is what was read first. */
  readonly again?: Reading<Item, Item>;
  /** Whether it can never matter again, whatever anybody does. */
  isOver(item: Item, now: bigint): boolean;
}

interface Known<Item> {
  readonly item: Item;
  /** Time of the first reading that found it over; absent while it is live. */
  readonly overSince?: bigint;
  /** Found over again, so much later that no reorganisation undoes it. */
  readonly settled: boolean;
}

interface Learnt<Item> {
  readonly block: Block;
  readonly read: ReadInPages<Item>;
}

/** Chain time after which what a block said stays so. Blocks of BNB Chain are final in seconds. */
const settleSeconds = 60n;

/**
 * Reads all that a contract numbers, and remembers what is over: junk is cheap to make, and is to be read twice, not for
 * ever. The memory is the process's own; what is not in it is read from the chain.
 */
export function createNumberedReader<Item>(client: ChainClient, { count, first, again, isOver }: Numbered<Item>) {
  const known = new Map<bigint, Known<Item>>();
  let learning: Promise<Learnt<Item>> | undefined;

  function note({ items, unread }: ReadInPages<Item>, now: bigint) {
    // Begun anew by the next reading, rather than answered as it no longer may be.
    for (const id of unread) known.delete(id);
    for (const [id, item] of items) {
      if (isOver(item, now)) {
        const overSince = known.get(id)?.overSince ?? now;
        known.set(id, { item, overSince, settled: now >= overSince + settleSeconds });
      } else known.set(id, { item, settled: false });
    }
  }

  async function learnNew(): Promise<Learnt<Item>> {
    const [block, newest] = await Promise.all([newestBlock(client), count()]);
    // Undone by a reorganisation, or unknown to a node that lags behind.
    for (const id of known.keys()) if (id > newest) known.delete(id);
    const ids: bigint[] = [];
    for (let id = 1n; id <= newest; id += 1n) if (!known.has(id)) ids.push(id);
    const read = await readInPages(ids, first.pageSize, first.read);
    note(read, block.timestamp);
    return { block, read };
  }

  /** Shared by all who ask meanwhile. What is under way already may not know of what was added since, and is waited for. */
  async function learn(): Promise<Learnt<Item>> {
    if (learning !== undefined) await learning.catch(() => {});
    learning ??= learnNew().finally(() => {
      learning = undefined;
    });
    return learning;
  }

  return {
    /**
     * Everything, by number. What is not over is read now, each page as the node has it when it is asked; the rest is as it
     * was. `block`: the newest when the reading began. `unread`: how many got no answer and are left out.
     */
    async all(): Promise<{ readonly block: Block; readonly items: readonly Item[]; readonly unread: number }> {
      const { block, read: learnt } = await learn();
      const now = block.timestamp;
      const doubtful: bigint[] = [];
      for (const [id, { overSince, settled }] of known) {
        if (overSince !== undefined && !settled && now >= overSince + settleSeconds) doubtful.push(id);
      }
      const settling = await readInPages(doubtful, first.pageSize, first.read);
      note(settling, now);

      const live = new Map<bigint, Item>();
      for (const [id, { item, overSince }] of known) {
        if (overSince === undefined && (again !== undefined || !learnt.items.has(id))) live.set(id, item);
      }
      const following = await (again === undefined
        ? readInPages([...live.keys()], first.pageSize, first.read)
        : readInPages([...live.keys()], again.pageSize, (page) => again.read(page.map((id) => live.get(id) as Item))));
      note(following, now);

      const reads = [learnt, settling, following];
      const silence = reads.find((read) => read.silence)?.silence;
      // One page that gets no answer is that page's trouble, but when nothing was read, nobody is there.
      if (silence && reads.every(({ items }) => items.size === 0)) throw silence;
      const ascending = [...known].toSorted(([a], [b]) => (a < b ? -1 : 1));
      const unread = reads.reduce((sum, read) => sum + read.unread.length, 0);
      return { block, items: ascending.map(([, { item }]) => item), unread };
    },

    /**
     * Those that match, newest first, as they were when last read: their numbers are good, and what never changes of them.
     * `unread`: how many got no answer, of which some may match.
     */
    async find(
      matches: (item: Item) => boolean,
    ): Promise<{ readonly items: readonly Item[]; readonly unread: number }> {
      const { unread, silence } = (await learn()).read;
      if (silence && known.size === 0) throw silence;
      const newestFirst = [...known].toSorted(([a], [b]) => (a < b ? 1 : -1));
      return { items: newestFirst.map(([, { item }]) => item).filter(matches), unread: unread.length };
    },
  };
}
