// Health of guarded loans: by a lens where the protocol has one and the node runs it, by the adapter elsewhere.

import { type Health, watchedHealth } from '@bowline/core/domain/loan-health';
import type { Guard } from '@bowline/core/domain/permissions';
import { createTriggerIndex, roomOf, type TriggerIndex } from '@bowline/core/domain/trigger-index';
import type { Hex } from '@bowline/core/domain/units';
import { createAdapterReader, guardsPerCall } from './adapter-health.ts';
import { asking, type ChainClient } from './chain-client.ts';
import { isUnread, type LendingLens, PAGE, type Rates, readByLens } from './lending/lens.ts';
import { type Known, type Watched, WatchedAccounts } from './lending/watched-accounts.ts';
import type { HealthReader, JudgedLoans, OfGuard } from './readers.ts';

/** Pages per `watch`: accounts that are costly to read must not add requests at every block. */
const WATCHED_PAGES = 3;
/**
 * This many refused readings in a row turn a lens off until a full reading succeeds. One refusal may mean that the node
 * does not have the block yet. A node that always refuses is not asked at every block.
 */
const MAX_REFUSALS = 3;
/** A loan is read at every call while its health is below its trigger plus this margin. */
const NEAR_BPS = 200n;
const REACH = 1 + Number(NEAR_BPS) / 10_000;
/** If all accounts are read at each block, prices are read only for `falling`, this many blocks after a full reading. */
const RATES_AT = 3;

/** The guards last given, grouped by how they are read. */
interface Listed {
  readonly guards: readonly Guard[];
  readonly off: number;
  readonly accounts: readonly Watched[];
  /** Guards whose adapters have no working lens. */
  readonly others: readonly Guard[];
  readonly byLens: ReadonlyMap<LendingLens, Watched[]>;
}

/** Loans by the prices at which they reach their triggers, since the last full reading. */
interface Indexed {
  readonly first: Rates;
  readonly newest: Rates;
  readonly index: TriggerIndex<Watched>;
}

/** @param lenses by adapter in lower case. */
export const createHealthReader = (
  client: ChainClient,
  lenses: ReadonlyMap<string, LendingLens> = new Map(),
): HealthReader => {
  const reader = new Reader(client, lenses);
  return {
    healths: (guards) => asking(() => reader.healths(guards)),
    watch: (...asked) => asking(() => reader.watch(...asked)),
    changed: (guard) => reader.changed(guard),
    falling: (factor) => reader.falling(factor),
  };
};

class Reader {
  readonly #byAdapter: ReturnType<typeof createAdapterReader>;
  readonly #lenses: ReadonlyMap<string, LendingLens>;
  readonly #accounts = new WatchedAccounts();
  /** Readings in a row that the node refused, by lens. */
  readonly #refusals = new Map<LendingLens, number>();
  readonly #indexed = new Map<LendingLens, Indexed>();
  /** Blocks since the last full reading. If there was none, the first `watch` is already past RATES_AT. */
  #blocks = RATES_AT;
  #listed: Listed | undefined;

