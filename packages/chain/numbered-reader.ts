import type { Block } from '@bowline/core/domain/facts';
import { BowlineError } from '@bowline/core/domain/result';
import { type ChainClient, newestBlock } from './chain-client.ts';
import { type ReadInPages, readInPages } from './paginated-reads.ts';

/** Page size of one eth_call, and the call that reads a page in order. */
interface Reading<Asked extends readonly unknown[], Item> {
  readonly pageSize: number;
  read(...asked: Asked): Promise<readonly (Item | undefined)[]>;
}

/** Items a contract numbers from 1: anybody may add one, and none is ever removed. */
interface Numbered<Item> {
  count(): Promise<bigint>;
  readonly first: Reading<[readonly bigint[]], Item>;
  /** Reads items again, given what is known of them and the block's time. Defaults to `first`. */
  readonly again?: Reading<[known: readonly Item[], now: bigint], Item>;
  /** Whether the item can never matter again, whatever anybody does. */
  isOver(item: Item, now: bigint): boolean;
}

interface Known<Item> {
  readonly item: Item;
  /** Time of the first read that found it over; absent while it is live. */
  readonly overSince?: bigint;
  /** Found over again, late enough that no reorganisation reverts it. */
  readonly settled: boolean;
}

interface Learnt<Item> {
  readonly block: Block;
  readonly read: ReadInPages<bigint, Item>;
}

/** More new items than this cannot be true: they would have cost their owners 300 billion gas. */
const maxRise = 2_000_000;

/** Seconds of chain time after which a block's content is final. BNB Chain finalises within seconds. */
const settleSeconds = 60n;

/**
 * Reads every item of a contract and remembers the finished ones. Junk is cheap to create, so each finished item must
 * be read at most twice rather than in every round. The memory is per process; everything else is read from the chain.
 */
export function createNumberedReader<Item>(client: ChainClient, { count, first, again, isOver }: Numbered<Item>) {
  const known = new Map<bigint, Known<Item>>();
  let learning: Promise<Learnt<Item>> | undefined;

  function note({ items, unread }: ReadInPages<bigint, Item>, now: bigint) {
    // The next read starts over for these instead of returning outdated state.
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
    // A node that lies about it must not fill the memory.
    if (newest > BigInt(known.size + maxRise))
      throw new BowlineError('chain_unavailable', 'The chain does not answer.');
    // Removed by a reorganisation, or unknown to a lagging node.
    for (const id of known.keys()) if (id > newest) known.delete(id);
    const ids: bigint[] = [];
    for (let id = 1n; id <= newest; id += 1n) if (!known.has(id)) ids.push(id);
    const read = await readInPages(ids, first.pageSize, first.read);
    note(read, block.timestamp);
    return { block, read };
  }

  /** Shared by concurrent callers. A read under way may miss items added since, so wait for it and read again. */
  async function learn(): Promise<Learnt<Item>> {
    if (learning !== undefined) await learning.catch(() => {});
    learning ??= learnNew().finally(() => {
      learning = undefined;
    });
    return learning;
  }

  const ascending = () => [...known].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, { item }]) => item);

  return {
    /**
     * All items by ID. Live items are read now, each page at the node's state when called; finished items come from
     * memory. `block`: the newest block when the read began. `unread`: number of items without an answer, which are
     * left out.
     */
    async all(): Promise<{ readonly block: Block; readonly items: readonly Item[]; readonly unread: number }> {
      const { block, read: learnt } = await learn();
      const now = block.timestamp;
      const isNew = (id: bigint) => !again && learnt.items.has(id);
      const due = new Map([...known].filter(([id, each]) => isDue(each, now) && !isNew(id)));
      const ids = [...due.keys()];
      const itemOf = (id: bigint) => (due.get(id) as Known<Item>).item;
      const following = await (again
        ? readInPages(ids, again.pageSize, (page) => again.read(page.map(itemOf), now))
        : readInPages(ids, first.pageSize, first.read));
      note(following, now);

      const reads = [learnt, following];
      const silence = reads.find((read) => read.silence)?.silence;
      // A single unanswered page affects itself only; if nothing was read, the node is unreachable.
      if (silence && reads.every(({ items }) => items.size === 0)) throw silence;
      const unread = reads.reduce((sum, read) => sum + read.unread.length, 0);
      return { block, items: ascending(), unread };
    },

    /**
     * Matching items, newest first, as last read: IDs and immutable fields are reliable. `unread`: number of items
     * without an answer, some of which may match.
     */
    async find(
      matches: (item: Item) => boolean,
    ): Promise<{ readonly items: readonly Item[]; readonly unread: number }> {
      const { unread, silence } = (await learn()).read;
      if (silence && known.size === 0) throw silence;
      return { items: ascending().filter(matches).toReversed(), unread: unread.length };
    },
  };
}

/** Live, or over for long enough that, once read as over again, no reorganisation reverts it. */
const isDue = ({ overSince, settled }: Known<unknown>, now: bigint): boolean =>
  overSince === undefined || (!settled && now >= overSince + settleSeconds);
