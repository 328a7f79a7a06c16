import type { Address } from 'viem';
import { type Moment, thisMoment } from '../api/age.ts';
import type { Step } from '../chain/step.ts';
import type { Kept } from '../storage.ts';
import type { Failure } from '../words/contract-errors.ts';
import { type Act, type Body, isBusy, isOpen } from './act.ts';
import { performing, type Surroundings } from './effects.ts';
import { failureBy } from './failures.ts';
import { keep, kept } from './kept.ts';
import { type Event, step } from './machine.ts';

export type Acts = ReturnType<typeof createActs>;

/** Whether its next step is requested once this one is done. */
const isRunning = (act: Act): boolean => isOpen(act) && act.watch?.isLeft !== true;

/** Transactions of unknown status that can still be looked up. */
const isFollowed = (act: Act): boolean =>
  act.state === 'unknown' && (act.sent !== undefined || (act.batch !== undefined && act.isUnheard !== true));

const blank = (owner: Address, place: string | undefined, steps: readonly Step[]): Body => ({
  ...{ id: crypto.randomUUID(), owner, place, steps, at: 0, batch: undefined, hashes: [], receipts: [] },
});

/** The transactions of all accounts, each account's kept over a reload. */
function keptList(chainId: number, storage: Kept | undefined) {
  let acts: readonly Act[] = [];
  const listeners = new Set<() => void>();
  return {
    all: (): readonly Act[] => acts,
    find: (id: string): Act | undefined => acts.find((act) => act.id === id),
    publish(next: readonly Act[], owner: Address): void {
      acts = next;
      const isOwn = (act: Act) => act.owner === owner;
      keep(storage, chainId, owner, acts.filter(isOwn));
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
  /** Whether the build pinned a contract as one that is sent BNB; by default none is. */
  readonly takesBnb?: (contract: Address) => boolean;
}

/** Runs every transaction of the page, whatever section is shown: a wallet that never answers holds up only its own. */
export function createActs(surroundings: Surroundings & Bounds) {
  const { chainId, storage, takesBnb = () => false } = surroundings;
  const { all, find, publish, subscribe } = keptList(chainId, storage);
  const recalled = new Set<string>();
  /** Of acts that run: who waits to hear whether every step succeeded. */
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
      // The newest end is the last of the list.
      const isEnd = isOpen(before) && !isOpen(after);
      const others = all().filter((act) => act !== before);
      publish(isEnd ? [...others, after] : all().map((act) => (act === before ? after : act)), after.owner);
    }
    for (const effect of effects) void perform(effect, after).then((next) => next && hear(id, next));
    if (!isRunning(after)) tell(id, after.state === 'done' && after.watch?.isLeft !== true);
  }

  /** Records a transaction that is refused before the wallet is asked, with the reason. */
  function refuse(owner: Address, steps: readonly Step[], failure: Failure) {
    const act: Act = { ...blank(owner, undefined, steps), state: 'failed', failure };
    publish([...all(), act], owner);
    return { id: act.id, ended: Promise.resolve(false) };
  }

  return {
    ...{ subscribe, all, refuse },
    openAt: (place: string, owner: Address | undefined): Act | undefined =>
      all().findLast((act) => act.place === place && act.owner === owner && isOpen(act)),
    /** Starts an act; `ended` says whether every step succeeded while its owner waited. */
    start(owner: Address, place: string | undefined, steps: readonly Step[]) {
      if (steps.some(({ to, value = 0n }) => value !== 0n && !takesBnb(to)))
        return refuse(owner, steps, failureBy('strayBnb'));
      const act: Act = { ...blank(owner, place, steps), state: 'signing' };
      publish([...all(), act], owner);
      const ended = new Promise<boolean>((resolve) => waiting.set(act.id, resolve));
      hear(act.id, { type: 'started' });
      return { id: act.id, ended };
    },
    /** Takes up the acts that this account left before the page was loaded. */
    recall(owner: Address): void {
      if (recalled.has(owner)) return;
      recalled.add(owner);
      const found = kept(storage, chainId, owner).filter(({ id }) => find(id) === undefined);
      if (found.length === 0) return;
      publish([...found, ...all()], owner);
      for (const { id } of found) hear(id, { type: 'recalled' });
    },
    /** Since when an act waits for its signature; undefined if it does not. */
    signingSince(id: string): Moment | undefined {
      const act = find(id);
      return act?.state === 'signing' ? act.watch?.signingSince : undefined;
    },
    /**
     * For a wallet that never answers, for example because its window was closed: the outcome is unknown from now on, and looked
     * for. Before the wallet was asked, nothing was sent.
     */
    stopWaiting: (id: string): void => hear(id, { type: 'left' }),
    /** Lets no open act of an account ask for what it would make next: its owner stops everything. */
    halt(owner: Address): void {
      for (const act of all()) if (act.owner === owner) hear(act.id, { type: 'halted' });
    },
    /** Removes ended transactions, and unknown ones that cannot be looked up. Pending ones stay. */
    clear(): void {
      const open = all().filter((act) => isBusy(act) || isFollowed(act));
      const gone = all().filter((act) => !open.includes(act));
      for (const owner of new Set(gone.map((act) => act.owner))) publish(open, owner);
      for (const { id } of gone) tell(id, false);
    },
  };
}