  constructor(client: ChainClient, lenses: ReadonlyMap<string, LendingLens>) {
    [this.#byAdapter, this.#lenses] = [createAdapterReader(client), lenses];
  }

  async healths(guards: readonly Guard[]): Promise<readonly Health[]> {
    // Lenses that are off are tried again.
    const { accounts, others } = this.#list(guards, true);
    this.#blocks = 0;
    const { answered, forAdapter, refused, noAnswer } = await this.#readByLenses(accounts, Number.POSITIVE_INFINITY);
    if (noAnswer !== undefined) throw noAnswer;
    const left = [...forAdapter, ...refused];
    const healths = await this.#readByAdapter([...others, ...left.flatMap((account) => account.guards)]);
    this.#noteByAdapter(forAdapter, healths);
    this.#noteByAdapter(refused, healths, false);
    for (const account of left) answered.add(account);
    const judged = new Map(healths);
    for (const account of accounts) {
      this.#judge(account, answered.has(account) ? this.#accounts.known(account) : undefined, judged);
    }
    return guards.map((guard) => judged.get(guard) ?? 'unread');
  }

  async watch(guards: readonly Guard[], isWanted: OfGuard = any, isOurs: OfGuard = any): Promise<JudgedLoans> {
    const { accounts: all, others, byLens } = this.#list(guards, false);
    const { wanted, others: asleep } = this.#accounts.due(isWanted, isOurs, WATCHED_PAGES * PAGE);
    const slow = wanted.filter((each) => this.#isForAdapter(each)).slice(0, guardsPerCall);
    const quick = wanted.filter((each) => !this.#isForAdapter(each));
    this.#blocks += 1;
    // If all accounts are read anyway, prices are needed only for those that get no answer.
    const isAll = quick.length + slow.length === all.length && this.#blocks !== RATES_AT;
    const [{ answered, forAdapter, noAnswer }, early, healths] = await Promise.all([
      this.#readByLenses(quick, WATCHED_PAGES),
      isAll ? undefined : this.#readRates(byLens),
      this.#readByAdapter([...others.filter(isWanted), ...slow.flatMap((account) => account.guards)]),
    ]);
    const isRead = answered.size + slow.length === all.length;
    const rates = early ?? (isRead ? new Map() : await this.#readRates(byLens));
    if (noAnswer !== undefined && rates.size === 0) throw noAnswer;
    this.#noteByAdapter(slow, healths);
    for (const account of slow) answered.add(account);
    this.#leaveToAdapter(forAdapter);
    const judged = new Map(healths);
    for (const [lens, accounts] of byLens) {
      const near = rates.has(lens) ? this.#within(lens, accounts, rates.get(lens), [...quick, ...slow]) : accounts;
      for (const account of new Set([...answered, ...near, ...asleep])) {
        if (account.lens !== lens) continue;
        const values = answered.has(account) ? undefined : rates.get(lens)?.valued(account);
        const isKnown = answered.has(account) || rates.has(lens);
        this.#judge(account, values ? { values } : isKnown ? this.#accounts.known(account) : undefined, judged);
      }
    }
    return { guards: [...judged.keys()], healths: [...judged.values()] };
  }

  changed(guard: Guard): void {
    this.#accounts.changed(guard);
  }

  falling(factor: number): ReadonlyMap<Hex, readonly Guard[]> {
    const of = [...this.#indexed.values()].flatMap(({ index, newest }) =>
      newest.markets.map((market) => {
        const moved = newest.moved(market, factor);
        const guards = index.within(moved.worths, 1).flatMap((account) => {
          const values = moved.valued(account);
          return account.guards.filter((guard) => values && isBelow(watchedHealth(values, guard), guard));
        });
        return [market, guards] as const;
      }),
    );
    return new Map(of);
  }

  #isOff(lens: LendingLens): boolean {
    return (this.#refusals.get(lens) ?? 0) >= MAX_REFUSALS;
  }

  /** Groups guards by account, or as guards without a lens. @param isFull tries lenses that are off again. */
  #list(guards: readonly Guard[], isFull: boolean): Listed {
    const off = isFull ? 0 : [...this.#refusals.keys()].filter((lens) => this.#isOff(lens)).length;
    if (this.#listed?.guards === guards && this.#listed.off === off && !isFull) return this.#listed;
    const lensOf = ({ adapter }: Guard) => this.#lenses.get(adapter.toLowerCase());
    const { quick = [], slow = [] } = Object.groupBy(guards, (guard) => {
      const lens = lensOf(guard);
      return lens === undefined || (this.#isOff(lens) && !isFull) ? 'slow' : 'quick';
    });
    const accounts = this.#accounts.watchOnly(quick, (guard) => lensOf(guard) as LendingLens);
    this.#listed = { guards, off, accounts, others: slow, byLens: Map.groupBy(accounts, ({ lens }) => lens) };
    // Prices have moved, and other loans are watched.
    this.#indexed.clear();
    return this.#listed;
  }

  /**
   * Records the lenses' answers. Returns the accounts with an answer, the accounts that no lens can read, those that
   * the node did not read now although it answers, and the error of a node that does not respond.
   */
  async #readByLenses(accounts: readonly Watched[], maxPages: number) {
    const answered = new Set<Watched>();
    const forAdapter: Watched[] = [];
    const refused: Watched[] = [];
    let noAnswer: unknown;
    for (const [lens, of] of Map.groupBy(accounts, (account) => account.lens)) {
      const { values, outcome, silence } = await readByLens(lens, of, maxPages);
      if (outcome === 'works') this.#refusals.delete(lens);
      if (outcome === 'unsupported') this.#refusals.set(lens, MAX_REFUSALS);
      if (outcome === 'refused') this.#refusals.set(lens, (this.#refusals.get(lens) ?? 0) + 1);
      if (outcome === 'silent') noAnswer ??= silence;
      for (const account of of) {
        const read = values.get(account);
        if (read !== undefined) {
          answered.add(account);
          this.#accounts.note(account, { values: read });
        } else if (values.has(account)) forAdapter.push(account);
        else if (silence === undefined) refused.push(account);
      }
    }
    return { answered, forAdapter, refused, noAnswer };
  }

  async #readByAdapter(guards: readonly Guard[]): Promise<ReadonlyMap<Guard, Health>> {
    if (guards.length === 0) return new Map();
    const healths = await this.#byAdapter.healths(guards);
    return new Map(guards.map((guard, at) => [guard, healths[at] ?? 'unread']));
  }

  #noteByAdapter(accounts: readonly Watched[], healths: ReadonlyMap<Guard, Health>, isForAdapter = true): void {
    for (const account of accounts) {
      const ofGuards = new Map(account.guards.map((guard) => [guard.id, healths.get(guard) ?? 'unread']));
      this.#accounts.note(account, { healths: ofGuards, isForAdapter });
    }
  }

  /**
   * The adapter reads these from the next call on, so nobody waits for a second request. Until then they keep their last known
   * values.
   */
  #leaveToAdapter(accounts: readonly Watched[]): void {
    for (const account of accounts) {
      const before = this.#accounts.known(account);
      const kept = account.guards.map((guard) => [guard.id, before ? healthIn(before, guard) : 'unread'] as const);
      this.#accounts.replace(account, { healths: new Map(kept), isForAdapter: true });
    }
  }

  #isForAdapter(account: Watched): boolean {
    const state = this.#accounts.known(account);
    return state !== undefined && 'healths' in state && state.isForAdapter;
  }

  /** Absent where the node did not answer; undefined where no position is known. */
  async #readRates(
    byLens: ReadonlyMap<LendingLens, readonly Watched[]>,
  ): Promise<ReadonlyMap<LendingLens, Rates | undefined>> {
    const rates = new Map<LendingLens, Rates | undefined>();
    for (const [lens, accounts] of byLens) {
      try {
        rates.set(lens, await lens.rates(accounts));
      } catch (error) {
        if (!isUnread(error)) throw error;
      }
    }
    return rates;
  }

