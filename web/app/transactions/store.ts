import type { Address } from 'viem';
import { type Moment, thisMoment } from '../api/age.ts';
import type { Step } from '../chain/step.ts';
import type { Kept } from '../storage.ts';
import type { Failure } from '../words/contract-errors.ts';
import { performing, type Surroundings } from './effects.ts';
import { failureBy } from './failures.ts';
import { keep, kept } from './kept.ts';
import { type Event, step } from './machine.ts';
import { type Body, isBusy, isOpen, type Transaction } from './transaction.ts';

export type TransactionStore = ReturnType<typeof createTransactions>;

/** Whether its next step is requested once this one is done. */
const isRunning = (tx: Transaction): boolean => isOpen(tx) && tx.watch?.isLeft !== true;

/** Transactions of unknown status that can still be looked up. */
const isFollowed = (tx: Transaction): boolean =>
  tx.state === 'unknown' && (tx.sent !== undefined || (tx.batch !== undefined && tx.isUnheard !== true));

const blank = (owner: Address, place: string | undefined, steps: readonly Step[]): Body => ({
  ...{ id: crypto.randomUUID(), owner, place, steps, at: 0, batch: undefined, hashes: [], receipts: [] },
});

/** The transactions of all accounts. Each account's list survives a reload. */
function keptList(chainId: number, storage: Kept | undefined) {
  let transactions: readonly Transaction[] = [];
  const listeners = new Set<() => void>();
  return {
    all: (): readonly Transaction[] => transactions,
    find: (id: string): Transaction | undefined => transactions.find((tx) => tx.id === id),
    publish(next: readonly Transaction[], owner: Address): void {
      transactions = next;
      const isOwn = (tx: Transaction) => tx.owner === owner;
      keep(storage, chainId, owner, transactions.filter(isOwn));
      for (const listener of listeners) listener();
    },
    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

interface Bounds {
  readonly storage: Kept | undefined;
  /** Whether the build pinned a contract that may be sent BNB; by default, none. */
  readonly takesBnb?: (contract: Address) => boolean;
}

/** Runs every transaction of the page, in any section. A wallet that never answers blocks only its own transaction. */
export function createTransactions(surroundings: Surroundings & Bounds) {
  const { chainId, storage, takesBnb = () => false } = surroundings;
  const { all, find, publish, subscribe } = keptList(chainId, storage);
  const recalled = new Set<string>();
  /** Resolvers of running transactions, by id: called with whether every step succeeded. */
  const waiting = new Map<string, (isDone: boolean) => void>();
  const perform = performing(surroundings, all);

  function tell(id: string, isDone: boolean): void {
    waiting.get(id)?.(isDone);
    waiting.delete(id);
  }

  function hear(id: string, event: Event): void {
    const before = find(id);
    if (before === undefined) return;
    const [after, effects] = step(before, event, thisMoment());
    if (after !== before) {
      // The transaction that ended last goes to the end of the list.
      const isEnd = isOpen(before) && !isOpen(after);
      const others = all().filter((tx) => tx !== before);
      publish(isEnd ? [...others, after] : all().map((tx) => (tx === before ? after : tx)), after.owner);
    }
    for (const effect of effects) void perform(effect, after).then((next) => next && hear(id, next));
    if (!isRunning(after)) tell(id, after.state === 'done' && after.watch?.isLeft !== true);
  }

  /** Records a transaction that is refused before the wallet is asked, with the reason. */
  function refuse(owner: Address, steps: readonly Step[], failure: Failure) {
    const tx: Transaction = { ...blank(owner, undefined, steps), state: 'failed', failure };
    publish([...all(), tx], owner);
    return { id: tx.id, ended: Promise.resolve(false) };
  }

  return {
    ...{ subscribe, all, refuse },
    openAt: (place: string, owner: Address | undefined): Transaction | undefined =>
      all().findLast((tx) => tx.place === place && tx.owner === owner && isOpen(tx)),
    /** Starts a transaction; `ended` resolves to whether every step succeeded while its owner waited. */
    start(owner: Address, place: string | undefined, steps: readonly Step[]) {
      if (steps.some(({ to, value = 0n }) => value !== 0n && !takesBnb(to)))
        return refuse(owner, steps, failureBy('strayBnb'));
      const tx: Transaction = { ...blank(owner, place, steps), state: 'signing' };
      publish([...all(), tx], owner);
      const ended = new Promise<boolean>((resolve) => waiting.set(tx.id, resolve));
      hear(tx.id, { type: 'started' });
      return { id: tx.id, ended };
    },
    /** Resumes the transactions that this account left open before the page was loaded. */
    recall(owner: Address): void {
      if (recalled.has(owner)) return;
      recalled.add(owner);
      const found = kept(storage, chainId, owner).filter(({ id }) => find(id) === undefined);
      if (found.length === 0) return;
      publish([...found, ...all()], owner);
      for (const { id } of found) hear(id, { type: 'recalled' });
    },
    /** Since when a transaction waits for its signature; undefined if it does not. */
    signingSince(id: string): Moment | undefined {
      const tx = find(id);
      return tx?.state === 'signing' ? tx.watch?.signingSince : undefined;
    },
    /**
     * For a wallet that never answers, for example because its window was closed: the outcome counts as unknown and is
     * looked up. If the wallet was not asked yet, nothing was sent.
     */
    stopWaiting: (id: string): void => hear(id, { type: 'left' }),
    /** The owner stops everything: no open transaction of the account requests a step that would create something. */
    halt(owner: Address): void {
      for (const tx of all()) if (tx.owner === owner) hear(tx.id, { type: 'halted' });
    },
    /** Removes ended transactions, and unknown ones that cannot be looked up. Pending ones stay. */
    clear(): void {
      const open = all().filter((tx) => isBusy(tx) || isFollowed(tx));
      const gone = all().filter((tx) => !open.includes(tx));
      for (const owner of new Set(gone.map((tx) => tx.owner))) publish(open, owner);
      for (const { id } of gone) tell(id, false);
    },
  };
}
