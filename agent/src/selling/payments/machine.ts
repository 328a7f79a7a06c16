import type { Json, PaymentRefusal } from '@bowline/core/domain/payment';
import type { Failure } from '@bowline/core/domain/result';
import type { Hex } from '@bowline/core/domain/units';
import { delayed, type Later } from './outcome.ts';

// One payment from its first request to its answer. Money is taken after the work and before the answer.

/** What every state has from the kept answer on; all of it is on disk. */
interface Kept {
  /** Block in which the authorisation was unused when the work began: the search for its use begins there. */
  readonly since: bigint;
  readonly answer: Json;
  /** Transactions that the facilitator named. */
  readonly hashes: readonly Hex[];
  /** A request to settle ended without an answer: no later decline can speak for it. */
  readonly isUnanswered: boolean;
}

interface Paid extends Kept {
  readonly transaction: Hex;
  /** A client that was waiting has had the answer. */
  readonly isDelivered: boolean;
}

export type State =
  /** Nothing is known of it, and nothing is owed. */
  | { readonly name: 'NEW' }
  | { readonly name: 'WORKING'; readonly since: bigint }
  | ({ readonly name: 'KEPT' } & Kept)
  | ({ readonly name: 'UNKNOWN' } & Kept)
  /** `isDeclined`: the facilitator's last answer. */
  | ({ readonly name: 'SETTLING'; readonly isDeclined: boolean } & Kept)
  | ({ readonly name: 'REFUSED'; readonly reason: PaymentRefusal } & Kept)
  | ({ readonly name: 'PAID' | 'STALE' } & Paid)
  /** It can no longer pay us. */
  | { readonly name: 'DEAD' };

/** What the chain shows of a payment. */
export type Seen =
  /** A successful receipt has a transfer from payer to payee that no other payment relies on. */
  | { readonly state: 'paid'; readonly transaction: Hex }
  /** Used without paying us. `isFinal`: according to two nodes, five minutes after its validity. */
  | { readonly state: 'void'; readonly reason: 'cancelled' | 'used_elsewhere'; readonly isFinal: boolean }
  /** Unused five minutes after its validity, when no late block can change it. `isFinal`: according to two nodes. */
  | { readonly state: 'lapsed'; readonly isFinal: boolean }
  /** `isPending`: a transaction that was named has no receipt yet. */
  | { readonly state: 'unused'; readonly isPending: boolean }
  /** Used, but the node does not show by which transaction; or the node does not answer. */
  | { readonly state: 'unclear' };

export type Event =
  /** A request with the payment arrived. `isStale`: the answer's ticket ends before anybody could act on it. */
  | { readonly type: 'asked'; readonly isStale: boolean }
  /** `maySettle`: the facilitator may be asked now. */
  | { readonly type: 'verified'; readonly block: bigint; readonly maySettle: boolean }
  | { readonly type: 'refused'; readonly reason: PaymentRefusal }
  | { readonly type: 'put_off'; readonly later: Later }
  | { readonly type: 'worked'; readonly answer: Json }
  | { readonly type: 'failed'; readonly failure: Failure }
  /** The record is on disk, or could not be written. `isAwaited`: a client still waits for the answer. */
  | { readonly type: 'kept' | 'not_kept'; readonly isAwaited: boolean; readonly isStale: boolean }
  /** The facilitator's answer: a failure that names a transaction may still succeed. */
  | { readonly type: 'settled'; readonly isDeclined: boolean; readonly hash?: Hex }
  | { readonly type: 'unanswered' }
  /** `maySettle`: the facilitator may be asked now. `isDelivered`: a client waits, and the answer is fresh. */
  | { readonly type: 'seen'; readonly seen: Seen; readonly maySettle: boolean; readonly isDelivered: boolean };

export type Reply =
  | { readonly say: 'answer' | 'unknown' | 'nobody_waits' }
  | { readonly say: 'refused'; readonly reason: PaymentRefusal }
  | { readonly say: 'put_off'; readonly later: Later }
  | { readonly say: 'failed'; readonly failure: Failure };

/** In order. The result of the last one is the next event; `reply` ends the request. */
export type Effect =
  | { readonly do: 'verify' | 'work' | 'keep' | 'settle' | 'look' | 'drop' }
  | { readonly do: 'reply'; readonly reply: Reply };

