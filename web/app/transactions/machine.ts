import type { Hex, TransactionReceipt } from 'viem';
import { elapsed, type Moment } from '../api/age.ts';
import { approvesNothing, isApproval } from '../chain/approve.ts';
import type { Step } from '../chain/step.ts';
import { type Failure, revertedFailure } from '../words/contract-errors.ts';
import { type BatchFound, isUndone } from './batch.ts';
import { failureBy, partialFailure, unfinishedFailure } from './failures.ts';
import type { Found, Searched } from './look-up.ts';
import { type Asked, isOpen, type Sent, type Transaction, to, type Watch, type Young } from './transaction.ts';

// A transaction's state machine. It has no clock, wallet or node; the driver has those (store.ts, effects.ts).

/** Time for a transaction to be mined before its outcome counts as unknown. The lookups continue after that. */
const RECEIPT_MS = 120_000;
/** Time after which a transaction that no node knows counts as dropped. */
const MISSING_MS = 60_000;

/** What can happen to a transaction, from its owner, the wallet or the chain. */
export type Event =
  /** `failure` is null if the steps are requested one after another; `batch`: the id chosen for a batch. */
  | {
      readonly type: 'planned';
      readonly failure?: Failure | null | undefined;
      readonly since?: bigint;
      readonly batch?: Hex;
    }
  | { readonly type: 'started' }
  | { readonly type: 'prepared'; readonly failure: Failure | undefined; readonly asked: Asked | undefined }
  | { readonly type: 'marked'; readonly at: number; readonly asked: Asked | undefined }
  /** The wallet's answers: a hash; a batch id, undefined if it takes the steps one by one; a refusal; none of these. */
  | { readonly type: 'signed'; readonly hash: Hex }
  | { readonly type: 'listed'; readonly batch: string | undefined }
  | { readonly type: 'refused'; readonly failure: Failure }
  | { readonly type: 'silent' }
  /** The result of looking up a transaction; undefined if the node did not answer. */
  | {
      readonly type: 'looked';
      readonly hash: Hex;
      readonly look: { readonly found: Found; readonly sent: Sent } | undefined;
    }
  | { readonly type: 'searched'; readonly found: Searched }
  | { readonly type: 'looked_all'; readonly batch: string; readonly found: BatchFound | undefined }
  /** The page was refreshed after an outcome; `cause`: why the call would fail now, if it reverted. */
  | { readonly type: 'settled'; readonly receipt: TransactionReceipt; readonly cause: Failure | undefined }
  | { readonly type: 'settled_all'; readonly found: Ended; readonly cause: Failure | undefined }
  | { readonly type: 'closed'; readonly failure: Failure; readonly hashes: readonly Hex[] }
  /** For an ended transaction: the first step whose block was replaced; undefined if all are final. */
  | { readonly type: 'rechecked'; readonly young: Young; readonly gone: number | undefined }
  | { readonly type: 'recalled' }
  | { readonly type: 'left' }
  | { readonly type: 'halted' };

type Ended = BatchFound & { readonly state: 'ended' };

/** Effects of a transition. Each ends in an event. */
export type Effect =
  | { readonly type: 'plan' | 'prepare' | 'mark' | 'sign' | 'sign_all' | 'read_anew' | 'recheck' }
  | { readonly type: 'look' | 'search' | 'look_all'; readonly afterMs: number }
  | { readonly type: 'settle'; readonly receipt: TransactionReceipt }
  | { readonly type: 'settle_all'; readonly found: Ended }
  | { readonly type: 'close'; readonly failure: Failure; readonly hashes: readonly Hex[] };

export type Next = readonly [Transaction, readonly Effect[]];

/** The transaction after an event, and the effects to run. An event that no longer applies changes nothing. */
export function step(tx: Transaction, event: Event, now: Moment): Next {
  switch (event.type) {
    case 'planned':
    case 'started':
    case 'prepared':
    case 'marked':
    case 'halted':
      return isOpen(tx) ? beforeAsking(tx, event, now) : [tx, []];
    case 'signed':
    case 'listed':
    case 'refused':
    case 'silent':
      return isHeard(tx) ? answered(watching(tx, { isAsking: false }), event, now) : [tx, []];
    case 'left':
      return tx.state === 'signing' ? leave(tx, now) : [tx, []];
    case 'looked':
      return isOpen(tx) && sentOf(tx)?.hash === event.hash ? looked(tx, event, now) : [tx, []];
    case 'searched':
      return isSought(tx) ? searched(tx, event.found, now) : [tx, []];
    case 'looked_all':
      return isOpen(tx) && tx.batch === event.batch ? lookedAll(tx, event.found, now) : [tx, []];
    case 'settled':
    case 'settled_all':
    case 'closed':
      return isOpen(tx) ? ended(tx, event, now) : [tx, []];
    case 'rechecked':
      return tx.young === event.young ? rechecked(tx, event, now) : [tx, []];
    case 'recalled':
      return recalled(tx, now);
  }
}

