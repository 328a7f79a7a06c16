// Health of guarded loans: by a lens where the protocol has one and the node runs it, by the adapter elsewhere.

import type { Health, Values } from '@bowline/core/domain/loan-health';
import { watchedHealth } from '@bowline/core/domain/loan-health';
import type { Guard } from '@bowline/core/domain/permissions';
import { createAdapterReader, guardsPerCall } from './adapter-health.ts';
import { asking, type ChainClient } from './chain-client.ts';
import { type Account, isUnread, type LendingLens, readByLens } from './lending/lens.ts';
import type { HealthReader } from './readers.ts';

/** Pages per `watch`: accounts that are costly to read must not add requests at every block. */
const WATCHED_PAGES = 3;
/** An account is read at least once in so many calls of `watch`, unless the pages do not suffice. */
const ROTATION = 10;
/** So many accounts are read in turn at least: they fit into one call. */
const MIN_TURN = 400;
/**
 * So many readings in a row that the node refuses turn a lens off until a full reading succeeds. One refusal may be a
 * block that the node has not yet; a node that always refuses is not asked at every block.
 */
const MAX_REFUSALS = 3;
/** A loan is read at every call while its health is below its trigger and this much. */
const NEAR_BPS = 200n;

/** An account that a lens can read, with its guards, which differ in their terms alone. */
interface Watched extends Account {
  readonly key: string;
  readonly lens: LendingLens;
  readonly guards: readonly Guard[];
}

/** An account as last read by the lens. */
interface KnownValues {
  readonly values: Values;
}

/** What the adapter said of an account's guards, by number. */
interface KnownHealths {
  readonly healths: ReadonlyMap<bigint, Health>;
  /** No lens can read it. */
  readonly isForAdapter: boolean;
}

type Known = KnownValues | KnownHealths;

