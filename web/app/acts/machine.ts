import type { Hex, TransactionReceipt } from 'viem';
import { elapsed, type Moment } from '../api/age.ts';
import { approvesNothing, isApproval } from '../chain/approve.ts';
import type { Step } from '../chain/step.ts';
import { type Failure, revertedFailure } from '../words/contract-errors.ts';
import { type Act, type Asked, isOpen, type Sent, to, type Watch, type Young } from './act.ts';
import { type BatchFound, isUndone } from './batch.ts';
import { failureBy, partialFailure, unfinishedFailure } from './failures.ts';
import type { Found, Searched } from './look-up.ts';

// What becomes of an act, without a clock, a wallet or a node: those are the driver's (store.ts, effects.ts).

/** Time for a transaction to be mined before its outcome counts as unknown. It is looked for after that, too. */
const RECEIPT_MS = 120_000;
/** Time after which a transaction that no node knows counts as dropped. */
const MISSING_MS = 60_000;

/** What an act hears: from its owner, the wallet, the chain. */
export type Event =
  /** `failure` is null if the steps are to be asked for one after another; `batch`: chosen for them as one. */
  | {
      readonly type: 'planned';
      readonly failure?: Failure | null | undefined;
      readonly since?: bigint;
      readonly batch?: Hex;
    }
  | { readonly type: 'started' }
  | { readonly type: 'prepared'; readonly failure: Failure | undefined; readonly asked: Asked | undefined }
  | { readonly type: 'marked'; readonly at: number; readonly asked: Asked | undefined }
  /** The wallet's answers: a hash; its id of the steps as one, undefined if it takes them one after another; a refusal; neither. */
  | { readonly type: 'signed'; readonly hash: Hex }
  | { readonly type: 'listed'; readonly batch: string | undefined }
  | { readonly type: 'refused'; readonly failure: Failure }
  | { readonly type: 'silent' }
  /** A look for a transaction; undefined if the node did not answer. */
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
  /** For an ended act: the first of its transactions whose block was replaced; undefined if all are final. */
  | { readonly type: 'rechecked'; readonly young: Young; readonly gone: number | undefined }
  | { readonly type: 'recalled' }
  | { readonly type: 'left' }
  | { readonly type: 'halted' };

type Ended = BatchFound & { readonly state: 'ended' };

/** Effects of a transition, each of which ends in an event. */
export type Effect =
  | { readonly type: 'plan' | 'prepare' | 'mark' | 'sign' | 'sign_all' | 'read_anew' | 'recheck' }
  | { readonly type: 'look' | 'search' | 'look_all'; readonly afterMs: number }
  | { readonly type: 'settle'; readonly receipt: TransactionReceipt }
  | { readonly type: 'settle_all'; readonly found: Ended }
  | { readonly type: 'close'; readonly failure: Failure; readonly hashes: readonly Hex[] };

export type Next = readonly [Act, readonly Effect[]];

/** An act after an event, and what is to be done for it then. An event that says nothing of it any more changes nothing. */
export function step(act: Act, event: Event, now: Moment): Next {
  switch (event.type) {
    case 'planned':
    case 'started':
    case 'prepared':
    case 'marked':
    case 'halted':
      return isOpen(act) ? beforeAsking(act, event, now) : [act, []];
    case 'signed':
    case 'listed':
    case 'refused':
    case 'silent':
      return isHeard(act) ? answered(watching(act, { isAsking: false }), event, now) : [act, []];
    case 'left':
      return act.state === 'signing' ? leave(act, now) : [act, []];
    case 'looked':
      return isOpen(act) && sentOf(act)?.hash === event.hash ? looked(act, event, now) : [act, []];
    case 'searched':
      return isSought(act) ? searched(act, event.found, now) : [act, []];
    case 'looked_all':
      return isOpen(act) && act.batch === event.batch ? lookedAll(act, event.found, now) : [act, []];
    case 'settled':
    case 'settled_all':
    case 'closed':
      return isOpen(act) ? ended(act, event, now) : [act, []];
    case 'rechecked':
      return act.young === event.young ? rechecked(act, event, now) : [act, []];
    case 'recalled':
      return recalled(act, now);
  }
}

