import { tryAs } from '@bowline/chain/try-as';
import { sameAddress } from '@bowline/core/domain/same-address';
import { type Address, parseEventLogs, type TransactionReceipt } from 'viem';
import { revocationsAbi } from '../../../abis/index.ts';
import type { ChainClient } from '../chain/client.ts';
import type { Step } from '../chain/step.ts';

/** Whether the receipts prove a revocation of everything by `owner`, through the contract's own event. */
export function isRevokedBy(receipts: readonly TransactionReceipt[], revocations: Address, owner: Address): boolean {
  const logs = receipts.flatMap((receipt) => (receipt.status === 'success' ? receipt.logs : []));
  return parseEventLogs({ abi: revocationsAbi, eventName: 'AllRevoked', logs }).some(
    ({ address, args }) => sameAddress(address, revocations) && sameAddress(args.owner, owner),
  );
}

/** The block of that revocation; undefined if there is none. The revocation ends nothing that is made later. */
export const revokedAt = (
  receipts: readonly TransactionReceipt[],
  revocations: Address,
  owner: Address,
): bigint | undefined => receipts.find((receipt) => isRevokedBy([receipt], revocations, owner))?.blockNumber;

/** Timeout for trying the steps. Users who want their approvals back should not wait longer for the wallet. */
const TRYING_MS = 3_000;

/**
 * An account's revocations that their tokens accept now. One token that refuses, for example a paused one, must not
 * keep the others approved: steps stop at the first failure, and a batch is all or none.
 * @returns all of them if none is accepted, so that the reason is shown, or if the node cannot tell.
 */
export async function revocable(client: ChainClient, owner: Address, steps: readonly Step[]): Promise<readonly Step[]> {
  const trying = tryAs(client, owner, steps).catch(() => undefined);
  const tried = await Promise.race([
    trying,
    new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), TRYING_MS)),
  ]);
  const taken = steps.filter((_, at) => tried?.[at]?.isOk !== false);
  return taken.length === 0 ? steps : taken;
}
