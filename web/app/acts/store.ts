import {
  type Address,
  bytesToHex,
  type Hex,
  isHash,
  type TransactionReceipt,
  TransactionReceiptNotFoundError,
} from 'viem';
import { elapsed, type Moment, thisMoment } from '../api/age.ts';
import { approvesNothing, isApproval } from '../chain/approve.ts';
import type { ChainClient } from '../chain/client.ts';
import { isShownAlone } from '../chain/proof.ts';
import type { Step } from '../chain/step.ts';
import type { Kept } from '../storage.ts';
import { type Failure, failureOf, revertedFailure, walletRefusal } from '../words/contract-errors.ts';
import { type Act, type Asked, isBusy, isOpen, type Sent, type State, type Young } from './act.ts';
import { type BatchWallet, canBeOne, lookUpBatch } from './batch.ts';
import {
  haltedFailure,
  otherFailure,
  overtakenFailure,
  partialFailure,
  replacedFailure,
  stoppedFailure,
  unfinishedFailure,
  unsentFailure,
} from './failures.ts';
import { keep, kept } from './kept.ts';
import { type Found, lookUp, markOf, type Searched, search } from './look-up.ts';

/** Time for a transaction to be mined before its outcome counts as unknown. It is looked for after that, too. */
const RECEIPT_MS = 120_000;
/** Time after which a transaction that no node knows counts as dropped. */
const MISSING_MS = 60_000;
/** Time that a step waits for fresh readings after the step before it. */
const READING_MS = 3_000;

export interface Surroundings {
  readonly chainId: number;
  readonly client: ChainClient;
  /** Asks the wallet to sign and send. */
  readonly send: (call: { readonly account: Address; readonly to: Address; readonly data: Hex }) => Promise<Hex>;
  /** Makes several calls as one; absent for a page without it. */
  readonly batches?: BatchWallet;
  /**
   * Why calls of an account that follow each other would fail now; undefined if they would not.
   * @throws if the node cannot tell.
   */
  readonly tryAll: (owner: Address, calls: readonly Step[]) => Promise<Failure | undefined>;
  /** Reads anew what is shown. */
  readonly readAnew: () => Promise<unknown>;
  readonly storage: Kept | undefined;
  /** Pauses between the looks after an act that is done; none: it is done for good at once. */
  readonly lookAgainAfterMs?: readonly number[];
}

export type Acts = ReturnType<typeof createActs>;

const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/**
 * Every act of this page, whatever section started it. An act goes on while others are started, and whatever is
 * shown: a wallet that never answers holds up its own act alone.
 */