/** @param lenses by adapter in lower case. */
export function createHealthReader(
  client: ChainClient,
  lenses: ReadonlyMap<string, LendingLens> = new Map(),
): HealthReader {
  const byAdapter = createAdapterReader(client);
  /** By key, those first that were read longest ago. */
  const known = new Map<string, Known>();
  const near = new Set<string>();
  /** Readings in a row that the node refused, by lens. */
  const refusals = new Map<LendingLens, number>();
  const isOff = (lens: LendingLens): boolean => (refusals.get(lens) ?? 0) >= MAX_REFUSALS;

  function note(key: string, state: Known) {
    known.delete(key);
    known.set(key, state);
  }

  /**
   * By account, and the guards whose adapters have no lens.
   * @param isFull tries lenses again that are off.
   */
  function sorted(
    guards: readonly Guard[],
    isFull: boolean,
  ): { accounts: readonly Watched[]; others: readonly Guard[] } {
    const others: Guard[] = [];
    const byKey = new Map<string, Watched & { readonly guards: Guard[] }>();
    for (const guard of guards) {
      const lens = lenses.get(guard.adapter.toLowerCase());
      if (lens === undefined || (isOff(lens) && !isFull)) {
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

  /**
   * Notes what the lenses answer. Returns the keys of those accounts, the accounts that no lens can read, those that the
   * node read none of now although it answers, and the error of a node that answers nothing.
   */
  async function readByLenses(accounts: readonly Watched[], maxPages: number) {
    const answered = new Set<string>();
    const forAdapter: Watched[] = [];
    const refused: Watched[] = [];
    let noAnswer: unknown;
    for (const [lens, of] of Map.groupBy(accounts, (account) => account.lens)) {
      const { values, outcome, silence } = await readByLens(lens, of, maxPages);
      if (outcome === 'works') refusals.delete(lens);
      if (outcome === 'unsupported') refusals.set(lens, MAX_REFUSALS);
      if (outcome === 'refused') refusals.set(lens, (refusals.get(lens) ?? 0) + 1);
      if (outcome === 'silent') noAnswer ??= silence;
      for (const account of of) {
        const read = values.get(account);
        if (read !== undefined) {
          answered.add(account.key);
          note(account.key, { values: read });
        } else if (values.has(account)) forAdapter.push(account);
        else if (silence === undefined) refused.push(account);
      }
    }
    return { answered, forAdapter, refused, noAnswer };
  }

  async function readByAdapter(guards: readonly Guard[]): Promise<ReadonlyMap<Guard, Health>> {
    if (guards.length === 0) return new Map();
    const healths = await byAdapter.healths(guards);
    return new Map(guards.map((guard, at) => [guard, healths[at] ?? 'unread']));
  }

  function noteByAdapter(accounts: readonly Watched[], healths: ReadonlyMap<Guard, Health>, isForAdapter = true) {
    for (const { key, guards } of accounts) {
      const ofGuards = new Map(guards.map((guard) => [guard.id, healths.get(guard) ?? 'unread']));
      note(key, { healths: ofGuards, isForAdapter });
    }
  }

  /** Values of accounts by their positions; absent where the node did not answer. */
  async function estimated(accounts: readonly Watched[]): Promise<ReadonlyMap<string, Values | undefined>> {
    const values = new Map<string, Values | undefined>();
    for (const [lens, of] of Map.groupBy(accounts, (account) => account.lens)) {
      try {
        const estimates = await lens.estimate(of);
        for (const [at, { key }] of of.entries()) values.set(key, estimates[at]);
      } catch (error) {
        if (!isUnread(error)) throw error;
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

  /**
   * New accounts, those near a trigger, and those that were read longest ago. What was read longest ago is first: if the
   * pages do not suffice, what they left over begins the next call, and nobody's accounts can keep others from being read.
   */
  function dueOf(accounts: readonly Watched[]): readonly Watched[] {
    const byKey = new Map(accounts.map((account) => [account.key, account]));
    for (const key of known.keys()) if (!byKey.has(key)) known.delete(key);
    const due = new Set(accounts.filter(({ key }) => !known.has(key)));
    const turn = Math.max(MIN_TURN, Math.ceil(known.size / ROTATION));
    for (const [at, key] of [...known.keys()].entries()) {
      if (at < turn || near.has(key)) due.add(byKey.get(key) as Watched);
    }
    return [...due];
  }

  const isForAdapter = ({ key }: Watched): boolean => {
    const state = known.get(key);
    return state !== undefined && 'healths' in state && state.isForAdapter;
  };

  return {
    healths: (guards) =>
      asking(async () => {
        const { accounts, others } = sorted(guards, true);
        const read = await readByLenses(accounts, Number.POSITIVE_INFINITY);
        if (read.noAnswer !== undefined) throw read.noAnswer;
        const { answered, forAdapter, refused } = read;
        const left = [...forAdapter, ...refused];
        const healths = await readByAdapter([...others, ...left.flatMap((account) => account.guards)]);
        noteByAdapter(forAdapter, healths);
        noteByAdapter(refused, healths, false);
        for (const { key } of left) answered.add(key);
        return inOrder(guards, accounts, healths, ({ key }) => (answered.has(key) ? known.get(key) : undefined));
      }),

    watch: (guards) =>
      asking(async () => {
        const { accounts, others } = sorted(guards, false);
        const due = dueOf(accounts);
        const slow = due.filter(isForAdapter).slice(0, guardsPerCall);
        const quick = due.filter((account) => !isForAdapter(account));
        // Where all are read anyway, the estimates are for what then lacks an answer.
        const isAll = due.length === accounts.length;
        const [{ answered: byLens, forAdapter, noAnswer }, early, healths] = await Promise.all([
          readByLenses(quick, WATCHED_PAGES),
          isAll ? undefined : estimated(accounts),
          readByAdapter([...others, ...slow.flatMap((account) => account.guards)]),
        ]);
        const isRead = byLens.size + slow.length === accounts.length;
        const estimates = early ?? (isRead ? new Map() : await estimated(accounts));
        if (noAnswer !== undefined && estimates.size === 0) throw noAnswer;
        noteByAdapter(slow, healths);
        const answered = new Set([...byLens, ...slow.map(({ key }) => key)]);
        // The adapter reads these from the next call on: nobody waits for a second request. Until then they keep what
        // was known of them.
        for (const { key, guards: of } of forAdapter) {
          const before = known.get(key);
          const kept = new Map<bigint, Health>(
            of.map((guard) => [guard.id, before ? healthIn(before, guard) : 'unread']),
          );
          known.set(key, { healths: kept, isForAdapter: true });
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
  'values' in state ? watchedHealth(state.values, guard) : (state.healths.get(guard.id) ?? 'unread');

const isNear = ({ triggerHealthWad }: Guard, health: Health): boolean =>
  typeof health === 'bigint' && health * 10_000n < triggerHealthWad * (10_000n + NEAR_BPS);