type Step = readonly [State, ...Effect[]];

const run = (effect: 'verify' | 'work' | 'keep' | 'settle' | 'look' | 'drop'): Effect => ({ do: effect });
const replyWith = (reply: Reply): Effect => ({ do: 'reply', reply });
const refuse = (reason: PaymentRefusal): Effect => replyWith({ say: 'refused', reason });
const unknown = replyWith({ say: 'unknown' });
const nothing: State = { name: 'NEW' };

const keptOf = ({ since, answer, hashes, isUnanswered }: Kept): Kept => ({ since, answer, hashes, isUnanswered });

/** Pure: the next state of a payment, and the effects to run. An unexpected event is our bug. */
export function step(state: State, event: Event): Step {
  switch (state.name) {
    case 'NEW':
      return ofNew(state, event);
    case 'WORKING':
      return ofWorking(state, event);
    case 'KEPT':
      return ofKept(state, event);
    case 'SETTLING':
      return ofSettling(state, event);
    case 'REFUSED':
    case 'UNKNOWN':
      return ofOpen(state, event);
    case 'PAID':
    case 'STALE':
      return ofPaid(state, event);
    case 'DEAD':
      return unexpected(state, event);
  }
}

function unexpected({ name }: State, { type }: Event): never {
  throw new Error(`unexpected event ${type} for a payment in state ${name}`);
}

function ofNew(state: State, event: Event): Step {
  if (event.type === 'asked') return [state, run('verify')];
  if (event.type === 'verified') return [{ name: 'WORKING', since: event.block }, run('work')];
  if (event.type === 'refused') return [state, refuse(event.reason)];
  if (event.type === 'put_off') return [state, replyWith({ say: 'put_off', later: event.later })];
  return unexpected(state, event);
}

/** Failed work costs nothing and leaves nothing behind. */
function ofWorking(state: State & { name: 'WORKING' }, event: Event): Step {
  const { since } = state;
  if (event.type === 'failed') return [nothing, replyWith({ say: 'failed', failure: event.failure })];
  if (event.type === 'put_off') return [nothing, replyWith({ say: 'put_off', later: event.later })];
  if (event.type !== 'worked') return unexpected(state, event);
  return [{ name: 'KEPT', since, answer: event.answer, hashes: [], isUnanswered: false }, run('keep')];
}

function ofKept(state: State & { name: 'KEPT' }, event: Event): Step {
  switch (event.type) {
    case 'kept':
      // A client that disconnects before the settlement is requested is not charged.
      return event.isAwaited ? settling(state) : [state, replyWith({ say: 'nobody_waits' })];
    case 'not_kept':
      return [nothing, run('drop'), replyWith({ say: 'put_off', later: delayed('not_kept') })];
    default:
      return ofOpen(state, event);
  }
}

const settling = (kept: Kept): Step => [{ name: 'SETTLING', isDeclined: false, ...keptOf(kept) }, run('settle')];

function ofSettling(state: State & { name: 'SETTLING' }, event: Event): Step {
  const kept = keptOf(state);
  switch (event.type) {
    case 'settled': {
      const { isDeclined, hash } = event;
      if (hash === undefined)
        return [{ ...state, isDeclined, isUnanswered: kept.isUnanswered || !isDeclined }, run('look')];
      if (kept.hashes.includes(hash)) return [{ ...state, isDeclined }, run('look')];
      return [{ ...state, isDeclined, hashes: [...kept.hashes, hash] }, run('keep'), run('look')];
    }
    case 'unanswered':
      return [{ ...state, isUnanswered: true, isDeclined: false }, run('look')];
    case 'seen':
      return ofOutcome(state, event);
    case 'kept':
      return [state, run('settle')];
    case 'verified':
      // Declined although the token would accept it: two of the facilitator's transactions may have collided.
      return event.maySettle ? settling(kept) : [{ name: 'UNKNOWN', ...kept }, unknown];
    case 'refused':
      return [{ name: 'REFUSED', reason: event.reason, ...kept }, run('keep'), refuse(event.reason)];
    case 'put_off':
    case 'not_kept':
      return [{ name: 'UNKNOWN', ...kept }, unknown];
    default:
      return unexpected(state, event);
  }
}

