// Which nonce of one sequence is next, and why it may not be free. Pure; the queue drives it.

import type { Log } from '@bowline/core/domain/log';
import { largest, smallest } from '@bowline/core/domain/units';

interface Held {
  readonly nonce: bigint;
  readonly since: bigint;
}

export interface Cursor {
  /** Seconds after which a nonce that somebody else holds is freed. */
  readonly stuckSeconds: bigint;
  /** Next nonce by the blocks this process has seen. */
  readonly seen: bigint;
  /** Since when the node's count has not matched ours. */
  readonly behindSince?: bigint | undefined;
  /** A nonce that the node keeps for somebody else, and one that it has refused. */
  readonly held?: Held | undefined;
  readonly refused?: Held;
}

export type Event =
  /** `used`: next unused nonce in the newest block. `first`: the smallest one that is in use here. */
  | { readonly type: 'read'; readonly used: bigint; readonly first: bigint | undefined }
  /** A call needs `next`, by what was just read. `pending`: next unused nonce, counting what waits in the node. */
  | { readonly type: 'wanted'; readonly used: bigint; readonly pending: bigint; readonly next: bigint }
  /** A call with this nonce was not sent. */
  | { readonly type: 'refused'; readonly nonce: bigint }
  /** A block has used it. */
  | { readonly type: 'used'; readonly nonce: bigint };

export type Effect =
  | { readonly do: 'log'; readonly level: keyof Log; readonly event: string; readonly fields: object }
  /** Uses up nonces that hold up the others. */
  | { readonly do: 'free'; readonly nonces: readonly bigint[] }
  /** Gives up the nonces in use, which will never be reached: a node had miscounted. */
  | { readonly do: 'give_up' };

type Step = readonly [Cursor, readonly Effect[]];

/** How long a node may report fewer of our nonces than we know, or a nonce may be missing, before it is believed. */
const behindSeconds = 60n;
/**
 * Nonces that a key may have open, and foreign ones freed at a time. A block holds 17 rescue lists, and a list takes up
 * to two blocks: with fewer, the key is the limit in a crash. BNB Chain nodes guarantee an account 200 pool places.
 */
export const maxOpenNonces = 32;

/** What happens next. Never throws. @param now unix seconds */
export function step(cursor: Cursor, event: Event, now: bigint): Step {
  switch (event.type) {
    case 'read':
      return onRead(cursor, event, now);
    case 'wanted':
      return onWanted(cursor, event, now);
    case 'refused': {
      const refused = heldFrom(cursor.refused, event.nonce, now);
      if (!isStuck(cursor, refused, now)) return [{ ...cursor, refused }, []];
      return [{ ...cursor, refused: { nonce: event.nonce, since: now } }, freeing(cursor, [event.nonce])];
    }
    case 'used':
      return [{ ...cursor, seen: largest([cursor.seen, event.nonce + 1n]) }, []];
  }
}

/** A node may lag. A block may also have been undone, and then the chain's state wins. */
function onRead(cursor: Cursor, { used, first }: Extract<Event, { type: 'read' }>, now: bigint): Step {
  const { seen, behindSince = now } = cursor;
  const believed = { ...cursor, seen: used, behindSince: undefined };
  if (used >= seen && (first === undefined || first <= used)) return [believed, []];
  if (now - behindSince < behindSeconds) return [{ ...cursor, behindSince }, []];
  const undone = said('error', 'sender.block_undone', { cursor: seen, mined: used });
  if (first === undefined || first === used) return [believed, [undone]];
  if (first > used + BigInt(maxOpenNonces)) return [believed, [undone, { do: 'give_up' }]];
  // Later nonces wait for these.
  return [believed, [undone, { do: 'free', nonces: range(used, first - used) }]];
}

/** Why the next nonce is not free; frees it if somebody else's transaction has held it for too long. */
function onWanted(cursor: Cursor, { used, pending, next }: Extract<Event, { type: 'wanted' }>, now: bigint): Step {
  const { seen } = cursor;
  if (used < seen) return [cursor, [said('warn', 'sender.node_behind', { cursor: seen, mined: used })]];
  if (pending <= next) return [{ ...cursor, held: undefined }, []];
  const held = heldFrom(cursor.held, next, now);
  if (held !== cursor.held) {
    return [{ ...cursor, held }, [said('warn', 'sender.in_flight', { mined: used, known: pending })]];
  }
  if (!isStuck(cursor, held, now)) return [cursor, []];
  // A transaction that offers more than the maximum is bid against once a minute, not by every call.
  const stuck = range(next, smallest([pending - next, BigInt(maxOpenNonces)]));
  return [{ ...cursor, held: { nonce: next, since: now } }, freeing(cursor, stuck)];
}

const heldFrom = (before: Held | undefined, nonce: bigint, now: bigint): Held =>
  before?.nonce === nonce ? before : { nonce, since: now };
const isStuck = ({ stuckSeconds }: Cursor, { since }: Held, now: bigint): boolean => now - since >= stuckSeconds;

const freeing = ({ stuckSeconds }: Cursor, nonces: readonly bigint[]): readonly Effect[] => [
  said('warn', 'sender.stuck', { nonces, seconds: stuckSeconds }),
  { do: 'free', nonces },
];

const said = (level: keyof Log, event: string, fields: object): Effect => ({ do: 'log', level, event, fields });

const range = (from: bigint, count: bigint): readonly bigint[] =>
  Array.from({ length: Number(count) }, (_, at) => from + BigInt(at));
