// The accounts whose loans are watched at every block: what is known about each, and which are read next.

import type { Health, Values } from '@bowline/core/domain/loan-health';
import type { Guard } from '@bowline/core/domain/permissions';
import type { OfGuard } from '../readers.ts';
import type { Account, LendingLens } from './lens.ts';

/** An account is read at least once in this many blocks, unless the pages do not suffice. */
const ROTATION = 10;
/** At least this many accounts are read in turn: they fit into one call. */
const MIN_TURN = 400;

/** An account that a lens can read; the same object as long as it is watched. */
export interface Watched extends Account {
  readonly lens: LendingLens;
  /** They differ only in their terms. */
  guards: Guard[];
}

/** An account as last read by the lens. */
interface KnownValues {
  readonly values: Values;
}

/** What the adapter reported of an account's guards, by number. */
interface KnownHealths {
  readonly healths: ReadonlyMap<bigint, Health>;
  /** No lens can read it. */
  readonly isForAdapter: boolean;
}

export type Known = KnownValues | KnownHealths;

export class WatchedAccounts {
  #byKey = new Map<string, Watched>();
  /** Least recently read first. */
  readonly #known = new Map<Watched, Known>();
  /** Accounts of which nothing is known. */
  readonly #fresh = new Set<Watched>();
  /** Least recently read first. */
  readonly #near = new Set<Watched>();

  /** Watches the accounts of these guards, and forgets all others. */
  watchOnly(guards: readonly Guard[], lensOf: (guard: Guard) => LendingLens): Watched[] {
    const before = this.#byKey;
    this.#byKey = new Map();
    for (const guard of guards) {
      const key = keyOf(guard);
      const listed = this.#byKey.get(key);
      if (listed) {
        listed.guards.push(guard);
        continue;
      }
      const { borrower, market, priceSource } = guard;
      const account = before.get(key) ?? {
        ...{ lens: lensOf(guard), borrower, market, guards: [] },
        ...(priceSource && { priceSource }),
      };
      account.guards = [guard];
      this.#byKey.set(key, account);
      before.delete(key);
      if (!this.#known.has(account)) this.#fresh.add(account);
    }
    for (const account of before.values()) {
      this.#known.delete(account);
      this.#fresh.delete(account);
      this.#near.delete(account);
    }
    return [...this.#byKey.values()];
  }

  known(account: Watched): Known | undefined {
    return this.#known.get(account);
  }

  note(account: Watched, state: Known): void {
    this.#fresh.delete(account);
    this.#known.delete(account);
    this.#known.set(account, state);
    if (this.#near.delete(account)) this.#near.add(account);
  }

  /** Unlike `note`, keeps the account's turn. */
  replace(account: Watched, state: Known): void {
    this.#fresh.delete(account);
    this.#known.set(account, state);
  }

  /** The guard's loan has changed. */
  changed(guard: Guard): void {
    const account = this.#byKey.get(keyOf(guard));
    if (account === undefined) return;
    this.#known.delete(account);
    this.#fresh.add(account);
  }

  /** A loan near its trigger is read at every block. */
  noteNear(account: Watched, isNear: boolean): void {
    if (isNear) this.#near.add(account);
    else this.#near.delete(account);
  }

  /**
   * New accounts, those near a trigger, and the least recently read, the oldest first: if the pages do not suffice,
   * the next call starts with the rest, and nobody's accounts keep others from being read. Accounts that nobody asks
   * for keep their last known values.
   * @param isOurs accounts without such a guard are not read in turn, unless one call reads all.
   * @param maxTurn limit for the least recently read accounts, since no more can be read.
   */
  due(isWanted: OfGuard, isOurs: OfGuard, maxTurn: number): Record<'wanted' | 'others', readonly Watched[]> {
    const isShared = this.#known.size > MIN_TURN;
    const isRead = (account: Watched): boolean =>
      account.guards.some(isWanted) && (!isShared || this.#fresh.has(account) || account.guards.some(isOurs));
    const [wanted, others] = [new Set<Watched>(), new Set<Watched>()];
    const add = (account: Watched) => void (isRead(account) ? wanted : others).add(account);
    for (const account of this.#fresh) add(account);
    const most = wanted.size + maxTurn;
    let turn = Math.max(MIN_TURN, Math.ceil(this.#known.size / ROTATION));
    for (const account of this.#known.keys()) {
      if (turn-- === 0 || wanted.size === most) break;
      add(account);
    }
    for (const account of this.#near) add(account);
    for (const account of others) {
      const state = this.#known.get(account);
      if (state) this.note(account, state);
    }
    return { wanted: [...wanted], others: [...others] };
  }
}

const keyOf = ({ adapter, market, borrower, priceSource }: Guard): string =>
  `${adapter}${market}${borrower}${priceSource ?? ''}`;
