import type { Block } from '@bowline/core/domain/facts';
import { type ChainClient, newestBlock } from './chain-client.ts';
import { type ReadInPages, readInPages } from './in-pages.ts';

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
