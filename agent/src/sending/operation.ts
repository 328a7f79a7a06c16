// The life of one operation, from its first signature to its report: a plain transaction or an ERC-4337 operation. Pure.
// docs/runbook.md draws it.

import type { Sent } from '@bowline/core/domain/sending';
import { type Hex, largest, smallest } from '@bowline/core/domain/units';

/** Signed bytes that use the operation's nonce. The chain includes only one payload per nonce. */
export interface Payload {
  readonly hash: Hex;
  /** `act`: the call itself. `cancel`: nothing, so that the nonce is used up. */
  readonly does: 'act' | 'cancel';
  readonly gasPriceWei: bigint;
  /** Maximum cost if this payload is the one that is mined. */
  readonly maxWei: bigint;
}

/** What may be signed for one operation. */
export interface Terms {
  /** Maximum gas price of the call, and of a cancellation. */
  readonly maxGasPriceWei: { readonly act: bigint; readonly cancel: bigint };
  /** Deadline in unix seconds. Absent: the contract checks the call again whenever it is mined. */
  readonly actsUntil?: bigint;
  /** False if the carrier's transaction raises the price instead. */
  readonly isBumped: boolean;
  /** Blocks that may omit the call before it is signed at a higher price. Absent: as few as for public transactions. */
  readonly patientBlocks?: number;
}

/**
 * `signed`: no node is known to have it. `submitted`: at least one may have it. `used`: its nonce is used, and what used it
 * is looked up. `reported`: over.
 */
type Phase = 'signed' | 'submitted' | 'used' | 'reported';

export interface Operation<P extends Payload = Payload> {
  readonly terms: Terms;
  readonly phase: Phase;
  /** Oldest first. Empty: somebody else's transaction holds the nonce, which is to be freed. */
  readonly payloads: readonly P[];
  /** The call may not act any more: only cancellations are signed and broadcast. */
  readonly isCancelled: boolean;
  /** A node says that it has the newest payload. A higher price would not help a payload that no node has accepted. */
  readonly isTaken: boolean;
  /** Newest block at the last look, and blocks since the last signature that could have mined the newest payload. */
  readonly block: bigint;
  readonly missedBlocks: number;
  /** Unix seconds of the last broadcast. */
  readonly submittedAt: bigint;
  /** Unix seconds when the nonce was first seen used, and how often its receipt has been searched for since. */
  readonly usedAt: bigint;
  readonly searches: number;
}

export type Event<P extends Payload = Payload> =
  | { readonly type: 'signed'; readonly payload: P }
  /** A node says that it has the payload. */
  | { readonly type: 'taken'; readonly hash: Hex }
  /** No node says that it has the payload, but one may have it. */
  | { readonly type: 'unanswered' }
  /** Nobody has the payload. `isLast`: no later nonce depends on this one. `sent`: what to report if it ends here. */
  | { readonly type: 'refused'; readonly hash: Hex; readonly isLast: boolean; readonly sent: Sent }
  /** The nonce is unused in this block. `isNext`: all nonces before it are used. */
  | ({ readonly type: 'unused'; readonly isNext: boolean; readonly offeredWei: bigint } & Moment)
  | { readonly type: 'used'; readonly now: bigint }
  /** A receipt shows what used the nonce. */
  | { readonly type: 'found'; readonly sent: Sent }
  | { readonly type: 'stop' };

export type Effect<P extends Payload = Payload> =
  | { readonly do: 'submit'; readonly payload: P }
  | { readonly do: 'sign'; readonly does: Payload['does']; readonly gasPriceWei: bigint }
  | { readonly do: 'find' }
  | { readonly do: 'report'; readonly sent: Sent };

type Step<P extends Payload> = readonly [Operation<P>, readonly Effect<P>[]];

/** Blocks that may omit a public transaction before it is signed again at a higher price. */
const patientBlocks = 2;
/** Seconds that a node has to serve the receipt of a transaction whose nonce it, or another node, counts as used. */
const receiptSeconds = 3n;
/** Searches that must have ended by then: a slow node gets more time. */
const minSearches = 3;

/** When something happens: unix seconds, and the newest block. */
export interface Moment {
  readonly now: bigint;
  readonly block: bigint;
}

/** An operation with its first payload signed; without one, a nonce held by somebody else's transaction. */
export const newOperation = <P extends Payload>(terms: Terms, { now, block }: Moment, payload?: P): Operation<P> => ({
  terms,
  phase: payload === undefined ? 'submitted' : 'signed',
  payloads: payload === undefined ? [] : [payload],
  isCancelled: payload === undefined,
  isTaken: false,
  block,
  missedBlocks: 0,
  submittedAt: now,
  usedAt: 0n,
  searches: 0,
});

/** What happens next. Never throws; an event that no longer matters changes nothing. */
export function step<P extends Payload>(operation: Operation<P>, event: Event<P>): Step<P> {
  const { phase } = operation;
  if (phase === 'reported') return [operation, []];
  switch (event.type) {
    case 'signed':
      return onSigned(operation, event.payload);
    case 'taken': {
      const isTaken = operation.isTaken || operation.payloads.at(-1)?.hash === event.hash;
      return [{ ...submitted(operation), isTaken }, []];
    }
    case 'unanswered':
      return [submitted(operation), []];
    case 'refused':
      return onRefused(operation, event);
    case 'unused':
      return onUnused(operation, event);
    case 'used': {
      const usedAt = phase === 'used' ? operation.usedAt : event.now;
      const searches = phase === 'used' ? operation.searches + 1 : 1;
      const isOver = event.now >= usedAt + receiptSeconds && searches > minSearches;
      if (isOver) return over(operation, { outcome: 'consumed', hash: hashOf(operation) });
      return [{ ...operation, phase: 'used', usedAt, searches }, [{ do: 'find' }]];
    }
    case 'found':
      return phase === 'used' ? over(operation, event.sent) : [operation, []];
    case 'stop':
      return over(operation, { outcome: 'unknown', hash: hashOf(operation) });
  }
}

