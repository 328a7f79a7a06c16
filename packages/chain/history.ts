import type { GuardHistory, PlanHistory } from '@bowline/core/audit/history';
import { spans } from '@bowline/core/audit/spans';
import type { Block } from '@bowline/core/domain/facts';
import { sameAddress } from '@bowline/core/domain/same-address';
import type { Address } from '@bowline/core/domain/units';
import { lendingMarketAbi, planRegistryAbi } from '../../abis/index.ts';
import { GUARDS_PAGE, readGuards } from './guard.ts';
import { readInPages } from './paginated-reads.ts';
import { PLANS_PAGE, readPlans } from './plan.ts';
import { type BlockReads, inOneCall } from './reads.ts';
import { readRescues, readRuns, rescueIn, rescuesCall, wholePage } from './records.ts';

// Everything that the chain stores about a permission, from state reads only: many nodes serve no logs.

const TERMS_PAGE = 40;
/** Records per call of several permissions. */
const RUNS_PAGE = 50;
const RESCUES_PAGE = 100;
/** Records per call of one permission, whose answer is not returned as a contract's code. */
const OWN_PAGE = 400;

/** How histories are read. */
interface Reading {
  readonly block: Block;
  /** Concurrent calls. */
  readonly atOnce?: number;
}

/** What could be read, and what is missing of each incomplete permission. */
export interface HistoriesRead<History> {
  readonly found: readonly History[];
  /** `missing` in words: "records 0 to 49 and versions 2". */
  readonly unread: readonly { readonly id: bigint; readonly missing: string }[];
  /** The first error; undefined if everything was read. */
  readonly cause: Error | undefined;
  /** The newest block at which a state was read. */
  readonly block: Block;
}

/**
 * Reads whole histories of plans in pages, several at a time. Only states are read at `block`: terms and records are
 * append-only, so nothing depends on how long a node keeps state. A state that the node does not have for that block is
 * read at the newest. Throws viem's errors if the node does not respond.
 * @param executor if given, only records of plans that it runs are read. An edit cannot change a plan's executor.
 *   A plan that could not be read may belong to anyone: it is listed as unread.
 */
export async function readPlanHistories(
  client: BlockReads,
  address: Address,
  ids: readonly bigint[],
  { executor, ...reading }: Reading & { readonly executor?: Address },
): Promise<HistoriesRead<PlanHistory>> {
  const { atOnce } = reading;
  const every = await readStates(client, ids, { ...reading, pageSize: PLANS_PAGE }, (page, at) =>
    readPlans(client, address, page, at),
  );
  const states = every.states.filter(
    ({ state: { terms } }) => executor === undefined || sameAddress(terms.executor, executor),
  );
  const versions = await readParts(
    states.map(({ id, state: { state } }) => ({ id, from: 1, to: state.version + 1 })),
    { atOnce, pageSize: TERMS_PAGE },
    (parts) => {
      const asked = parts.flatMap(({ id, from, to }) =>
        numbers(from, to).map((version) => [id, BigInt(version)] as const),
      );
      const contracts = asked.map(
        (args) => ({ address, abi: planRegistryAbi, functionName: 'termsOf', args }) as const,
      );
      return client.multicall({ ...inOneCall, allowFailure: false, contracts });
    },
  );
  const runs = await readRecords(
    states.map(({ id, state: { state } }) => ({ id, from: 0, to: state.records })),
    { atOnce, pageSize: RUNS_PAGE },
    ({ id, from, to }) => readRuns(client, address, id, from, to),
    (parts) => {
      const read = { address, abi: planRegistryAbi, functionName: 'runs' } as const;
      const contracts = parts.map((part) => ({ ...read, args: argsOf(part) }) as const);
      return client.multicall({ ...inOneCall, allowFailure: false, contracts });
    },
  );
  return histories({ ...every, states }, { versions, records: runs }, ({ id, blockNumber, state }) => {
    return { id, blockNumber, ...state, versions: versions.items.get(id) ?? [], runs: runs.items.get(id) ?? [] };
  });
}

/** The same for guards of one contract. @param isSale whether `address` is CollateralGuard's. */
export async function readGuardHistories(
  client: BlockReads,
  address: Address,
  ids: readonly bigint[],
  { isSale = false, ...reading }: Reading & { readonly isSale?: boolean },
): Promise<HistoriesRead<GuardHistory>> {
  const { atOnce } = reading;
  const every = await readStates(client, ids, { ...reading, pageSize: GUARDS_PAGE }, (page, at) =>
    readGuards(client, address, page, isSale, at),
  );
  const rescues = await readRecords(
    every.states.map(({ id, state: { state } }) => ({ id, from: 0, to: state.rescues })),
    { atOnce, pageSize: RESCUES_PAGE },
    ({ id, from, to }) => readRescues(client, address, isSale, id, from, to),
    async (parts) => {
      const contracts = parts.map((part) => rescuesCall(address, isSale, argsOf(part)));
      const pages = await client.multicall({ ...inOneCall, allowFailure: false, contracts });
      return pages.map((page) => page.map(rescueIn));
    },
  );
  // A stranger's adapter may fail, or use up the gas of a page: each guard's is read on its own.
  const readForced = async ({ state: { terms } }: (typeof every.states)[number]) => {
    const call = { address: terms.adapter, abi: lendingMarketAbi, functionName: 'forcedMarkets' } as const;
    return client.readContract({ ...call, args: [terms.borrower] });
  };
  const forced = await readInPages(every.states, 1, (page) => Promise.all(page.map(readForced)), atOnce);
  return histories(every, { rescues }, (each) => {
    const { id, blockNumber, state } = each;
    return { id, blockNumber, ...state, rescues: rescues.items.get(id) ?? [], forcedMarkets: forced.items.get(each) };
  });
}