type Of<Type extends Event['type']> = Event & { readonly type: Type };

const none: readonly Effect[] = [];
const sentOf = (act: Act) => ('sent' in act ? act.sent : undefined);
const watching = (act: Act, watch: Watch): Act => ({ ...act, watch: { ...act.watch, ...watch } });
const fail = (
  act: Act,
  failure: Failure,
  changes: { readonly at?: number; readonly hashes?: readonly Hex[] } = {},
): Next => [to(act, { state: 'failed', failure, ...changes }), none];

/** Whether nothing is known of what the wallet may have sent for its step. */
const isSought = (act: Act): boolean => act.state === 'unknown' && act.sent === undefined && act.batch === undefined;

/** Whether the wallet's answer still says something of it: it may have been found on the chain since. */
const isHeard = (act: Act): boolean =>
  act.watch?.isAsking === true && (act.state === 'signing' || (act.state === 'unknown' && act.sent === undefined));

/** Looks become ever more seldom. */
const pause = (ageMs: number): number => Math.min(Math.max(ageMs / 20, 1_000), 60_000);

function beforeAsking(
  act: Act,
  event: Of<'planned' | 'started' | 'prepared' | 'marked' | 'halted'>,
  now: Moment,
): Next {
  if (event.type === 'halted') return [watching(act, { isHalted: true }), none];
  if (event.type === 'marked') return marked(act, event, now);
  if (act.state !== 'signing') return [act, none];
  if (event.type === 'started') return [watching(act, { signingSince: now }), [{ type: 'plan' }]];
  if (event.failure === null) return begin(act, act.at, now);
  if (event.failure) return fail(act, event.failure);
  if (event.type === 'prepared') return ask({ ...act, asked: event.asked });
  const { since, batch } = event;
  return ask({ ...act, since, batch });
}

/** Has a step simulated, or asked for at once. */
function begin(act: Act, at: number, now: Moment): Next {
  const { isUntried } = act.steps[at] as Step;
  const watch: Watch = { signingSince: now, isHalted: act.watch?.isHalted === true, isMarking: isUntried === true };
  const begun = to(act, { state: 'signing', at, batch: undefined, asked: undefined, watch });
  if (!isUntried) return [begun, [{ type: 'prepare' }]];
  const [next, effects] = ask(begun);
  return [next, next.state === 'signing' ? [{ type: 'mark' }, ...effects] : effects];
}

function ask(act: Act): Next {
  const { at, batch, steps } = act;
  const next = steps[at] as Step;
  if (isStopped(act, next)) return fail(act, at === 0 ? failureBy('halted') : unfinishedFailure(next));
  return [watching(act, { isAsking: true }), [{ type: batch === undefined ? 'sign' : 'sign_all' }]];
}

/**
 * Whether a step must no longer be requested: it would create something after the stop, which ends only what existed
 * before. Steps that end something or revoke an approval continue; a later approval in an act is a smaller one.
 */
const isStopped = ({ watch, at }: Act, next: Step): boolean =>
  watch?.isHalted === true && !next.isEnd && !(isApproval(next) && (at > 0 || approvesNothing(next)));

/** Records where to look for a step if a wallet that was asked without waiting never answers. */
function marked(act: Act, { at, asked }: Of<'marked'>, now: Moment): Next {
  if (act.at !== at) return [act, none];
  const next = watching({ ...act, asked }, { isMarking: false });
  return isSought(next) ? seek(next, now) : [next, none];
}

/** The wallet's answer. */
function answered(act: Act, event: Of<'signed' | 'listed' | 'refused' | 'silent'>, now: Moment): Next {
  const isLeft = act.watch?.isLeft === true;
  if (event.type === 'refused') return fail(act, event.failure);
  if (event.type === 'signed') return follow(act, { hash: event.hash }, now);
  if (event.type === 'silent') {
    if (isLeft) return [act, none];
    return act.batch === undefined ? seek(act, now) : followAll(to(act, { state: 'unknown', sent: undefined }), now);
  }
  if (event.batch !== undefined) {
    if (isLeft && event.batch === act.batch) return [act, none];
    return followAll(to(act, { state: 'pending', sent: undefined, batch: event.batch }), now, now);
  }
  return isLeft ? fail(act, failureBy('unsent')) : begin(act, act.at, now);
}

