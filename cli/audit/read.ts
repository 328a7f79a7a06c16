import { type ChainClient, connectChain, inOneCall } from '@bowline/chain/chain-client';
import { readInPages } from '@bowline/chain/in-pages';
import type { GuardHistory, PlanHistory, Token } from '@bowline/core/audit/history';
import { spans } from '@bowline/core/audit/spans';
import { tokenName } from '@bowline/core/audit/token';
import type { Asset } from '@bowline/core/domain/assets';
import { poolFeeOf } from '@bowline/core/domain/pool-fee';
import { BowlineError } from '@bowline/core/domain/result';
import { readAssetRegistry } from '@bowline/core/registry/assets';
import { type Address, erc20Abi, isAddress, zeroAddress } from 'viem';
import { lendingMarketAbi, loanGuardAbi, permissionsLensAbi, planRegistryAbi } from '../../abis/index.ts';
import { permissionsLensCode } from '../../abis/permissions-lens.ts';

/** The part of a deployment record that the audit reads. */
export interface Places {
  readonly planRegistry: Address;
  readonly loanGuard: Address;
}

/** What could be read, and a sentence for each permission or part of one that could not. */
export interface Read<History> {
  readonly found: readonly History[];
  readonly unread: readonly string[];
}

// Pages of one eth_call. Answers return as the code of a contract: 24 kB at most.
const statesPage = 24;
const termsPage = 40;
const recordsPage = 50;
const rescuesPage = 100;
/** Numbers that the lens searches in one call: half of what nodes have the gas for. */
const searchPage = 1_250;

/**
 * Reads permissions in pages, several at a time (packages/chain/in-pages.ts). Only states are read at one block: terms
 * and records are append-only, so that nothing depends on how long a node remembers. A state that the node does not
 * give for that block is read at the newest. Throws viem's errors if the node answers nothing.
 */
