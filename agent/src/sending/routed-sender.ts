import type { Call, Sender, Sent } from '@bowline/core/domain/ports';
import type { Address, Hex } from '@bowline/core/domain/units';

/** One of several ways onto the chain, each with its own queue. */
export interface Way {
  send(call: Call): Promise<Sent>;
  /** Undefined if the hash belongs to no call of this way. */
  outcome(hash: Hex): Promise<Sent | undefined>;
}

/**
 * Sends each call by its chosen way and asks that way alone for the outcome, so that no request waits in another way's
 * queue.
 * @param address the acting account, the same for every way.
 */
export function createRoutedSender(address: Address, wayOf: (call: Call) => Way): Sender {
  /** Ways of calls whose outcome was unknown. */
  const unknown = new Map<Hex, Way>();
  return {
    address,
    wayOf,
    async send(call) {
      const way = wayOf(call);
      const sent = await way.send(call);
      if (sent.outcome === 'unknown') unknown.set(sent.hash, way);
      return sent;
    },
    async outcome(hash) {
      const way = unknown.get(hash);
      if (way === undefined) return { outcome: 'unknown', hash };
      // A call that its own way no longer tracks is over.
      const sent = (await way.outcome(hash)) ?? { outcome: 'consumed', hash };
      if (sent.outcome !== 'unknown') unknown.delete(hash);
      return sent;
    },
  };
}
