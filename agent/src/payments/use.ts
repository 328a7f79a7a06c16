import type { ChainClient } from '@bowline/chain/chain-client';
import type { Payment } from '@bowline/core/domain/payment';
import { isFinalAt } from './standing.ts';

// Whether an authorisation is used, as the nodes show it. A use is believed of one node. That there is none is a word of which a node
// may be wrong, because it lags or answers from a state older than its newest block, or because it lies.

/** Nodes, each asked by itself, that must show that nothing paid us before a payment is forgotten. */
export const NODES_FOR_ABSENCE = 2;

export type Use =
  /** `isElsewhere`: the node that was asked first shows it as unused. */
  | { readonly isUsed: true; readonly head: bigint; readonly isLate: boolean; readonly isElsewhere: boolean }
  | { readonly isUsed: false; readonly head: bigint; readonly over: boolean; readonly isFinal: boolean };
// `head`: block as of which it was read. `isLate`: five minutes after the payment's validity, by that block.
// `over`: its validity has ended by two nodes; by one, five minutes ago, which is longer than nodes lag. `isFinal`: by two, and those
// five minutes have passed.

/**
 * @param nodes each node by itself. They are asked once the validity has ended by `client`.
 * @param isUsed the state at a block of that node.
 * @throws viem's errors, of `client` alone.
 */
export async function readUse(
  payment: Payment,
  client: ChainClient,
  nodes: readonly ChainClient[],
  isUsed: (block: bigint, node: ChainClient) => Promise<boolean>,
): Promise<Use> {
  const { validBefore } = payment.authorization;
  const read = async (node: ChainClient) => {
    const { number: head, timestamp } = await node.getBlock({ blockTag: 'latest' });
    return { head, timestamp, isLate: isFinalAt(timestamp, payment), isUsed: await isUsed(head, node) };
  };
  const { head, timestamp, isLate, isUsed: isUsedNow } = await read(client);
  if (isUsedNow) return { isUsed: true, head, isLate, isElsewhere: false };
  if (timestamp < validBefore) return { isUsed: false, head, over: false, isFinal: false };
  const alone = await Promise.all(nodes.map((node) => read(node).catch(() => undefined)));
  const told = alone.filter((each) => each !== undefined);
  const user = told.find((each) => each.isUsed);
  if (user !== undefined) return { isUsed: true, head: user.head, isLate: user.isLate, isElsewhere: true };
  const ended = told.filter((each) => each.timestamp >= validBefore).length;
  const late = told.filter((each) => each.isLate).length;
  return { isUsed: false, head, over: isLate || ended >= NODES_FOR_ABSENCE, isFinal: late >= NODES_FOR_ABSENCE };
}
