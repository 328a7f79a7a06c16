// Health of guarded loans: by a lens where the protocol has one and the node runs it, by the adapter elsewhere.

import type { Guard } from '@bowline/core/domain/permissions';
import type { Health, HealthReader } from '@bowline/core/domain/ports';
import { mulDivDown, WAD } from '@bowline/core/domain/units';
import { createAdapterReader, guardsPerCall } from './adapter-health.ts';
import { asking, type ChainClient } from './chain-client.ts';
import { type Account, isOfNode, type LendingLens, readByLens, type Values } from './lending/lens.ts';

/** Pages per `watch`: accounts that are costly to read must not add requests at every block. */
const WATCHED_PAGES = 3;
/** An account is read at least once in so many calls of `watch`, unless the pages do not suffice. */
const ROTATION = 10;
/** So many accounts are read in turn at least: they fit into one call. */
const MIN_TURN = 400;
/** A loan is read at every call while its health is below its trigger and this much. */
const NEAR_BPS = 200n;

/** An account that a lens can read, with its guards, which differ in their terms alone. */
interface Watched extends Account {
  readonly key: string;
  readonly lens: LendingLens;
  readonly guards: readonly Guard[];
}

/** An account as last read: its values by the lens, or what the adapter says of its guards, by number. */
type Known = { readonly values: Values } | { readonly healths: ReadonlyMap<bigint, Health> };

