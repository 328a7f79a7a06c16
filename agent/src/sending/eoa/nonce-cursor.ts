import type { Clock, Log } from '@bowline/core/domain/ports';
import type { Address } from '@bowline/core/domain/units';
import type { ChainClient } from '../../chain/chain-client.ts';

/**
 * Which nonce is next. `wait`: the chain and this process do not agree on it, or somebody else's transaction holds it.
 * `stuck`: those have been held without a block for long, from the next one on.
 */
type NextNonce =
  | { readonly state: 'free'; readonly nonce: number }
  | { readonly state: 'wait' }
  | { readonly state: 'stuck'; readonly nonces: readonly number[] };

export interface NonceCursor {
  /** Throws viem's errors when the node does not answer. */
  next(): Promise<NextNonce>;
  /** A block has a transaction with it. */
  used(nonce: number): void;
  /** The node refused a transaction with it. True when it has been doing so for long: then something holds the nonce. */
  refused(nonce: number): boolean;
}

/** How long a node may know fewer of our transactions than we do before it is believed. */
const behindSeconds = 60n;

/** Freed at a time, so that an attempt ends. */
const maxStuck = 16;

interface Held {
  readonly nonce: number;
  readonly since: bigint;
}

/** @param stuckSeconds how long one nonce may be held by what is not of this process. */
export function createNonceCursor(
  client: ChainClient,
  address: Address,
  clock: Clock,
  log: Log,
  stuckSeconds: bigint,
): NonceCursor {
  /** As far as this process has seen its transactions go into blocks. */
  let cursor = 0;
  let behindSince: bigint | undefined;
  let inFlight: Held | undefined;
  let refused: Held | undefined;

  const heldFrom = (held: Held | undefined, nonce: number): Held =>
    held?.nonce === nonce ? held : { nonce, since: clock() };
  const isStuck = ({ since }: Held): boolean => clock() - since >= stuckSeconds;

  /** Whether a node that has seen fewer of our transactions than we have is to be waited for. */
  function isBehind(mined: number): boolean {
    if (mined >= cursor) {
      behindSince = undefined;
      return false;
    }
    // One node of several may lag. A block may also have been undone, and then the chain's state wins.
    behindSince ??= clock();
    if (clock() - behindSince < behindSeconds) {
      log.warn('sender.node_behind', { cursor, mined });
      return true;
    }
    log.error('sender.block_undone', { cursor, mined });
    behindSince = undefined;
    return false;
  }

  return {
    async next() {
      const [mined, known] = await Promise.all([
        client.getTransactionCount({ address, blockTag: 'latest' }),
        client.getTransactionCount({ address, blockTag: 'pending' }),
      ]);
      if (isBehind(mined)) return { state: 'wait' };
      cursor = mined;
      if (known <= mined) {
        inFlight = undefined;
        return { state: 'free', nonce: mined };
      }
      // Not of this process, which waits for its own: of one before it, or of somebody else with the key.
      inFlight = heldFrom(inFlight, mined);
      if (!isStuck(inFlight)) {
        log.warn('sender.in_flight', { mined, known });
        return { state: 'wait' };
      }
      const count = Math.min(known - mined, maxStuck);
      return { state: 'stuck', nonces: Array.from({ length: count }, (_, at) => mined + at) };
    },
    used(nonce) {
      cursor = Math.max(cursor, nonce + 1);
    },
    refused(nonce) {
      refused = heldFrom(refused, nonce);
      return isStuck(refused);
    },
  };
}
