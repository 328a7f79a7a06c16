import { type Address, isAddressEqual, parseEventLogs, type TransactionReceipt } from 'viem';
import { revocationsAbi } from '../../../abis/index.ts';

/** Whether the receipts prove a revocation of everything by `owner`, through the contract's own event. */
export const isRevokedBy = (receipts: readonly TransactionReceipt[], revocations: Address, owner: Address): boolean =>
  revokedAt(receipts, revocations, owner) !== undefined;

/** The block of that revocation, which ends nothing that is made after it; undefined if there is none. */
export function revokedAt(
  receipts: readonly TransactionReceipt[],
  revocations: Address,
  owner: Address,
): bigint | undefined {
  const logs = receipts.flatMap((receipt) => (receipt.status === 'success' ? receipt.logs : []));
  return parseEventLogs({ abi: revocationsAbi, eventName: 'AllRevoked', logs }).find(
    ({ address, args }) => isAddressEqual(address, revocations) && isAddressEqual(args.owner, owner),
  )?.blockNumber;
}