/** Hash of the call's newest payload, which names the operation; of its cancellation if there is no call. */
export const hashOf = ({ payloads }: Operation): Hex =>
  (payloads.findLast(({ does }) => does === 'act') ?? payloads.at(-1))?.hash ?? '0x';

/** Maximum cost of the operation: that of its most expensive payload. */
export const maxWeiOf = ({ payloads }: Operation): bigint => largest([0n, ...payloads.map(({ maxWei }) => maxWei)]);

const submitted = <P extends Payload>(operation: Operation<P>): Operation<P> =>
  operation.phase === 'signed' ? { ...operation, phase: 'submitted' } : operation;

/** The nonce may have been used, or the call's time may have ended, while it was being signed. */
function onSigned<P extends Payload>(operation: Operation<P>, payload: P): Step<P> {
  const isLate = operation.phase === 'used' || (operation.isCancelled && payload.does === 'act');
  if (isLate) return [operation, []];
  const payloads = [...operation.payloads, payload];
  return [{ ...operation, payloads, isTaken: false, missedBlocks: 0 }, [{ do: 'submit', payload }]];
}

function onRefused<P extends Payload>(
  operation: Operation<P>,
  { hash, isLast, sent }: Extract<Event, { type: 'refused' }>,
): Step<P> {
  const newest = operation.payloads.at(-1);
  if (operation.phase === 'used' || newest?.hash !== hash) return [operation, []];
  // Its nonce is free for the next call, which then rules this one out.
  if (operation.phase === 'signed' && operation.payloads.length === 1 && isLast) return over(operation, sent);
  if (newest.does === 'act') return [operation, []];
  // The pending transaction offers more, and no public node reports how much.
  const gasPriceWei = smallest([2n * newest.gasPriceWei, operation.terms.maxGasPriceWei.cancel]);
  if (gasPriceWei > newest.gasPriceWei) return [operation, [{ do: 'sign', does: 'cancel', gasPriceWei }]];
  // Nothing of ours is pending with this nonce.
  return operation.payloads.every(({ does }) => does === 'cancel') ? over(operation, sent) : [operation, []];
}

function onUnused<P extends Payload>(
  before: Operation<P>,
  { now, block, isNext, offeredWei }: Extract<Event, { type: 'unused' }>,
): Step<P> {
  // A lower number is new, too: a node reported blocks that never existed, or the chain was reset.
  const isNewBlock = block !== before.block;
  const { actsUntil } = before.terms;
  const couldBeMined = isNext && isNewBlock && before.isTaken;
  const operation: Operation<P> = {
    ...before,
    // The node that counted it as used was wrong, or its block was undone.
    phase: before.phase === 'used' ? 'submitted' : before.phase,
    block,
    missedBlocks: before.missedBlocks + (couldBeMined ? 1 : 0),
    isCancelled: before.isCancelled || (actsUntil !== undefined && now >= actsUntil),
  };
  const does = operation.isCancelled ? 'cancel' : 'act';
  const newest = operation.payloads.findLast((payload) => payload.does === does);
  const bid = bidOf(operation, does, offeredWei);
  if (newest === undefined) return [operation, [{ do: 'sign', does, gasPriceWei: bid }]];
  // Broadcast again once per block, or once per second if no block comes.
  const isTime = isNewBlock || now > before.submittedAt;
  const again: readonly Effect<P>[] = isTime ? [{ do: 'submit', payload: newest }] : [];
  const then = { ...operation, submittedAt: isTime ? now : before.submittedAt };
  // Nodes replace a transaction only if the new one pays at least a tenth more.
  const isWorth = bid * 8n >= newest.gasPriceWei * 9n;
  const patience = (does === 'act' ? operation.terms.patientBlocks : undefined) ?? patientBlocks;
  const isBumped = operation.terms.isBumped && operation.isTaken && operation.missedBlocks >= patience && isWorth;
  if (!isBumped) return [then, again];
  return [{ ...then, missedBlocks: 0 }, [...again, { do: 'sign', does, gasPriceWei: bid }]];
}

/** An eighth above our own highest bid, or the node's price if that is more, up to the maximum. */
function bidOf({ terms, payloads }: Operation, does: Payload['does'], offeredWei: bigint): bigint {
  const highest = largest([0n, ...payloads.map(({ gasPriceWei }) => gasPriceWei)]);
  const bumped = highest === 0n ? 0n : (highest * 9n) / 8n + 1n;
  // A call that may have to be cancelled leaves room for a cancellation that pays more.
  const isEnding = does === 'act' && terms.actsUntil !== undefined;
  const most = isEnding ? [(terms.maxGasPriceWei.cancel * 8n) / 9n - 1n] : [];
  return smallest([largest([offeredWei, bumped]), terms.maxGasPriceWei[does], ...most]);
}

const over = <P extends Payload>(operation: Operation<P>, sent: Sent): Step<P> => [
  { ...operation, phase: 'reported' },
  [{ do: 'report', sent }],
];
