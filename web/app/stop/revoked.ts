import { sameAddress } from '@bowline/core/domain/same-address';
import { type Address, parseEventLogs, type TransactionReceipt } from 'viem';
import { revocationsAbi } from '../../../abis/index.ts';

/** Whether the receipts prove a revocation of everything by `owner`, through the contract's own event. */
export function isRevokedBy(receipts: readonly TransactionReceipt[], revocations: Address, owner: Address): boolean {
  const logs = receipts.flatMap((receipt) => (receipt.status === 'success' ? receipt.logs : []));
  return parseEventLogs({ abi: revocationsAbi, eventName: 'AllRevoked', logs }).some(
    ({ address, args }) => sameAddress(address, revocations) && sameAddress(args.owner, owner),
  );
}

/** The block of that revocation, which ends nothing that is made after it; undefined if there is none. */
export const revokedAt = (
  receipts: readonly TransactionReceipt[],
  revocations: Address,
  owner: Address,
): bigint | undefined => receipts.find((receipt) => isRevokedBy([receipt], revocations, owner))?.blockNumber;
