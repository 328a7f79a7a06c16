import { sameAddress } from '@bowline/core/domain/same-address';
import {
  type Abi,
  type AbiEvent,
  type Address,
  type ContractEventName,
  encodeAbiParameters,
  encodeEventTopics,
  type GetEventArgs,
  getAbiItem,
  type Hex,
  isHex,
  pad,
  size,
  slice,
  type TransactionReceipt,
} from 'viem';

/** The event that a call emits if it succeeded. */
export interface Proof {
  readonly address: Address;
  /** A null topic matches anything; "owner" stands for the account that made the call. */
  readonly topics: readonly (Hex | 'owner' | null)[];
  /** The data that is not indexed, in 32-byte words. A null word matches anything; absent: any data matches. */
  readonly data?: readonly (Hex | null)[];
  /** Whether other calls of the same account could emit it too; then it proves nothing by itself. */
  readonly isCommon?: true;
}

/** Arguments of an event by name; an omitted one matches anything. */
type Args<abi extends Abi, name extends ContractEventName<abi>> = GetEventArgs<
  abi,
  name,
  { EnableUnion: false; IndexedOnly: false; Required: false }
>;

/** @param args a non-indexed argument may be omitted if it takes one word. */
export function proofBy<const abi extends Abi, name extends ContractEventName<abi>>(
  address: Address,
  abi: abi,
  eventName: name,
  args: Args<abi, name>,
): Proof {
  const { inputs } = getAbiItem({ abi, name: eventName } as never) as AbiEvent;
  const topics = encodeEventTopics({ abi, eventName, args } as never) as readonly (Hex | null)[];
  const given = args as Readonly<Record<string, unknown>>;
  const data = inputs
    .filter(({ indexed }) => indexed !== true)
    .flatMap((input) => {
      const value = given[input.name ?? ''];
      return value === undefined ? [null] : wordsIn(encodeAbiParameters([input], [value]));
    });
  return { address, topics: topics.map((topic) => (isHex(topic) ? topic : null)), data };
}

const wordsIn = (data: Hex): Hex[] =>
  Array.from({ length: Math.ceil(size(data) / 32) }, (_, at) => slice(data, 32 * at, 32 * (at + 1)));

/** Whether one transaction, which may contain other calls too, shows that the owner's call happened. */
export const isShownAlone = (proof: Proof | undefined, owner: Address, receipt: TransactionReceipt): boolean =>
  proof !== undefined && proof.isCommon !== true && isShown(proof, owner, [receipt]);

/** Whether a successful transaction emitted it. The transaction may also contain other accounts' calls (ERC-4337). */
export function isShown(
  { address, topics, data }: Proof,
  owner: Address,
  receipts: readonly TransactionReceipt[],
): boolean {
  const isOf = (sought: readonly (string | null)[], found: readonly Hex[]) =>
    sought.every((each, at) => each === null || sameAddress(each, found[at]));
  const indexed = topics.map((topic) => (topic === 'owner' ? pad(owner) : topic));
  return receipts.some(
    ({ status, logs }) =>
      status === 'success' &&
      logs.some(
        (log) =>
          sameAddress(log.address, address) &&
          isOf(indexed, log.topics) &&
          (data === undefined || (size(log.data) === 32 * data.length && isOf(data, wordsIn(log.data)))),
      ),
  );
}