/** The user stops waiting for the wallet. If it was not asked yet, nothing was sent. */
function leave(act: Act, now: Moment): Next {
  if (!act.watch?.isAsking) return fail(act, failureBy('stopped'));
  if (act.batch === undefined) return seek(act, now);
  const left = watching(act, { isLeft: true });
  return followAll(to(left, { state: 'unknown', sent: undefined, isUnheard: true }), now);
}

/** Looks for what the wallet may have sent without telling its hash. */
function seek(act: Act, now: Moment): Next {
  const sought = to(watching(act, { isLeft: true, from: now }), { state: 'unknown', sent: undefined });
  return [sought, act.asked === undefined ? none : [{ type: 'search', afterMs: 0 }]];
}

function searched(act: Act, found: Searched, now: Moment): Next {
  if (typeof found === 'object') return follow(act, found, now);
  if (found === 'overtaken' && act.watch?.once === found) return fail(act, failureBy('overtaken'));
  const afterMs = pause(elapsed(act.watch?.from ?? now, now));
  return [watching(act, { once: found }), [{ type: 'search', afterMs }]];
}

/** Looks for a sent transaction until the chain shows its outcome. */
function follow(act: Act, sent: Sent, now: Moment, changes: Partial<Act> = {}): Next {
  const followed = watching(act, { from: now, missingFrom: undefined, once: undefined });
  return [to({ ...followed, ...changes } as Act, { state: 'pending', sent }), [{ type: 'look', afterMs: 0 }]];
}

function looked(act: Act, { hash, look }: Of<'looked'>, now: Moment): Next {
  // By now, and not when it was asked: the machine may have slept since, and nobody expects the next step any more.
  const age = elapsed(act.watch?.from ?? now, now);
  const isLate = age >= RECEIPT_MS;
  const found = look?.found;
  const sent = look?.sent ?? sentOf(act) ?? { hash };
  if (found?.state === 'mined') {
    const { transactionHash } = found.receipt;
    const hashes = [...act.hashes, transactionHash];
    const mined = to(act, { state: 'pending', sent: { hash: transactionHash }, hashes });
    return [isLate ? watching(mined, { isLeft: true }) : mined, [{ type: 'settle', receipt: found.receipt }]];
  }
  const { hashes } = act;
  if (found?.state === 'other')
    return [act, [{ type: 'close', failure: failureBy('other'), hashes: [...hashes, sent.hash] }]];
  // Only a second look makes it certain that a stranger took the number.
  if (found?.state === 'replaced' && (found.by || act.watch?.once === 'replaced'))
    return [act, [{ type: 'close', failure: failureBy(found.by ? 'replaced' : 'replacedUnseen'), hashes }]];
  const missingFrom = found?.state === 'missing' ? (act.watch?.missingFrom ?? now) : undefined;
  const isDropped = missingFrom !== undefined && elapsed(missingFrom, now) >= MISSING_MS;
  const once = found?.state === 'replaced' ? found.state : undefined;
  const state = isLate || isDropped ? 'unknown' : 'pending';
  const next = to(watching(act, { missingFrom, once }), { state, sent: { ...sent, isDropped } });
  return [next, [{ type: 'look', afterMs: pause(age) }]];
}

/** @param heard when the wallet told of it; undefined if it has not. */
function followAll(act: Act, now: Moment, heard?: Moment): Next {
  return [watching(act, { from: now, heard }), [{ type: 'look_all', afterMs: 0 }]];
}

