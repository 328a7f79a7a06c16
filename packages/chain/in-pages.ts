import type { Block } from '@bowline/core/domain/facts';
import { BowlineError } from '@bowline/core/domain/result';
import type { Address } from '@bowline/core/domain/units';
import {
  type AbiFunction,
  type AbiParameter,
  decodeFunctionResult,
  encodeFunctionData,
  type Hex,
  hexToBigInt,
  keccak256,
  numberToHex,
  toFunctionSelector,
} from 'viem';
import { statesLensAbi } from '../../abis/index.ts';
import { statesLensCode } from '../../abis/states-lens.ts';
import { type ChainClient, newestBlock, runLens } from './chain-client.ts';
import { faultOf, isSilence, nodeAnswer } from './errors.ts';

/** Maximum concurrent calls. A node that receives all of them at once answers none. */
const atOnce = 8;

/**
 * Maximum halvings per read. Five halvings find one bad ID in a page; a node that rejects every page must not be called
 * for every ID of it.
 */
const maxHalvings = 40;

export interface ReadInPages<Item> {
  readonly items: ReadonlyMap<bigint, Item>;
  /** IDs without an answer. */
  readonly unread: readonly bigint[];
  /** Error of the last call, if no call was answered. */
  readonly silence?: Error;
}

/**
 * Reads the items of `ids`, one page per call and a few calls at a time. A failing page does not affect the others: it
 * is halved down to the ID at fault. After as many unanswered calls as run concurrently, the node counts as unreachable
 * and no more are made.
 * @param read returns items in the order of the page's IDs; undefined for one that cannot be read.
 */
