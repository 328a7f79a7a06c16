import type { Call, Sender, Sent } from '@bowline/core/domain/ports';
import type { Address, Hex } from '@bowline/core/domain/units';

/** One of several ways onto the chain, each with a queue of its own. */
export interface Way {
  send(call: Call): Promise<Sent>;
  /** Undefined when the hash is of no call of this way. */
  outcome(hash: Hex): Promise<Sent | undefined>;
}

/**
 * Sends each call by the way that is chosen for it, and asks for an outcome only where that call went: no question waits in
 * the queue of another way.
 * @param address who acts, by every way that is told of.
 */
export function createRoutedSender(address: Address, wayOf: (call: Call) => Way): Sender {
  /** Where calls went whose outcome was not known. */
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
      // What its own way does not hold any more is over.
      const sent = (await way.outcome(hash)) ?? { outcome: 'consumed', hash };
      if (sent.outcome !== 'unknown') unknown.delete(hash);
      return sent;
    },
  };
}