type Of<Type extends Event['type']> = Event & { readonly type: Type };

const none: readonly Effect[] = [];
const sentOf = (tx: Transaction) => ('sent' in tx ? tx.sent : undefined);
const watching = (tx: Transaction, watch: Watch): Transaction => ({ ...tx, watch: { ...tx.watch, ...watch } });
const fail = (
  tx: Transaction,
  failure: Failure,
  changes: { readonly at?: number; readonly hashes?: readonly Hex[] } = {},
): Next => [to(tx, { state: 'failed', failure, ...changes }), none];

/** Whether the outcome is unknown and the wallet has reported neither a hash nor a batch. */
const isSought = (tx: Transaction): boolean =>
  tx.state === 'unknown' && tx.sent === undefined && tx.batch === undefined;

/** Whether the wallet's answer still matters: the transaction may have been found on the chain since. */
const isHeard = (tx: Transaction): boolean =>
  tx.watch?.isAsking === true && (tx.state === 'signing' || (tx.state === 'unknown' && tx.sent === undefined));

/** Polls back off as the transaction ages. */
const pause = (ageMs: number): number => Math.min(Math.max(ageMs / 20, 1_000), 60_000);

function beforeAsking(
  tx: Transaction,
  event: Of<'planned' | 'started' | 'prepared' | 'marked' | 'halted'>,
  now: Moment,
): Next {
  if (event.type === 'halted') return [watching(tx, { isHalted: true }), none];
  if (event.type === 'marked') return marked(tx, event, now);
  if (tx.state !== 'signing') return [tx, none];
  if (event.type === 'started') return [watching(tx, { signingSince: now }), [{ type: 'plan' }]];
  if (event.failure === null) return begin(tx, tx.at, now);
  if (event.failure) return fail(tx, event.failure);
  if (event.type === 'prepared') return ask({ ...tx, asked: event.asked });
  const { since, batch } = event;
  return ask({ ...tx, since, batch });
}

/** Begins a step: simulates it, or requests it at once if it is untried. */
function begin(tx: Transaction, at: number, now: Moment): Next {
  const { isUntried } = tx.steps[at] as Step;
  const watch: Watch = { signingSince: now, isHalted: tx.watch?.isHalted === true, isMarking: isUntried === true };
  const begun = to(tx, { state: 'signing', at, batch: undefined, asked: undefined, watch });
  if (!isUntried) return [begun, [{ type: 'prepare' }]];
  const [next, effects] = ask(begun);
  return [next, next.state === 'signing' ? [{ type: 'mark' }, ...effects] : effects];
}

function ask(tx: Transaction): Next {
  const { at, batch, steps } = tx;
  const next = steps[at] as Step;
  if (isStopped(tx, next)) return fail(tx, at === 0 ? failureBy('halted') : unfinishedFailure(next));
  return [watching(tx, { isAsking: true }), [{ type: batch === undefined ? 'sign' : 'sign_all' }]];
}

/**
 * Whether a step must no longer be requested: it would create something after the stop, which ends only what existed
 * before. Steps that end something or revoke an approval continue; a later approval in a transaction only reduces one.
 */
const isStopped = ({ watch, at }: Transaction, next: Step): boolean =>
  watch?.isHalted === true && !next.isEnd && !(isApproval(next) && (at > 0 || approvesNothing(next)));

/** Records the chain's state, for a search in case a wallet that was asked without waiting never answers. */
function marked(tx: Transaction, { at, asked }: Of<'marked'>, now: Moment): Next {
  if (tx.at !== at) return [tx, none];
  const next = watching({ ...tx, asked }, { isMarking: false });
  return isSought(next) ? seek(next, now) : [next, none];
}

