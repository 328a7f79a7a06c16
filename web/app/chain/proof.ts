import { type Address, type Hex, isAddressEqual, isHex, pad, type TransactionReceipt } from 'viem';

/** The event that a call emits if it has happened. A topic of null may be anything, "owner" is who made the call. */
export interface Proof {
  readonly address: Address;
  readonly topics: readonly (Hex | 'owner' | null)[];
  /** What is not indexed; absent: anything. */
  readonly data?: Hex;
}

/** Topics as viem's encodeEventTopics gives them, without lists of alternatives. */
type Topics = readonly (Hex | readonly Hex[] | null)[];

export const proofBy = (address: Address, topics: Topics): Proof => ({
  address,
  topics: topics.map((topic) => (isHex(topic) ? topic : null)),
});

/** Whether a transaction that succeeded has emitted it. Others' calls may be in the same transaction (ERC-4337). */
export function isShown(
  { address, topics, data }: Proof,
  owner: Address,
  receipts: readonly TransactionReceipt[],
): boolean {
  const sought = topics.map((topic) => (topic === 'owner' ? pad(owner) : topic)?.toLowerCase());
  return receipts.some(
    ({ status, logs }) =>
      status === 'success' &&
      logs.some(
        (log) =>
          isAddressEqual(log.address, address) &&
          (data === undefined || data.toLowerCase() === log.data.toLowerCase()) &&
          sought.every((topic, at) => topic === undefined || topic === log.topics[at]?.toLowerCase()),
      ),
  );
}