/** Follows steps that a wallet makes as one. */
function lookedAll(act: Act, found: BatchFound | undefined, now: Moment): Next {
  if (found?.state === 'unsent') return fail(act, failureBy('unsent'));
  if (found?.state === 'ended') {
    const hashes = found.receipts.map(({ transactionHash }) => transactionHash);
    return [to(act, { state: 'pending', sent: undefined, hashes }), [{ type: 'settle_all', found }]];
  }
  const heard = found?.state === 'waiting' ? now : act.watch?.heard;
  const age = elapsed(act.watch?.from ?? now, now);
  const isUnknown = heard === undefined || age >= RECEIPT_MS || elapsed(heard, now) >= MISSING_MS;
  const state = isUnknown ? 'unknown' : 'pending';
  const next = to(watching(act, { heard }), { state, sent: undefined, isUnheard: found?.state === 'unheard' });
  return [next, [{ type: 'look_all', afterMs: pause(age) }]];
}

function ended(act: Act, event: Of<'settled' | 'settled_all' | 'closed'>, now: Moment): Next {
  if (event.type === 'closed') return fail(act, event.failure, { hashes: event.hashes });
  if (event.type === 'settled') return settled(act, event, now);
  const { steps } = act;
  const { receipts, made, isFailure, isChanged } = event.found;
  const hashes = receipts.map(({ transactionHash }) => transactionHash);
  if (made.length === steps.length) return grow(to(act, { state: 'done', receipts, hashes }), receipts, 0, now);
  const failure = isUndone(event.found)
    ? revertedFailure(event.cause)
    : partialFailure(steps, made, isFailure, isChanged);
  return [to(act, { state: 'failed', failure, made, hashes }), none];
}

/** A step's transaction is in a block, and the page has been refreshed. */
function settled(act: Act, { receipt, cause }: Of<'settled'>, now: Moment): Next {
  const { at, steps, watch } = act;
  if (receipt.status === 'reverted') {
    return grow(to(act, { state: 'failed', failure: revertedFailure(cause) }), [receipt], at, now);
  }
  const receipts = [...act.receipts, receipt];
  const [later, ...others] = watch?.later ?? [];
  if (later !== undefined) {
    return follow(watching(act, { later: others }), { hash: later }, now, { at: at + 1, receipts });
  }
  const next = steps[at + 1];
  if (next === undefined) {
    const [from, looked] = watch?.isLeft ? [at, [receipt]] : [0, receipts];
    return grow(to(act, { state: 'done', receipts }), looked, from, now);
  }
  if (!watch?.isLeft) return begin({ ...act, receipts }, at + 1, now);
  const failure = unfinishedFailure(next);
  return grow(to(act, { state: 'failed', failure, at: at + 1 }), [receipt], at, now);
}

/**
 * Keeps watching an ended act until its blocks are final, even after a reload.
 * @param from the step of the first receipt.
 */
function grow(act: Act, receipts: readonly TransactionReceipt[], from: number, now: Moment): Next {
  const transactions = receipts.map(({ transactionHash, blockHash, status }) => ({
    ...{ transactionHash, blockHash, status },
  }));
  return [{ ...act, young: { since: now.wall, from, transactions } }, [{ type: 'recheck' }]];
}

/** If one of its blocks was replaced, the act is open again: what was sent is tracked again, and nothing new is requested. */
function rechecked(act: Act, { young, gone }: Of<'rechecked'>, now: Moment): Next {
  const old = { ...act, young: undefined };
  if (gone === undefined) return [old, none];
  const open = watching(old, { isLeft: true, isAsking: false });
  if (act.batch !== undefined) {
    return followAll(to(open, { state: 'pending', sent: undefined, hashes: [], receipts: [] }), now, now);
  }
  const [first, ...later] = young.transactions.slice(gone).map(({ transactionHash }) => transactionHash);
  const at = young.from + gone;
  const changes = { at, hashes: act.hashes.slice(0, at), receipts: [] };
  const [next, effects] = follow(watching(open, { later }), { hash: first as Hex }, now, changes);
  return [next, [{ type: 'read_anew' }, ...effects]];
}

/** Resumes what was open before the page was loaded; no further step is requested. */
function recalled(act: Act, now: Moment): Next {
  const left = watching(act, { isLeft: true });
  if (!isOpen(act)) return [act, act.young ? [{ type: 'recheck' }] : none];
  if (act.batch !== undefined) return followAll(left, now);
  const sent = sentOf(act);
  return sent ? follow(left, sent, now) : seek(left, now);
}