export async function openChain(rpcUrl: string, { planRegistry, loanGuard }: Places) {
  const client = connectChain(rpcUrl);
  const first = await client.getBlock();
  const registry = { address: planRegistry, abi: planRegistryAbi } as const;
  const contract = { address: loanGuard, abi: loanGuardAbi } as const;
  const tokens = new Map<string, Promise<Token>>();
  const listed = readAssetRegistry(await client.getChainId(), isAddress);

  /** @param executor only plans that it runs, if given: others' records are not read. */
  async function plans(ids: readonly bigint[], executor?: Address): Promise<Read<PlanHistory>> {
    const every = await readStates(client, ids, first.number, (page, blockNumber) =>
      client.multicall({
        ...inOneCall,
        allowFailure: false,
        blockNumber,
        contracts: page.map((id) => ({ ...registry, functionName: 'plan', args: [id] }) as const),
      }),
    );
    const isWanted = (of: Address) => executor === undefined || of.toLowerCase() === executor.toLowerCase();
    const states = every.filter(({ state: { terms } }) => isWanted(terms.executor));
    // Whose plan it is cannot be told of one that was not read: it stays among the unread.
    const foreign = new Set(every.filter(({ state: { terms } }) => !isWanted(terms.executor)).map(({ id }) => id));
    const wanted = ids.filter((id) => !foreign.has(id));
    const terms = await readParts(
      states.map(({ id, state: { state } }) => ({ id, from: 1, to: state.version + 1 })),
      termsPage,
      async (parts) => {
        const contracts = parts.flatMap(({ id, from, to }) =>
          numbers(from, to).map(
            (version) => ({ ...registry, functionName: 'termsOf', args: [id, BigInt(version)] }) as const,
          ),
        );
        return client.multicall({ ...inOneCall, allowFailure: false, contracts });
      },
    );
    const runs = await readParts(
      states.map(({ id, state: { state } }) => ({ id, from: 0, to: state.records })),
      recordsPage,
      async (parts) => {
        const contracts = parts.map(
          ({ id, from, to }) => ({ ...registry, functionName: 'runs', args: [id, BigInt(from), BigInt(to)] }) as const,
        );
        return wholePages(parts, await client.multicall({ ...inOneCall, allowFailure: false, contracts }));
      },
    );
    return histories('Plan', wanted, states, ({ id, blockNumber, state }) => {
      const missing = missingIn({ versions: terms.missing.get(id), records: runs.missing.get(id) });
      if (missing !== undefined) return missing;
      return { id, blockNumber, ...state, versions: terms.items.get(id) ?? [], runs: runs.items.get(id) ?? [] };
    });
  }

  async function guards(ids: readonly bigint[]): Promise<Read<GuardHistory>> {
    const states = await readStates(client, ids, first.number, (page, blockNumber) =>
      client.multicall({
        ...inOneCall,
        allowFailure: false,
        blockNumber,
        contracts: page.map((id) => ({ ...contract, functionName: 'guard', args: [id] }) as const),
      }),
    );
    const rescues = await readParts(
      states.map(({ id, state: { state } }) => ({ id, from: 0, to: state.rescues })),
      rescuesPage,
      async (parts) => {
        const contracts = parts.map(
          ({ id, from, to }) =>
            ({ ...contract, functionName: 'rescues', args: [id, BigInt(from), BigInt(to)] }) as const,
        );
        return wholePages(parts, await client.multicall({ ...inOneCall, allowFailure: false, contracts }));
      },
    );
    // An adapter of a stranger's may fail, or use up the gas of a page: each guard's is read alone.
    const forced = await readInPages(
      states.map((_, at) => BigInt(at)),
      1,
      async ([at = 0n]) => {
        const { adapter: address = zeroAddress, borrower = zeroAddress } = states[Number(at)]?.state.terms ?? {};
        const call = { address, abi: lendingMarketAbi, functionName: 'forcedMarkets', args: [borrower] } as const;
        return [await client.readContract(call)];
      },
    );
    return histories('Guard', ids, states, ({ id, blockNumber, state }, at) => {
      const missing = missingIn({ rescues: rescues.missing.get(id) });
      if (missing !== undefined) return missing;
      const forcedMarkets = forced.items.get(BigInt(at));
      return { id, blockNumber, ...state, rescues: rescues.items.get(id) ?? [], forcedMarkets };
    });
  }

  /** Throws a sentence if there is no such permission, or it cannot be read. */
  async function one<History>(
    kind: 'Plan' | 'Guard',
    id: bigint,
    read: (ids: readonly bigint[]) => Promise<Read<History>>,
  ): Promise<History> {
    const { plans: planCount, guards: guardCount } = await counts();
    if (id > (kind === 'Plan' ? planCount : guardCount)) throw new Error(`${kind} ${id} does not exist.`);
    const { found, unread } = await read([id]);
    const [history] = found;
    if (history === undefined) throw new Error(unread[0]);
    return history;
  }

  async function counts(): Promise<{ readonly plans: bigint; readonly guards: bigint }> {
    const [plans, guards] = await Promise.all([
      client.readContract({ ...registry, functionName: 'planCount' }),
      client.readContract({ ...contract, functionName: 'guardCount' }),
    ]);
    return { plans, guards };
  }

  async function search(functionName: 'plansOf' | 'guardsOf', kind: string, owner: Address, count: bigint) {
    const address = functionName === 'plansOf' ? planRegistry : loanGuard;
    const ids = Array.from({ length: Number(count) }, (_, at) => BigInt(at + 1));
    const read = await readInPages(ids, searchPage, async (page) => {
      const own = new Set<bigint>();
      const end = (page.at(-1) ?? 0n) + 1n;
      for (let from = page[0] ?? end; from < end; ) {
        const args = [address, owner, from, end] as const;
        const lens = { code: permissionsLensCode, abi: permissionsLensAbi, functionName, args } as const;
        const [found, next] = await client.readContract(lens);
        // With too little gas for a single number the lens stays where it is.
        if (next <= from || next > end) throw new BowlineError('chain_unavailable', 'The lens did not search.');
        for (const id of found) own.add(id);
        from = next;
      }
      return page.map((id) => own.has(id));
    });
    if (read.silence) throw read.silence;
    const unread = read.unread.map(Number).toSorted((a, b) => a - b);
    return {
      ids: ids.filter((id) => read.items.get(id) === true),
      unread: unread.length === 0 ? [] : [`NOT SEARCHED for this owner: ${spans(kind, unread)}.`],
    };
  }

  return {
    blockNumber: first.number,
    timestamp: first.timestamp,
    poolFee: (tokenIn: Address, tokenOut: Address) => poolFeeOf(listed, tokenIn, tokenOut),
    plans,
    guards,
    /** All plans of an executor. An edit cannot change a plan's executor. */
    async servedBy(executor: Address): Promise<Read<PlanHistory>> {
      const { plans: count } = await counts();
      return plans(
        Array.from({ length: Number(count) }, (_, at) => BigInt(at + 1)),
        executor,
      );
    },
    plan: (id: bigint): Promise<PlanHistory> => one('Plan', id, plans),
    guard: (id: bigint): Promise<GuardHistory> => one('Guard', id, guards),
    /**
     * Ids of all permissions of one owner, and a sentence for each range that could not be searched. The contracts keep
     * no such index: a lens looks at every permission (docs/decisions/0021).
     */
    async ownedBy(owner: Address) {
      const { plans: planCount, guards: guardCount } = await counts();
      const [ofPlans, ofGuards] = [
        await search('plansOf', 'plans', owner, planCount),
        await search('guardsOf', 'guards', owner, guardCount),
      ];
      return { plans: ofPlans.ids, guards: ofGuards.ids, unread: [...ofPlans.unread, ...ofGuards.unread] };
    },
    /** For display. A token that is not listed never has a listed one's symbol. */
    token(address: Address): Promise<Token> {
      const known = tokens.get(address) ?? readToken(client, address, listed);
      tokens.set(address, known);
      return known;
    },
  };
}