/** The wallet's answer. */
function answered(tx: Transaction, event: Of<'signed' | 'listed' | 'refused' | 'silent'>, now: Moment): Next {
  const isLeft = tx.watch?.isLeft === true;
  if (event.type === 'refused') return fail(tx, event.failure);
  if (event.type === 'signed') return follow(tx, { hash: event.hash }, now);
  if (event.type === 'silent') {
    if (isLeft) return [tx, none];
    return tx.batch === undefined ? seek(tx, now) : followAll(to(tx, { state: 'unknown', sent: undefined }), now);
  }
  if (event.batch !== undefined) {
    if (isLeft && event.batch === tx.batch) return [tx, none];
    return followAll(to(tx, { state: 'pending', sent: undefined, batch: event.batch }), now, now);
  }
  return isLeft ? fail(tx, failureBy('unsent')) : begin(tx, tx.at, now);
}

/** The user stops waiting for the wallet. If it was not asked yet, nothing was sent. */
function leave(tx: Transaction, now: Moment): Next {
  if (!tx.watch?.isAsking) return fail(tx, failureBy('stopped'));
  if (tx.batch === undefined) return seek(tx, now);
  const left = watching(tx, { isLeft: true });
  return followAll(to(left, { state: 'unknown', sent: undefined, isUnheard: true }), now);
}

/** Looks for what the wallet may have sent without reporting its hash. */
function seek(tx: Transaction, now: Moment): Next {
  const sought = to(watching(tx, { isLeft: true, from: now }), { state: 'unknown', sent: undefined });
  return [sought, tx.asked === undefined ? none : [{ type: 'search', afterMs: 0 }]];
}

function searched(tx: Transaction, found: Searched, now: Moment): Next {
  if (typeof found === 'object') return follow(tx, found, now);
  if (found === 'overtaken' && tx.watch?.once === found) return fail(tx, failureBy('overtaken'));
  const afterMs = pause(elapsed(tx.watch?.from ?? now, now));
  return [watching(tx, { once: found }), [{ type: 'search', afterMs }]];
}

/** Looks up a sent transaction until the chain shows its outcome. */
function follow(tx: Transaction, sent: Sent, now: Moment, changes: Partial<Transaction> = {}): Next {
  const followed = watching(tx, { from: now, missingFrom: undefined, once: undefined });
  return [to({ ...followed, ...changes } as Transaction, { state: 'pending', sent }), [{ type: 'look', afterMs: 0 }]];
}

function looked(tx: Transaction, { hash, look }: Of<'looked'>, now: Moment): Next {
  // Measured now, not at the request: the computer may have slept since, and nobody expects the next step any more.
  const age = elapsed(tx.watch?.from ?? now, now);
  const isLate = age >= RECEIPT_MS;
  const found = look?.found;
  const sent = look?.sent ?? sentOf(tx) ?? { hash };
  if (found?.state === 'mined') {
    const { transactionHash } = found.receipt;
    const hashes = [...tx.hashes, transactionHash];
    const mined = to(tx, { state: 'pending', sent: { hash: transactionHash }, hashes });
    return [isLate ? watching(mined, { isLeft: true }) : mined, [{ type: 'settle', receipt: found.receipt }]];
  }
  const { hashes } = tx;
  if (found?.state === 'other')
    return [tx, [{ type: 'close', failure: failureBy('other'), hashes: [...hashes, sent.hash] }]];
  // Only a second lookup makes it certain that an unknown transaction took the nonce.
  if (found?.state === 'replaced' && (found.by || tx.watch?.once === 'replaced'))
    return [tx, [{ type: 'close', failure: failureBy(found.by ? 'replaced' : 'replacedUnseen'), hashes }]];
  const missingFrom = found?.state === 'missing' ? (tx.watch?.missingFrom ?? now) : undefined;
  const isDropped = missingFrom !== undefined && elapsed(missingFrom, now) >= MISSING_MS;
  const once = found?.state === 'replaced' ? found.state : undefined;
  const state = isLate || isDropped ? 'unknown' : 'pending';
  const next = to(watching(tx, { missingFrom, once }), { state, sent: { ...sent, isDropped } });
  return [next, [{ type: 'look', afterMs: pause(age) }]];
}

/** @param heard when the wallet reported on the batch; undefined if it has not. */
function followAll(tx: Transaction, now: Moment, heard?: Moment): Next {
  return [watching(tx, { from: now, heard }), [{ type: 'look_all', afterMs: 0 }]];
}