  /** Accounts that may be near their triggers. @param read accounts whose positions may have changed. */
  #within(
    lens: LendingLens,
    accounts: readonly Watched[],
    newest: Rates | undefined,
    read: readonly Watched[],
  ): readonly Watched[] {
    if (newest === undefined) return accounts;
    const before = this.#indexed.get(lens);
    const { first, index } = before ?? { first: newest, index: createTriggerIndex<Watched>(newest.worths) };
    this.#indexed.set(lens, { first, index, newest });
    for (const account of before ? read : accounts) {
      if (account.lens !== lens) continue;
      const shape = lens.shapeOf(account);
      const values = first.valued(account);
      if (shape?.owed.length === 0) index.drop(account);
      else index.place(account, shape ?? UNKNOWN, shape && values && roomOf(values, account.guards));
    }
    return index.within(newest.worths, REACH);
  }

  /** Adds the healths of an account's guards, and notes whether one is near its trigger. */
  #judge(account: Watched, state: Known | undefined, judged: Map<Guard, Health>): void {
    let isNear = false;
    for (const guard of account.guards) {
      const health = state ? healthIn(state, guard) : 'unread';
      judged.set(guard, health);
      isNear ||= isBelow(health, guard, NEAR_BPS);
    }
    this.#accounts.noteNear(account, isNear);
  }
}

const any: OfGuard = () => true;

/** Of an account whose position is not known. */
const UNKNOWN = { counted: [], owed: [] };

const healthIn = (state: Known, guard: Guard): Health =>
  'values' in state ? watchedHealth(state.values, guard) : (state.healths.get(guard.id) ?? 'unread');

const isBelow = (health: Health, { triggerHealthWad }: Guard, byBps = 0n): boolean =>
  typeof health === 'bigint' && health * 10_000n < triggerHealthWad * (10_000n + byBps);