export function createActs(surroundings: Surroundings) {
  const { chainId, client, send, batches, tryAll, readAnew, storage, lookAgainAfterMs = [] } = surroundings;
  let acts: readonly Act[] = [];
  const listeners = new Set<() => void>();
  const recalled = new Set<string>();
  /** Since when each act waits for the wallet, or for what comes before the wallet is asked. */
  const signingSince = new Map<string, Moment>();
  /** Acts for whose step the wallet has been asked, and has not answered. */
  const asking = new Set<string>();
  /** Acts whose owner waits for the wallet no more. What it answers then is heard, and no further step is asked for. */
  const released = new Set<string>();
  /** Acts that were open when their owner stopped everything. */
  const halted = new Set<string>();
  /** Which act was found within a transaction that holds more than its call: it shows no other act as well. */
  const within = new Map<Hex, string>();

  function publish(next: readonly Act[], owner: Address): void {
    acts = next;
    const isOwn = (act: Act) => act.owner === owner;
    keep(storage, chainId, owner, acts.filter(isOwn));
    for (const listener of listeners) listener();
  }

  function change<Changed extends Partial<Act> & State>(id: string, changes: Changed): void {
    const before = acts.find((act) => act.id === id);
    if (before === undefined) return;
    const { owner, place, steps, at, batch, since, hashes, receipts } = before;
    const after = { id, owner, place, steps, at, batch, since, hashes, receipts, ...changes } as Act;
    const others = acts.filter((act) => act.id !== id);
    if (after.state === 'signing' && (before.state !== 'signing' || before.at !== after.at)) {
      signingSince.set(id, thisMoment());
    }
    // The newest end is the last of the list.
    const isEnd = isOpen(before) && !isOpen(after);
    publish(isEnd ? [...others, after] : acts.map((act) => (act.id === id ? after : act)), owner);
  }

  /** Has the steps made as one if the wallet can, and one after another otherwise. */
  async function run(act: Act): Promise<boolean> {
    const isOne = await canBeOne(batches, act.owner, act.steps);
    if (released.has(act.id)) return false;
    const isMade = isOne && batches ? await runAsOne(act, batches) : undefined;
    return isMade ?? runInOrder(act);
  }

  /** @returns undefined if node or wallet would rather have the steps one after another: nothing was sent. */
  async function runAsOne(act: Act, wallet: BatchWallet): Promise<boolean | undefined> {
    const { id, owner, steps } = act;
    // Chosen here, so that the wallet can be asked for it if the page is gone when it answers.
    const proposed = bytesToHex(crypto.getRandomValues(new Uint8Array(32)));
    const since = await client.getBlockNumber({ cacheTime: 0 }).catch(() => undefined);
    // Without it an earlier act's transaction could pass for this one's.
    if (released.has(id)) return false;
    if (since === undefined) return undefined;
    change(id, { state: 'signing', since });
    const failure = await tryAll(owner, steps).catch(() => null);
    if (released.has(id)) return false;
    change(id, { state: 'signing', batch: proposed });
    const cause = failure ?? (isHalted(id, steps[0] as Step, 0) ? haltedFailure() : undefined);
    if (cause) {
      change(id, { state: 'failed', failure: cause });
      return false;
    }
    let batch: string | undefined;
    try {
      const calls = steps.map(({ to, data }) => ({ to, data }));
      batch = failure === null ? undefined : await wallet.send(owner, calls, proposed);
    } catch (error) {
      const refusal = walletRefusal(error);
      if (!mayHear(id)) return false;
      if (refusal === undefined)
        return released.has(id) ? false : followBatch({ ...act, since }, wallet, proposed, false);
      change(id, { state: 'failed', failure: refusal });
      return false;
    }
    if (!mayHear(id) || (released.has(id) && batch === proposed)) return false;
    change(id, { state: batch === undefined ? 'signing' : 'pending', batch, sent: undefined });
    return batch === undefined ? undefined : followBatch({ ...act, since }, wallet, batch, true);
  }

  /** Asks the wallet for what became of steps that it makes as one, and reads it from the chain. */
  async function followBatch(act: Act, wallet: BatchWallet, batch: string, isHeard: boolean): Promise<boolean> {
    const { id, owner, steps } = act;
    const from = thisMoment();
    let heard = isHeard ? from : undefined;
    for (;;) {
      const found = await lookUpBatch(client, wallet, act, batch).catch(() => undefined);
      const known = acts.find((each) => each.id === id);
      // It has its end, or the wallet has named another list since.
      if (known === undefined || !isOpen(known) || (known.batch ?? batch) !== batch) return false;
      if (found?.state === 'unsent') {
        change(id, { state: 'failed', failure: unsentFailure() });
        return false;
      }
      if (found?.state === 'ended') {
        const { receipts, made, isChanged } = found;
        const hashes = receipts.map(({ transactionHash }) => transactionHash);
        change(id, { state: 'pending', sent: undefined, hashes });
        await freshly();
        if (made.length === steps.length) {
          finish(id, receipts);
          return true;
        }
        const isUndone = made.length === 0 && !isChanged && receipts.some(({ status }) => status === 'reverted');
        const cause = isUndone ? await tryAll(owner, steps).catch(() => undefined) : undefined;
        const failure = isUndone ? revertedFailure(cause) : partialFailure(steps, made, found.isFailure, isChanged);
        change(id, { state: 'failed', failure, made, hashes });
        return false;
      }
      const now = thisMoment();
      if (found?.state === 'waiting') heard = now;
      const age = elapsed(from, now);
      const isUnknown = heard === undefined || age >= RECEIPT_MS || elapsed(heard, now) >= MISSING_MS;
      const isUnheard = found?.state === 'unheard';
      change(id, { state: isUnknown ? 'unknown' : 'pending', sent: undefined, isUnheard });
      await wait(Math.min(Math.max(age / 20, 1_000), 60_000));
    }
  }

  /** Whether the wallet's answer still says something of an act: it may have been found on the chain since. */
  function mayHear(id: string): boolean {
    const act = acts.find((each) => each.id === id);
    if (act === undefined) return false;
    return !released.has(id) || (act.state === 'unknown' && act.sent === undefined);
  }

  /** Signs and sends the steps in order, simulating each first; stops at the first that fails. */
  async function runInOrder({ id, owner, steps }: Act): Promise<boolean> {
    const receipts: TransactionReceipt[] = [];
    for (const [at, step] of steps.entries()) {
      const { to, data, isUntried } = step;
      const call = { account: owner, to, data };
      const hashes = receipts.map(({ transactionHash }) => transactionHash);
      change(id, { state: 'signing', at, hashes, receipts: [...receipts] });
      const marking = markOf(client, owner).catch(() => undefined);
      if (!isUntried) {
        const refusal = await client.call(call).then(() => undefined, failureOf);
        if (refusal) {
          change(id, { state: 'failed', failure: refusal });
          return false;
        }
        const asked = await marking;
        if (released.has(id)) return false;
        change(id, { state: 'signing', asked, since: asked?.since });
      } else void marking.then((asked) => mark(id, at, asked));
      if (isHalted(id, step, at)) {
        change(id, { state: 'failed', failure: at === 0 ? haltedFailure() : unfinishedFailure(step) });
        return false;
      }
      let hash: Hex;
      try {
        asking.add(id);
        hash = await send(call).finally(() => asking.delete(id));
        if (!isHash(hash)) throw new Error('The wallet gave no hash.');
      } catch (error) {
        const failure = walletRefusal(error);
        if (!mayHear(id)) return false;
        if (failure) change(id, { state: 'failed', failure });
        else if (!released.has(id)) void seek(id, await marking);
        return false;
      }
      if (!mayHear(id)) return false;
      if (released.has(id)) {
        change(id, { state: 'pending', sent: { hash } });
        void goOn(id, { hash });
        return false;
      }
      change(id, { state: 'pending', sent: { hash } });
      const since = marking.then((mark) => mark?.since);
      const receipt = await follow(id, owner, step, { hash }, since, !isUntried);
      if (receipt === undefined) return false;
      receipts.push(receipt);
    }
    finish(id, receipts);
    return true;
  }

  /**
   * Whether a step must not be asked for any more: what it makes would be made after the stop, which ends only what was there
   * before. What ends something or revokes an approval goes on; a later approval of an act is a smaller one.
   */
  const isHalted = (id: string, step: Step, at: number): boolean =>
    halted.has(id) && !step.isEnd && !(isApproval(step) && (at > 0 || approvesNothing(step)));

  /** What was read beside a wallet that was asked at once: where its step is looked for if it never answers. */
  function mark(id: string, at: number, asked: Asked | undefined): void {
    const act = acts.find((each) => each.id === id);
    if (asked && act?.state === 'signing' && act.at === at) change(id, { state: 'signing', asked, since: asked.since });
  }

  function finish(id: string, receipts: readonly TransactionReceipt[]): void {
    change(id, { state: 'done', receipts, hashes: receipts.map(({ transactionHash }) => transactionHash) });
    grow(id, receipts);
  }

  /** Whether the receipt is still there; the newest blocks of a chain may be replaced by others (a reorganisation). */
  async function isStill({ transactionHash: hash, blockHash, status }: Young['transactions'][number]) {
    const now = await client.getTransactionReceipt({ hash });
    return now.status === status && now.blockHash === blockHash;
  }

  /**
   * Has an act that has its end looked after, also by a page that is loaded anew.
   * @param from the step of the first receipt.
   */
  function grow(id: string, receipts: readonly TransactionReceipt[], from = 0): void {
    const transactions = receipts.map(({ transactionHash, blockHash, status }) => ({
      transactionHash,
      blockHash,
      status,
    }));
    const young = { since: thisMoment().wall, from, transactions };
    age(id, lookAgainAfterMs.length === 0 ? undefined : young);
    void lookAgain(id, young);
  }

  /** Keeps what is looked at again of an act that has its end; undefined once its blocks are final. */
  function age(id: string, young: Young | undefined): void {
    const act = acts.find((each) => each.id === id);
    if (act?.state === 'done') change(id, { ...act, young });
    else if (act?.state === 'failed') change(id, { ...act, young });
  }

  /**
   * Looks after an act that has its end until its blocks are final. If one of them was replaced, it has no end any more: what
   * was sent is followed again, and the wallet is asked for nothing.
   */
  async function lookAgain(id: string, young: Young): Promise<void> {
    const { since, from, transactions: receipts } = young;
    const passed = Math.max(0, thisMoment().wall - since);
    const looks = lookAgainAfterMs.map((_, at) => lookAgainAfterMs.slice(0, at + 1).reduce((sum, ms) => sum + ms, 0));
    // The last look is made however late the page was loaded again.
    const left = looks.filter((after, at) => after > passed || at === looks.length - 1);
    let reached = passed;
    for (const after of left) {
      await wait(Math.max(0, after - reached));
      reached = after;
      const act = acts.find((each) => each.id === id);
      if (act === undefined || isOpen(act)) return;
      // A node that does not answer, or was never asked, takes nothing back.
      const isGone = (receipt: Young['transactions'][number]) =>
        isStill(receipt).then(
          (is) => !is,
          (error) => error instanceof TransactionReceiptNotFoundError,
        );
      const gone = await Promise.all(receipts.map(isGone));
      const first = gone.indexOf(true);
      if (first === -1) continue;
      if (act.batch !== undefined) {
        change(id, { state: 'pending', sent: undefined, hashes: [], receipts: [] });
        if (batches) await followBatch(act, batches, act.batch, true);
        return;
      }
      const hash = receipts[first]?.transactionHash as Hex;
      const at = from + first;
      change(id, { state: 'pending', at, sent: { hash }, hashes: act.hashes.slice(0, at), receipts: [] });
      await freshly();
      return goOn(id, { hash }, receipts.slice(first + 1));
    }
    age(id, undefined);
  }

  /**
   * Looks for a sent transaction until the chain shows its outcome, ever more seldom.
   * @param since the newest block before the wallet was asked; undefined if it is not known.
   * @param isOfStep whether that block was known before the wallet was asked for this step, and not for a later one.
   * @returns its receipt if it succeeded in time for the next step to follow; otherwise the act has its end.
   */
  async function follow(
    id: string,
    owner: Address,
    step: Step,
    first: Sent,
    since: Promise<bigint | undefined>,
    isOfStep = false,
  ): Promise<TransactionReceipt | undefined> {
    // A wallet may name a transaction of long before that made the same call.
    const isOld = async ({ blockNumber }: TransactionReceipt) =>
      isOfStep && blockNumber <= ((await since) ?? blockNumber - 1n);
    const isMadeBy = async (receipt: TransactionReceipt) => {
      const { blockNumber, transactionHash: hash } = receipt;
      if (blockNumber <= ((await since) ?? blockNumber) || !isShownAlone(step.proof, owner, receipt)) return false;
      const isOther = acts.some((each) => each.id !== id && each.state === 'done' && each.hashes.includes(hash));
      if (!isOther && !within.has(hash)) within.set(hash, id);
      return within.get(hash) === id;
    };
    const from = thisMoment();
    let sent = first;
    let missingFrom: ReturnType<typeof thisMoment> | undefined;
    let previous: Found | undefined;
    for (;;) {
      const look = await lookUp(client, owner, step, sent, isMadeBy).catch(() => undefined);
      // By now, and not when it was asked: the machine may have slept since, and nobody expects the next step any more.
      const age = elapsed(from, thisMoment());
      const isLate = age >= RECEIPT_MS;
      if (acts.every((act) => act.id !== id)) return undefined;
      const seen = look?.found;
      const found = seen?.state === 'mined' && (await isOld(seen.receipt)) ? ({ state: 'other' } as const) : seen;
      sent = look?.sent ?? sent;
      missingFrom = found?.state === 'missing' ? (missingFrom ?? thisMoment()) : undefined;
      if (found?.state === 'mined') return settled(id, owner, step, found.receipt, isLate);
      if (found?.state === 'other') {
        await freshly();
        const hashes = acts.find((act) => act.id === id)?.hashes ?? [];
        change(id, { state: 'failed', failure: otherFailure(), hashes: [...hashes, sent.hash] });
        return undefined;
      }
      // One node may be ahead of another: only a second look makes it certain that a stranger took the number.
      if (found?.state === 'replaced' && (found.by || previous?.state === 'replaced')) {
        await freshly();
        change(id, { state: 'failed', failure: replacedFailure(found.by) });
        return undefined;
      }
      previous = found;
      const isDropped = missingFrom !== undefined && elapsed(missingFrom, thisMoment()) >= MISSING_MS;
      change(id, { state: isLate || isDropped ? 'unknown' : 'pending', sent: { ...sent, isDropped } });
      await wait(Math.min(Math.max(age / 20, 1_000), 60_000));
    }
  }

  async function settled(
    id: string,
    account: Address,
    { to, data }: Step,
    receipt: TransactionReceipt,
    isLate: boolean,
  ) {
    const act = acts.find((each) => each.id === id);
    const hashes = [...(act?.hashes ?? []), receipt.transactionHash];
    change(id, { state: 'pending', sent: { hash: receipt.transactionHash }, hashes });
    await freshly();
    if (receipt.status === 'reverted') {
      // Repeats the call to learn why; it may succeed now if the state has changed.
      const cause = await client.call({ account, to, data }).then(() => undefined, failureOf);
      change(id, { state: 'failed', failure: revertedFailure(cause), hashes });
      grow(id, [receipt], act?.at);
      return undefined;
    }
    // Nobody looks at the page any more for a wallet that opens minutes later.
    if (!isLate || act === undefined) return receipt;
    end(id, act, receipt, hashes);
    return undefined;
  }

  /** An act whose later steps are not asked for any more. */
  function end(id: string, { steps, at }: Act, receipt: TransactionReceipt, hashes: readonly Hex[]): void {
    const [next] = steps.slice(at + 1);
    const failure = next && unfinishedFailure(next);
    if (failure) change(id, { state: 'failed', at: at + 1, hashes, failure });
    else change(id, { state: 'done', receipts: [receipt], hashes });
    grow(id, [receipt], at);
  }

  /** The next view needs fresh readings, but a reading that hangs must not block the next step. */
  const freshly = () => Promise.race([readAnew().catch(() => undefined), wait(READING_MS)]);

  return {
    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    all: (): readonly Act[] => acts,
    openAt: (place: string, owner: Address | undefined): Act | undefined =>
      acts.findLast((act) => act.place === place && act.owner === owner && isOpen(act)),
    /** Starts an act; `ended` says whether every step succeeded. */
    start(owner: Address, place: string | undefined, steps: readonly Step[]) {
      const id = crypto.randomUUID();
      const blank = { at: 0, batch: undefined, hashes: [], receipts: [] };
      const act: Act = { id, owner, place, steps, ...blank, state: 'signing' };
      signingSince.set(id, thisMoment());
      publish([...acts, act], owner);
      return { id, ended: run(act) };
    },
    /** An act that is not asked of the wallet, and why. */
    refuse(owner: Address, steps: readonly Step[], failure: Failure) {
      const id = crypto.randomUUID();
      const refused: Act = {
        id,
        owner,
        place: undefined,
        steps,
        at: 0,
        batch: undefined,
        hashes: [],
        receipts: [],
        state: 'failed',
        failure,
      };
      publish([...acts, refused], owner);
      return { id, ended: Promise.resolve(false) };
    },
    /** Takes up the acts that this account left before the page was loaded. */
    recall(owner: Address): void {
      if (recalled.has(owner)) return;
      recalled.add(owner);
      const known = new Set(acts.map(({ id }) => id));
      const found = kept(storage, chainId, owner).filter(({ id }) => !known.has(id));
      if (found.length === 0) return;
      publish([...found, ...acts], owner);
      for (const act of found) {
        if (act.batch !== undefined && isOpen(act)) {
          if (batches) void followBatch(act, batches, act.batch, false);
        } else if (act.state === 'pending' && act.sent) void goOn(act.id, act.sent);
        else if (act.state === 'unknown') void seek(act.id, act.asked);
        else if ('young' in act && act.young) void lookAgain(act.id, act.young);
      }
    },
    /** Since when an act waits for its signature; undefined if it does not. */
    signingSince: (id: string): Moment | undefined =>
      acts.some((act) => act.id === id && act.state === 'signing') ? signingSince.get(id) : undefined,
    /**
     * For a wallet that never answers, as one whose window was closed: the act is of unknown outcome from now on, and looked
     * for. Before the wallet was asked, nothing was sent.
     */
    stopWaiting(id: string): void {
      const act = acts.find((each) => each.id === id);
      if (act?.state !== 'signing' || released.has(id)) return;
      released.add(id);
      if (act.batch !== undefined && batches) {
        change(id, { state: 'unknown', sent: undefined, isUnheard: true });
        void followBatch(act, batches, act.batch, false);
      } else if (asking.has(id)) void seek(id, act.asked);
      else change(id, { state: 'failed', failure: stoppedFailure() });
    },
    /** Lets no open act of an account ask for what it would make next: its owner stops everything. */
    halt(owner: Address): void {
      for (const act of acts) if (act.owner === owner && isOpen(act)) halted.add(act.id);
    },
    /** Removes the ended acts, and those of which nothing can be heard. Those under way stay. */
    clear(): void {
      const owners = new Set(acts.map(({ owner }) => owner));
      const isSought = (act: Act) =>
        act.state === 'unknown' && (act.sent !== undefined || (act.batch !== undefined && act.isUnheard !== true));
      const open = acts.filter((act) => isBusy(act) || isSought(act));
      for (const owner of owners) publish(open, owner);
    },
  };

  /**
   * Follows what was sent, for an act whose later steps are not asked for any more.
   * @param later transactions of later steps, of an act that had been done.
   */
  async function goOn(
    id: string,
    sent: Sent,
    later: readonly Pick<TransactionReceipt, 'transactionHash'>[] = [],
  ): Promise<void> {
    const act = acts.find((each) => each.id === id);
    const step = act?.steps[act.at];
    if (act === undefined || step === undefined) return;
    const receipt = await follow(id, act.owner, step, sent, Promise.resolve(act.since));
    if (receipt === undefined) return;
    const [next, ...others] = later;
    const hashes = [...act.hashes, receipt.transactionHash];
    if (next === undefined) return end(id, act, receipt, hashes);
    const following = { hash: next.transactionHash };
    change(id, { state: 'pending', at: act.at + 1, sent: following, hashes, receipts: [] });
    return goOn(id, following, others);
  }

  /** Looks for what the wallet may have sent without telling its hash, ever more seldom. */
  async function seek(id: string, asked: Asked | undefined): Promise<void> {
    change(id, { state: 'unknown', sent: undefined, asked });
    const act = acts.find((each) => each.id === id);
    const step = act?.steps[act.at];
    if (act === undefined || step === undefined || asked === undefined) return;
    const isClaimed = (hash: Hex) =>
      acts.some(
        (each) => each.id !== id && (each.hashes.includes(hash) || ('sent' in each && each.sent?.hash === hash)),
      );
    const from = thisMoment();
    let previous: Searched;
    for (;;) {
      const found = await search(client, act.owner, step, asked, isClaimed).catch(() => undefined);
      const now = acts.find((each) => each.id === id);
      // The wallet has answered after all.
      if (now?.state !== 'unknown' || now.sent !== undefined) return;
      if (typeof found === 'object') return goOn(id, found);
      // One node may be ahead of another.
      if (found === 'overtaken' && previous === found)
        return change(id, { state: 'failed', failure: overtakenFailure() });
      previous = found;
      await wait(Math.min(Math.max(elapsed(from, thisMoment()) / 20, 1_000), 60_000));
    }
  }
}