async function readToken(client: ChainClient, address: Address, listed: readonly Asset[]): Promise<Token> {
  const token = { address, abi: erc20Abi } as const;
  const [symbol, decimals] = await Promise.all([
    client.readContract({ ...token, functionName: 'symbol' }).catch(() => ''),
    client.readContract({ ...token, functionName: 'decimals' }).catch(() => 0),
  ]);
  return { symbol: tokenName(address, symbol, listed), decimals };
}

interface StateRead<State> {
  readonly id: bigint;
  readonly blockNumber: bigint;
  readonly state: State;
}

/** States at `blockNumber`; where the node does not give them, at its newest block. */
async function readStates<State>(
  client: ChainClient,
  ids: readonly bigint[],
  blockNumber: bigint,
  read: (page: readonly bigint[], blockNumber: bigint) => Promise<readonly State[]>,
): Promise<readonly StateRead<State>[]> {
  const atFirst = await readInPages(ids, statesPage, (page) => read(page, blockNumber));
  const found = [...atFirst.items].map(([id, state]) => ({ id, blockNumber, state }));
  if (atFirst.unread.length > 0) {
    const { number } = await client.getBlock();
    const again = await readInPages(atFirst.unread, statesPage, (page) => read(page, number));
    found.push(...[...again.items].map(([id, state]) => ({ id, blockNumber: number, state })));
    if (found.length === 0 && again.silence) throw again.silence;
  }
  return found.toSorted((a, b) => (a.id < b.id ? -1 : 1));
}

/** Items `from` to `to` (exclusive) of one permission. */
interface Part {
  readonly id: bigint;
  readonly from: number;
  readonly to: number;
}

/** Items of many permissions in pages, which may hold parts of several. By permission, whole ones only. */
async function readParts<Item>(
  wanted: readonly Part[],
  pageSize: number,
  read: (parts: readonly Part[]) => Promise<readonly Item[]>,
): Promise<{ readonly items: ReadonlyMap<bigint, readonly Item[]>; readonly missing: ReadonlyMap<bigint, number[]> }> {
  const flat = wanted.flatMap(({ id, from, to }) => numbers(from, to).map((number) => ({ id, number })));
  const result = await readInPages(
    flat.map((_, at) => BigInt(at)),
    pageSize,
    (page) => {
      const parts: Part[] = [];
      for (const at of page) {
        const { id, number } = flat[Number(at)] ?? { id: 0n, number: 0 };
        const last = parts.at(-1);
        if (last?.id === id && last.to === number) parts[parts.length - 1] = { ...last, to: number + 1 };
        else parts.push({ id, from: number, to: number + 1 });
      }
      return read(parts);
    },
  );
  const items = new Map<bigint, Item[]>();
  const missing = new Map<bigint, number[]>();
  for (const [at, { id, number }] of flat.entries()) {
    const item = result.items.get(BigInt(at));
    if (item === undefined) missing.set(id, push(missing.get(id), number));
    else items.set(id, push(items.get(id), item));
  }
  return { items, missing };
}

function push<Item>(list: Item[] = [], item: Item): Item[] {
  list.push(item);
  return list;
}

const numbers = (from: number, to: number): number[] =>
  Array.from({ length: Math.max(0, to - from) }, (_, at) => from + at);

/** A node that is behind returns fewer than were asked for: they were not read. */
function wholePages<Item>(parts: readonly Part[], pages: readonly (readonly Item[])[]): Item[] {
  for (const [at, { from, to }] of parts.entries()) {
    if (pages[at]?.length !== to - from) throw new BowlineError('internal', 'The node is behind.');
  }
  return pages.flat();
}

/** Which parts are missing, in words; undefined if none. */
function missingIn(parts: Readonly<Record<string, readonly number[] | undefined>>): string | undefined {
  const named = Object.entries(parts).flatMap(([kind, missing]) => (missing ? [spans(kind, missing)] : []));
  return named.length === 0 ? undefined : named.join(' and ');
}

/** @param make a history, or what of it is missing. */
function histories<State, History extends object>(
  kind: string,
  ids: readonly bigint[],
  states: readonly StateRead<State>[],
  make: (read: StateRead<State>, at: number) => History | string,
): Read<History> {
  const made = states.map((read, at) => ({ id: read.id, history: make(read, at) }));
  const known = new Set(states.map(({ id }) => id));
  const unread = [
    ...ids.filter((id) => !known.has(id)).map((id) => ({ id, missing: 'its state' })),
    ...made.flatMap(({ id, history }) => (typeof history === 'string' ? [{ id, missing: history }] : [])),
  ];
  return {
    found: made.flatMap(({ history }) => (typeof history === 'string' ? [] : [history])),
    unread: unread.map(({ id, missing }) => `${kind} ${id}: NOT READ. The node did not answer for ${missing}.`),
  };
}