/** Follows a batch. */
function lookedAll(tx: Transaction, found: BatchFound | undefined, now: Moment): Next {
  if (found?.state === 'unsent') return fail(tx, failureBy('unsent'));
  if (found?.state === 'ended') {
    const hashes = found.receipts.map(({ transactionHash }) => transactionHash);
    return [to(tx, { state: 'pending', sent: undefined, hashes }), [{ type: 'settle_all', found }]];
  }
  const heard = found?.state === 'waiting' ? now : tx.watch?.heard;
  const age = elapsed(tx.watch?.from ?? now, now);
  const isUnknown = heard === undefined || age >= RECEIPT_MS || elapsed(heard, now) >= MISSING_MS;
  const state = isUnknown ? 'unknown' : 'pending';
  const next = to(watching(tx, { heard }), { state, sent: undefined, isUnheard: found?.state === 'unheard' });
  return [next, [{ type: 'look_all', afterMs: pause(age) }]];
}

function ended(tx: Transaction, event: Of<'settled' | 'settled_all' | 'closed'>, now: Moment): Next {
  if (event.type === 'closed') return fail(tx, event.failure, { hashes: event.hashes });
  if (event.type === 'settled') return settled(tx, event, now);
  const { steps } = tx;
  const { receipts, made, isFailure, isChanged } = event.found;
  const hashes = receipts.map(({ transactionHash }) => transactionHash);
  if (made.length === steps.length) return grow(to(tx, { state: 'done', receipts, hashes }), receipts, 0, now);
  const failure = isUndone(event.found)
    ? revertedFailure(event.cause)
    : partialFailure(steps, made, isFailure, isChanged);
  return [to(tx, { state: 'failed', failure, made, hashes }), none];
}

/** A step is in a block, and the page has been refreshed. */
function settled(tx: Transaction, { receipt, cause }: Of<'settled'>, now: Moment): Next {
  const { at, steps, watch } = tx;
  if (receipt.status === 'reverted') {
    return grow(to(tx, { state: 'failed', failure: revertedFailure(cause) }), [receipt], at, now);
  }
  const receipts = [...tx.receipts, receipt];
  const [later, ...others] = watch?.later ?? [];
  if (later !== undefined) {
    return follow(watching(tx, { later: others }), { hash: later }, now, { at: at + 1, receipts });
  }
  const next = steps[at + 1];
  if (next === undefined) {
    const [from, looked] = watch?.isLeft ? [at, [receipt]] : [0, receipts];
    return grow(to(tx, { state: 'done', receipts }), looked, from, now);
  }
  if (!watch?.isLeft) return begin({ ...tx, receipts }, at + 1, now);
  const failure = unfinishedFailure(next);
  return grow(to(tx, { state: 'failed', failure, at: at + 1 }), [receipt], at, now);
}

/**
 * Keeps watching an ended transaction until its blocks are final, even after a reload.
 * @param from the step of the first receipt.
 */
function grow(tx: Transaction, receipts: readonly TransactionReceipt[], from: number, now: Moment): Next {
  const transactions = receipts.map(({ transactionHash, blockHash, status }) => ({
    ...{ transactionHash, blockHash, status },
  }));
  return [{ ...tx, young: { since: now.wall, from, transactions } }, [{ type: 'recheck' }]];
}

/** If a block was replaced, the transaction reopens: what was sent is tracked again, and nothing new is requested. */
function rechecked(tx: Transaction, { young, gone }: Of<'rechecked'>, now: Moment): Next {
  const old = { ...tx, young: undefined };
  if (gone === undefined) return [old, none];
  const open = watching(old, { isLeft: true, isAsking: false });
  if (tx.batch !== undefined) {
    return followAll(to(open, { state: 'pending', sent: undefined, hashes: [], receipts: [] }), now, now);
  }
  const [first, ...later] = young.transactions.slice(gone).map(({ transactionHash }) => transactionHash);
  const at = young.from + gone;
  const changes = { at, hashes: tx.hashes.slice(0, at), receipts: [] };
  const [next, effects] = follow(watching(open, { later }), { hash: first as Hex }, now, changes);
  return [next, [{ type: 'read_anew' }, ...effects]];
}

/** Resumes what was open before the page was loaded; no further step is requested. */
function recalled(tx: Transaction, now: Moment): Next {
  const left = watching(tx, { isLeft: true });
  if (!isOpen(tx)) return [tx, tx.young ? [{ type: 'recheck' }] : none];
  if (tx.batch !== undefined) return followAll(left, now);
  const sent = sentOf(tx);
  return sent ? follow(left, sent, now) : seek(left, now);
}