interface StateRead<State> {
  readonly id: bigint;
  readonly blockNumber: bigint;
  readonly state: State;
}

interface StatesRead<State> {
  readonly states: readonly StateRead<State>[];
  readonly unread: readonly bigint[];
  readonly cause: Error | undefined;
  readonly block: Block;
}

interface Paging {
  readonly pageSize: number;
  readonly atOnce?: number | undefined;
}

/** States at `block`; where the node does not give them, at its newest block. */
async function readStates<State>(
  client: Pick<BlockReads, 'getBlock'>,
  ids: readonly bigint[],
  { block, pageSize, atOnce }: Paging & { readonly block: Block },
  read: (page: readonly bigint[], blockNumber: bigint) => Promise<readonly State[]>,
): Promise<StatesRead<State>> {
  const at = async (wanted: readonly bigint[], blockNumber: bigint) => {
    const pages = await readInPages(wanted, pageSize, (page) => read(page, blockNumber), atOnce);
    return { ...pages, states: [...pages.items].map(([id, state]) => ({ id, blockNumber, state })) };
  };
  const first = await at(ids, block.number);
  if (first.unread.length === 0) return { states: inOrder(first.states), unread: [], cause: undefined, block };
  const newest = await client.getBlock({ blockTag: 'latest' });
  const again = await at(first.unread, newest.number);
  const states = inOrder([...first.states, ...again.states]);
  if (states.length === 0 && again.silence) throw again.silence;
  return { states, unread: again.unread, cause: again.cause, block: again.states.length > 0 ? newest : block };
}

const inOrder = <Each extends { readonly id: bigint }>(all: readonly Each[]): readonly Each[] =>
  all.toSorted((a, b) => (a.id < b.id ? -1 : 1));

/** Items `from` to `to` (exclusive) of one permission. */
interface Part {
  readonly id: bigint;
  readonly from: number;
  readonly to: number;
}

interface PartsRead<Item> {
  readonly items: ReadonlyMap<bigint, readonly Item[]>;
  readonly missing: ReadonlyMap<bigint, readonly number[]>;
  readonly cause: Error | undefined;
}

/** Items of many permissions in pages, which may hold parts of several. */
async function readParts<Item>(
  wanted: readonly Part[],
  { pageSize, atOnce }: Paging,
  read: (parts: readonly Part[]) => Promise<readonly Item[]>,
): Promise<PartsRead<Item>> {
  const keys = wanted.flatMap(({ id, from, to }) => numbers(from, to).map((number) => ({ id, number })));
  const pages = await readInPages(keys, pageSize, (page) => read(inParts(page)), atOnce);
  const items = new Map<bigint, Item[]>();
  const missing = new Map<bigint, number[]>();
  for (const key of keys) {
    const item = pages.items.get(key);
    if (item === undefined) missing.set(key.id, push(missing.get(key.id), key.number));
    else items.set(key.id, push(items.get(key.id), item));
  }
  return { items, missing, cause: pages.cause };
}

function inParts(keys: readonly { readonly id: bigint; readonly number: number }[]): readonly Part[] {
  const parts: Part[] = [];
  for (const { id, number } of keys) {
    const last = parts.at(-1);
    if (last?.id === id && last.to === number) parts[parts.length - 1] = { ...last, to: number + 1 };
    else parts.push({ id, from: number, to: number + 1 });
  }
  return parts;
}

function push<Item>(list: Item[] = [], item: Item): Item[] {
  list.push(item);
  return list;
}

const numbers = (from: number, to: number): number[] =>
  Array.from({ length: Math.max(0, to - from) }, (_, at) => from + at);

const argsOf = ({ id, from, to }: Part) => [id, BigInt(from), BigInt(to)] as const;

/** Reads records. A single permission's are read by a call whose answer is not returned as contract code. */
const readRecords = <Item>(
  wanted: readonly Part[],
  { pageSize, atOnce }: Paging,
  ofOne: (part: Part) => Promise<readonly Item[]>,
  ofSeveral: (parts: readonly Part[]) => Promise<readonly (readonly Item[])[]>,
): Promise<PartsRead<Item>> =>
  readParts(wanted, { atOnce, pageSize: wanted.length === 1 ? OWN_PAGE : pageSize }, async (parts) => {
    const [first, ...others] = parts;
    if (first && others.length === 0) return ofOne(first);
    const pages = await ofSeveral(parts);
    return parts.flatMap(({ from, to }, at) => wholePage(pages[at] ?? [], to - from));
  });

/** @param parts keyed by what they hold, in words. */
function histories<State, History>(
  { states, unread, cause, block }: StatesRead<State>,
  parts: Readonly<Record<string, Omit<PartsRead<unknown>, 'items'>>>,
  make: (read: StateRead<State>) => History,
): HistoriesRead<History> {
  const missingOf = (id: bigint): string =>
    Object.entries(parts)
      .flatMap(([kind, { missing }]) => {
        const some = missing.get(id);
        return some ? [spans(kind, some)] : [];
      })
      .join(' and ');
  const judged = states.map((read) => ({ read, missing: missingOf(read.id) }));
  return {
    found: judged.flatMap(({ read, missing }) => (missing === '' ? [make(read)] : [])),
    unread: [
      ...unread.map((id) => ({ id, missing: 'its state' })),
      ...judged.flatMap(({ read: { id }, missing }) => (missing === '' ? [] : [{ id, missing }])),
    ],
    cause: [cause, ...Object.values(parts).map((each) => each.cause)].find((each) => each !== undefined),
    block,
  };
}