/** @param lenses by adapter in lower case. */
export function createHealthReader(
  client: ChainClient,
  lenses: ReadonlyMap<string, LendingLens> = new Map(),
): HealthReader {
  const byAdapter = createAdapterReader(client);
  /** By key, those first that were read longest ago. */
  const known = new Map<string, Known>();
  const near = new Set<string>();
  /** Not run by the node. A full reading tries them again. */
  const unsupported = new Set<LendingLens>();

  function note(key: string, state: Known) {
    known.delete(key);
    known.set(key, state);
  }

  /** By account, and the guards whose adapters have no lens. */
  function sorted(guards: readonly Guard[]): { accounts: readonly Watched[]; others: readonly Guard[] } {
    const others: Guard[] = [];
    const byKey = new Map<string, Watched & { readonly guards: Guard[] }>();
    for (const guard of guards) {
      const lens = lenses.get(guard.adapter.toLowerCase());
      if (lens === undefined || unsupported.has(lens)) {
        others.push(guard);
        continue;
      }
      const { borrower, market, priceSource } = guard;
      const key = keyOf(guard);
      const account = byKey.get(key);
      if (account) account.guards.push(guard);
      else byKey.set(key, { key, lens, borrower, market, ...(priceSource && { priceSource }), guards: [guard] });
    }
    return { accounts: [...byKey.values()], others };
  }

  /** Notes what the lenses answer. Returns the keys of those accounts, the accounts for the adapter, and any silence. */
  async function readByLenses(accounts: readonly Watched[], maxPages: number) {
    const answered = new Set<string>();
    const forAdapter: Watched[] = [];
    let silence: unknown;
    for (const [lens, of] of Map.groupBy(accounts, (account) => account.lens)) {
      const read = await readByLens(lens, of, maxPages);
      if (read.isUnsupported) unsupported.add(lens);
      silence ??= read.silence;
      for (const [account, values] of read.values) {
        if (values === undefined) forAdapter.push(account);
        else {
          answered.add(account.key);
          note(account.key, { values });
        }
      }
    }
    return { answered, forAdapter, silence };
  }

  async function readByAdapter(guards: readonly Guard[]): Promise<ReadonlyMap<Guard, Health>> {
    if (guards.length === 0) return new Map();
    const healths = await byAdapter.healths(guards);
    return new Map(guards.map((guard, at) => [guard, healths[at] ?? 'unread']));
  }

  const noteByAdapter = (accounts: readonly Watched[], healths: ReadonlyMap<Guard, Health>) => {
    for (const { key, guards } of accounts) {
      note(key, { healths: new Map(guards.map((guard) => [guard.id, healths.get(guard) ?? 'unread'])) });
    }
  };

  /** Values of accounts by their positions; absent where the node did not answer. */
  async function estimated(accounts: readonly Watched[]): Promise<ReadonlyMap<string, Values | undefined>> {
    const values = new Map<string, Values | undefined>();
    for (const [lens, of] of Map.groupBy(accounts, (account) => account.lens)) {
      try {
        const estimates = await lens.estimate(of);
        for (const [at, { key }] of of.entries()) values.set(key, estimates[at]);
      } catch (error) {
        if (!isOfNode(error)) throw error;
      }
    }
    return values;
  }

  /** In order. Notes which accounts are near a trigger. */
  function inOrder(
    guards: readonly Guard[],
    accounts: readonly Watched[],
    others: ReadonlyMap<Guard, Health>,
    stateOf: (account: Watched) => Known | undefined,
  ): readonly Health[] {
    const healths = new Map(others);
    near.clear();
    for (const account of accounts) {
      const state = stateOf(account);
      for (const guard of account.guards) {
        const health = state ? healthIn(state, guard) : 'unread';
        healths.set(guard, health);
        if (isNear(guard, health)) near.add(account.key);
      }
    }
    return guards.map((guard) => healths.get(guard) ?? 'unread');
  }

  /** New accounts, then those near a trigger, then those that were read longest ago. */
  function dueOf(accounts: readonly Watched[]): readonly Watched[] {
    const byKey = new Map(accounts.map((account) => [account.key, account]));
    for (const key of known.keys()) if (!byKey.has(key)) known.delete(key);
    const due = new Set(accounts.filter(({ key }) => !known.has(key)));
    const inTurn = [...known.keys()];
    for (const key of inTurn) if (near.has(key)) due.add(byKey.get(key) as Watched);
    for (const key of inTurn.slice(0, Math.max(MIN_TURN, Math.ceil(known.size / ROTATION))))
      due.add(byKey.get(key) as Watched);
    return [...due];
  }

  const isForAdapter = ({ key }: Watched): boolean => {
    const state = known.get(key);
    return state !== undefined && 'healths' in state;
  };

  return {
    healths: (guards) =>
      asking(async () => {
        unsupported.clear();
        const { accounts, others } = sorted(guards);
        const { answered, forAdapter, silence } = await readByLenses(accounts, Number.POSITIVE_INFINITY);
        if (silence !== undefined) throw silence;
        const healths = await readByAdapter([...others, ...forAdapter.flatMap((account) => account.guards)]);
        noteByAdapter(forAdapter, healths);
        for (const { key } of forAdapter) answered.add(key);
        return inOrder(guards, accounts, healths, ({ key }) => (answered.has(key) ? known.get(key) : undefined));
      }),

    watch: (guards) =>
      asking(async () => {
        const { accounts, others } = sorted(guards);
        const due = dueOf(accounts);
        const slow = due.filter(isForAdapter).slice(0, guardsPerCall);
        const quick = due.filter((account) => !isForAdapter(account));
        const [{ answered, forAdapter, silence }, estimates, healths] = await Promise.all([
          readByLenses(quick, WATCHED_PAGES),
          estimated(accounts),
          readByAdapter([...others, ...slow.flatMap((account) => account.guards)]),
        ]);
        if (silence !== undefined && estimates.size === 0) throw silence;
        noteByAdapter(slow, healths);
        // The adapter reads these from the next call on: nobody waits for a second request. Until then they keep what
        // was known of them.
        for (const { key, guards: of } of forAdapter) {
          const before = known.get(key);
          const kept = new Map<bigint, Health>(
            of.map((guard) => [guard.id, before ? healthIn(before, guard) : 'unread']),
          );
          known.set(key, { healths: kept });
        }
        return inOrder(guards, accounts, healths, ({ key }) => {
          if (answered.has(key) || !estimates.has(key)) return answered.has(key) ? known.get(key) : undefined;
          const values = estimates.get(key);
          return values ? { values } : known.get(key);
        });
      }),

    changed: (guard) => void known.delete(keyOf(guard)),
  };
}

const keyOf = ({ adapter, market, borrower, priceSource }: Guard): string =>
  `${adapter}${market}${borrower}${priceSource ?? ''}`;

const healthIn = (state: Known, guard: Guard): Health =>
  'values' in state ? healthBy(state.values, guard) : (state.healths.get(guard.id) ?? 'unread');

/** Like LoanGuard, which asks a source only where its answer decides: between trigger and target. */
function healthBy({ debtValue, weightedCollateralValue, weightedBySource }: Values, guard: Guard): Health {
  if (debtValue === 0n) return 'no_debt';
  const health = mulDivDown(weightedCollateralValue, WAD, debtValue);
  if (weightedBySource === undefined || health < guard.triggerHealthWad || health >= guard.targetHealthWad) {
    return health;
  }
  const bySource = mulDivDown(weightedBySource, WAD, debtValue);
  return bySource < health ? bySource : health;
}

const isNear = ({ triggerHealthWad }: Guard, health: Health): boolean =>
  typeof health === 'bigint' && health * 10_000n < triggerHealthWad * (10_000n + NEAR_BPS);