type SeenEvent = Event & { readonly type: 'seen' };

/** What the chain shows after the facilitator was asked. */
function ofOutcome(state: State & { name: 'SETTLING' }, { seen, isDelivered }: SeenEvent): Step {
  const kept = keptOf(state);
  const isDefinite = state.isDeclined && !state.isUnanswered;
  if (seen.state === 'paid') return paid(kept, seen.transaction, isDelivered);
  if (seen.state === 'void') return refused(kept, seen.reason, seen.isFinal);
  // Permit2's nonces are not read: after a permit's validity, the facilitator's decline says that it was not used.
  if (seen.state === 'lapsed' && (seen.isFinal || state.isDeclined)) return refused(kept, 'lapsed', seen.isFinal);
  if (seen.state === 'unused' && isDefinite && !seen.isPending) return [state, run('verify')];
  return [{ name: 'UNKNOWN', ...kept }, unknown];
}

const paid = (kept: Kept, transaction: Hex, isDelivered: boolean): Step => [
  { name: 'PAID', transaction, isDelivered, ...keptOf(kept) },
  run('keep'),
];

/** The record stays until no reorganisation and no late block can make it paid. */
const refused = (kept: Kept, reason: PaymentRefusal, isFinal: boolean): Step =>
  isFinal
    ? [{ name: 'DEAD' }, run('drop'), refuse(reason)]
    : [{ name: 'REFUSED', reason, ...keptOf(kept) }, run('keep'), refuse(reason)];

/** The chain first, then the facilitator again. */
function ofOpen(state: State & { name: 'KEPT' | 'UNKNOWN' | 'REFUSED' }, event: Event): Step {
  const still = state.name === 'REFUSED' ? refuse(state.reason) : unknown;
  switch (event.type) {
    case 'asked':
      return [state, run('look')];
    case 'verified':
      // Its file still says refused: after a restart, nobody may be told so while it is being settled.
      return [{ name: 'SETTLING', isDeclined: false, ...keptOf(state) }, run('keep')];
    case 'refused':
      return [{ ...keptOf(state), name: 'REFUSED', reason: event.reason }, refuse(event.reason)];
    case 'put_off':
      return [state, still];
    case 'seen': {
      const { seen, maySettle, isDelivered } = event;
      if (seen.state === 'paid') return paid(state, seen.transaction, isDelivered);
      if (seen.state === 'void') return refused(state, seen.reason, seen.isFinal);
      if (seen.state === 'unclear') return [state, still];
      // A refused payment may be funded now: simulate it before asking the facilitator.
      if (maySettle) return state.name === 'REFUSED' ? [state, run('verify')] : settling(state);
      return seen.state === 'lapsed' ? refused(state, 'lapsed', seen.isFinal) : [state, still];
    }
    default:
      return unexpected(state, event);
  }
}

function ofPaid(state: State & { name: 'PAID' | 'STALE' }, event: Event): Step {
  const now = { ...state, name: 'PAID' } as const;
  const answer = replyWith({ say: 'answer' });
  switch (event.type) {
    case 'asked':
      if (state.isDelivered) return [now, answer];
      return event.isStale ? redone(state) : [{ ...now, isDelivered: true }, run('keep'), answer];
    case 'kept':
    case 'not_kept':
      if (!event.isAwaited) return [now, replyWith({ say: 'nobody_waits' })];
      return event.isStale && !state.isDelivered ? redone(state) : [now, answer];
    case 'worked':
      return [{ ...now, answer: event.answer, isDelivered: true }, run('keep')];
    case 'failed':
      return [now, answer];
    default:
      return unexpected(state, event);
  }
}

/** Nobody has received the answer, and it has expired: the work is done again at no further cost. */
const redone = (state: State & Paid): Step => [{ ...state, name: 'STALE' }, run('work')];

/** The state after a restart: the process that ended may already have sent the payment to the facilitator. */
export function afterRestart(state: State): State {
  if (state.name === 'KEPT' || state.name === 'SETTLING') {
    return { name: 'UNKNOWN', ...keptOf(state), isUnanswered: true };
  }
  return state.name === 'STALE' ? { ...state, name: 'PAID' } : state;
}
