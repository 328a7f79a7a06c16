import type { Payment } from '@bowline/core/domain/payment';
import type { Hex } from '@bowline/core/domain/units';
import { type Log, parseAbi, parseEventLogs } from 'viem';

// What a token's logs in one receipt say of a payer: his transfers, and the authorisations (EIP-3009) that he used. A facilitator
// may settle several payments in one transaction, and no transfer may pay two of them.

const abi = parseAbi([
  'event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce)',
  'event Transfer(address indexed from, address indexed to, uint256 value)',
]);

interface Transfers {
  /** Whether the authorisation of that nonce was used, and paid the payee. */
  isPaidBy(nonce: Hex): boolean;
  /** Places in the receipt of the transfers to the payee that no authorisation made. */
  readonly others: readonly number[];
  /** Whether there are more of which the logs do not show whether an authorisation made them. */
  readonly areMore: boolean;
}

/**
 * The payer's transfers to the payee of at least the amount, each to what made it. A token logs transfer and use side by side, in its
 * own order. Where the logs allow one order alone, each use has its own transfer; otherwise uses count first: of five
 * transfers and two uses, three transfers are not by an authorisation.
 */
export function transfersIn(
  logs: readonly Log[],
  { asset, authorization: { from, to, value } }: Pick<Payment, 'asset' | 'authorization'>,
): Transfers {
  const events = logs.flatMap((log, place) => {
    const [event] = log.address.toLowerCase() === asset ? parseEventLogs({ abi, logs: [log] }) : [];
    return event ? [{ event, place }] : [];
  });
  type Event = (typeof events)[number];
  const isMoved = ({ event }: Event): boolean =>
    event.eventName === 'Transfer' && event.args.from.toLowerCase() === from;
  const isOurs = (one: Event): boolean =>
    isMoved(one) &&
    one.event.eventName === 'Transfer' &&
    one.event.args.to.toLowerCase() === to &&
    one.event.args.value >= value;
  const isUse = ({ event }: Event): boolean =>
    event.eventName === 'AuthorizationUsed' && event.args.authorizer.toLowerCase() === from;

  const ours = events.filter(isOurs);
  const uses = events.filter(isUse);
  const next = uses.map((use) => events[events.indexOf(use) + 1]);
  const previous = uses.map((use) => events[events.indexOf(use) - 1]);
  const areAll = (side: typeof next) => side.every((each) => each !== undefined && isMoved(each));
  const made = areAll(next) === areAll(previous) ? undefined : areAll(next) ? next : previous;
  const others =
    made === undefined
      ? ours.slice(0, Math.max(0, ours.length - uses.length))
      : ours.filter((each) => !made.includes(each));
  return {
    isPaidBy(nonce) {
      const at = uses.findIndex(({ event }) => event.eventName === 'AuthorizationUsed' && event.args.nonce === nonce);
      if (at < 0) return false;
      const own = (made ?? next)[at];
      if (own !== undefined && isOurs(own)) return true;
      return made === undefined && ours.length >= uses.length;
    },
    others: others.map(({ place }) => place),
    areMore: made === undefined && others.length < ours.length,
  };
}