export async function readInPages<Item>(
  ids: readonly bigint[],
  pageSize: number,
  read: (page: readonly bigint[]) => Promise<readonly (Item | undefined)[]>,
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
      for (const [at, item] of answer.entries()) {
        if (item === undefined) unread.push(page[at] as bigint);
        else items.set(page[at] as bigint, item);
      }
      answered = true;
      silent = 0;
    } catch (error) {
      if (!(error instanceof Error) || faultOf(error) === 'ours') throw error;
      failure = error;
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
  return answered || failure === undefined ? { items, unread } : { items, unread, silence: failure };
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

/** Page size of one eth_call, and the call that reads a page in order. */
interface Reading<Asked, Item> {
  readonly pageSize: number;
  read(page: readonly Asked[]): Promise<readonly (Item | undefined)[]>;
}

/** Items a contract numbers from 1: anybody may add one, and none is ever removed. */
interface Numbered<Item> {
  count(): Promise<bigint>;
  readonly first: Reading<bigint, Item>;
  /** Reads the live items again, given what is known of them. Defaults to `first`. */
  readonly again?: Reading<Item, Item>;
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
  readonly read: ReadInPages<Item>;
}

/** So many items more than are known cannot be true: they would have cost their owners 300 billion gas. */
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

  function note({ items, unread }: ReadInPages<Item>, now: bigint) {
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

  return {
    /**
     * All items by ID. Live items are read now, each page at the node's state when called; finished items come from
     * memory. `block`: the newest block when the read began. `unread`: number of items without an answer, which are
     * left out.
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
      // A single unanswered page affects itself only; if nothing was read, the node is unreachable.
      if (silence && reads.every(({ items }) => items.size === 0)) throw silence;
      const ascending = [...known].toSorted(([a], [b]) => (a < b ? -1 : 1));
      const unread = reads.reduce((sum, read) => sum + read.unread.length, 0);
      return { block, items: ascending.map(([, { item }]) => item), unread };
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
      const newestFirst = [...known].toSorted(([a], [b]) => (a < b ? 1 : -1));
      return { items: newestFirst.map(([, { item }]) => item).filter(matches), unread: unread.length };
    },
  };
}

/** Two words each; see contracts/lens/StatesLens.sol. */
export interface StateWords {
  readonly state: bigint;
  readonly more: bigint;
}

/**
 * Runs contracts/lens/StatesLens.sol at the newest block.
 * @returns the words of each ID, in order, undefined for one that cannot be read; or undefined if the node does not
 * support state overrides. Throws viem's errors.
 */
export async function readStates(
  client: ChainClient,
  question: { readonly planRegistry: Address; readonly tokens: readonly Address[] } | { readonly loanGuard: Address },
  ids: readonly bigint[],
): Promise<readonly (StateWords | undefined)[] | undefined> {
  const packed = packedIds(ids);
  const data =
    'planRegistry' in question
      ? encodeFunctionData({
          abi: statesLensAbi,
          functionName: 'plans',
          args: [question.planRegistry, packed, question.tokens],
        })
      : encodeFunctionData({ abi: statesLensAbi, functionName: 'guards', args: [question.loanGuard, packed] });
  const answer = await tryLens(client, statesLensCode, data);
  if (answer === undefined) return undefined;
  // Both functions answer alike.
  const [asked, words] = decodeFunctionResult({ abi: statesLensAbi, functionName: 'plans', data: answer });
  if (asked !== keccak256(data) || words.length !== 2 * ids.length) return undefined;
  return ids.map((_, at) => {
    const [state = 0n, more = 0n] = words.slice(2 * at, 2 * at + 2);
    return state === 0n ? undefined : { state, more };
  });
}

/** More than a plan or a guard needs. */
const STRUCT_GAS = 500_000n;

/**
 * Reads structs of fixed length by the same lens.
 * @param read a view function that takes a number.
 * @returns the encoded structs in order, undefined where the function reverts; or undefined if the node does not support
 * state overrides. Throws viem's errors.
 */
export async function readEach(
  client: ChainClient,
  target: Address,
  read: AbiFunction,
  ids: readonly bigint[],
): Promise<readonly (Hex | undefined)[] | undefined> {
  const found = await readHeads(client, target, read, { words: wordsOf(read.outputs), gasEach: STRUCT_GAS }, ids);
  return found && ids.map((_, at) => found[at] ?? undefined);
}

/**
 * Reads the beginnings of structs by the same lens.
 * @param bounds of each: what is kept, and the gas that may be used.
 * @returns those that the call's gas allowed, in order, null for one that cannot be read; or undefined if the node does not
 * support state overrides. Throws viem's errors.
 */
export async function readHeads(
  client: ChainClient,
  target: Address,
  read: AbiFunction,
  { words, gasEach }: { readonly words: number; readonly gasEach: bigint },
  ids: readonly bigint[],
): Promise<readonly (Hex | null)[] | undefined> {
  const length = 32 * words;
  const args = [target, toFunctionSelector(read), BigInt(length), gasEach, packedIds(ids)] as const;
  const data = encodeFunctionData({ abi: statesLensAbi, functionName: 'each', args });
  const answer = await tryLens(client, statesLensCode, data);
  if (answer === undefined) return undefined;
  const [asked, structs] = decodeFunctionResult({ abi: statesLensAbi, functionName: 'each', data: answer });
  const digits = 2 * length;
  const count = (structs.length - 2) / digits;
  if (asked !== keccak256(data) || !Number.isInteger(count) || count > ids.length) return undefined;
  const isZero = /^0*$/;
  return Array.from({ length: count }, (_, at) => {
    const struct = structs.slice(2 + at * digits, 2 + (at + 1) * digits);
    return isZero.test(struct) ? null : (`0x${struct}` as const);
  });
}

/** Words of parameters without dynamic types. */
const wordsOf = (parameters: readonly AbiParameter[]): number =>
  parameters.reduce((sum, each) => sum + ('components' in each ? wordsOf(each.components) : 1), 0);

/** Five bytes each, as the lenses take them. */
const packedIds = (ids: readonly bigint[]): Hex =>
  `0x${ids.map((id) => numberToHex(id, { size: 5 }).slice(2)).join('')}`;

/** As `runLens`; undefined, too, if the node refuses state overrides. */
const tryLens = (client: ChainClient, code: Hex, data: Hex): Promise<Hex | undefined> =>
  runLens(client, code, data).catch((error) => {
    if (nodeAnswer(error)?.code === INVALID_PARAMS) return undefined;
    throw error;
  });

/** JSON-RPC error for parameters that the node does not know. */
const INVALID_PARAMS = -32_602;

/** The bits of a word from `from` on. */
export const bits = (word: bigint, from: bigint, count: bigint): bigint => (word >> from) & ((1n << count) - 1n);

/** The lens's tag of encoded terms. */
export const tagOf = (encoded: Hex): bigint => hexToBigInt(keccak256(encoded)) >> 192n;
/** Whether the terms are others than those with this tag. */
export const isChanged = (words: StateWords | undefined, tag: bigint | undefined): boolean =>
  words !== undefined && words.state >> 192n !== tag;
