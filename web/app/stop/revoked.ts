import { type Address, isAddressEqual, parseEventLogs, type TransactionReceipt } from 'viem';
import { revocationsAbi } from '../../../abis/index.ts';

/** Whether the receipts prove a revocation of everything by `owner`, through the contract's own event. */
export function isRevokedBy(receipts: readonly TransactionReceipt[], revocations: Address, owner: Address): boolean {
  const logs = receipts.flatMap((receipt) => (receipt.status === 'success' ? receipt.logs : []));
  return parseEventLogs({ abi: revocationsAbi, eventName: 'AllRevoked', logs }).some(
    ({ address, args }) => isAddressEqual(address, revocations) && isAddressEqual(args.owner, owner),
  );
}
