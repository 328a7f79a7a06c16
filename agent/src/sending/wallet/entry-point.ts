import type { Call, ChainEvent } from '@bowline/core/domain/ports';
import type { Address, Hex } from '@bowline/core/domain/units';
import {
  decodeEventLog,
  encodeFunctionData,
  type GetTransactionReceiptReturnType,
  isAddressEqual,
  parseAbi,
} from 'viem';
import { entryPoint08Abi, getUserOperationHash, toPackedUserOperation } from 'viem/account-abstraction';
import type { ChainClient } from '../../chain/chain-client.ts';
import { receiptOf } from '../../chain/chain-client.ts';
import { nodeAnswer } from '../../chain/contract-error.ts';
import { carrierGas, type Operation } from './operation.ts';

/** Operations of one account that are numbered apart from the others. */
export type NonceKey = 0n | 1n;

/** What became of an operation, by the EntryPoint's own word in a block. */
export interface Inclusion {
  /** Of the operation that has used the nonce: ours, or another with the same number. */
  readonly operationHash: Hex;
  readonly isSuccess: boolean;
  readonly paidWei: bigint;
  /** The transaction that carried it. */
  readonly hash: Hex;
  readonly block: bigint;
  readonly gasUsed: bigint;
  /** Of that transaction: of its other operations, too. */
  readonly events: readonly ChainEvent[];
}

export interface EntryPoint {
  readonly address: Address;
  /** What comes next with this key, as of a block. Throws viem's errors. */
  nonce(account: Address, key: NonceKey, blockNumber?: bigint): Promise<bigint>;
  /** What the account can pay with, in wei: what it has, and what lies at the EntryPoint for it. */
  funds(account: Address): Promise<bigint>;
  hashOf(operation: Operation, chainId: number): Hex;
  /** The call that hands over an operation for inclusion; whoever makes it is paid its gas by the account. */
  handOver(operation: Operation, beneficiary: Address, label: string): Call;
  /** What this transaction says of the nonce of the operation; undefined: nothing, or there is no receipt of it. */
  inclusionBy(operation: Operation, hash: Hex): Promise<Inclusion | undefined>;
  /**
   * What has used up the nonce of the operation, looked for in those blocks as far back as the node remembers their state;
   * undefined: none of their transactions. Throws viem's errors when the node does not have the newest of them yet.
   */
  inclusion(operation: Operation, after: bigint, upTo: bigint): Promise<Inclusion | undefined>;
}

/** A nonce is its key, and 64 bits of a number. */
const keyOf = (nonce: bigint): NonceKey => (nonce >> 64n === 0n ? 0n : 1n);

const depositAbi = parseAbi(['function balanceOf(address) view returns (uint256)']);
const abi = entryPoint08Abi;

export function connectEntryPoint(client: ChainClient, address: Address): EntryPoint {
  /** What the receipt says of the operation with this number. */
  function told(receipt: GetTransactionReceiptReturnType, { sender, nonce }: Operation): Inclusion | undefined {
    for (const { address: by, topics, data } of receipt.logs) {
      if (!isAddressEqual(by, address)) continue;
      const { eventName, args } = decodeEventLog({ abi, topics, data });
      if (eventName !== 'UserOperationEvent' || !isAddressEqual(args.sender, sender) || args.nonce !== nonce) continue;
      return {
        operationHash: args.userOpHash,
        isSuccess: args.success,
        paidWei: args.actualGasCost,
        hash: receipt.transactionHash,
        block: receipt.blockNumber,
        gasUsed: args.actualGasUsed,
        events: receipt.logs,
      };
    }
    return undefined;
  }

  const nonce = (account: Address, key: NonceKey, blockNumber?: bigint) =>
    client.readContract({
      address,
      abi,
      functionName: 'getNonce',
      args: [account, key],
      ...(blockNumber === undefined ? {} : { blockNumber }),
    });

  /**
   * The block in which the nonce was used: it was free in `after`, and is not in `upTo`. Undefined when the node has forgotten
   * the state before that block.
   */
  async function usedIn(
    { sender, nonce: number }: Operation,
    after: bigint,
    upTo: bigint,
  ): Promise<bigint | undefined> {
    const isUsedAt = async (block: bigint): Promise<boolean | 'forgotten'> => {
      try {
        return (await nonce(sender, keyOf(number), block)) > number;
      } catch (error) {
        if (nodeAnswer(error) === undefined) throw error;
        return 'forgotten';
      }
    };
    let [free, used] = [after, upTo];
    let isForgotten = false;
    while (used - free > 1n) {
      const middle = (free + used) / 2n;
      const isUsed = await isUsedAt(middle);
      if (isUsed === true) used = middle;
      else {
        free = middle;
        isForgotten = isUsed === 'forgotten';
      }
    }
    return isForgotten ? undefined : used;
  }

  return {
    address,
    nonce,
    funds: async (account) => {
      const [held, deposited] = await Promise.all([
        client.getBalance({ address: account }),
        client.readContract({ address, abi: depositAbi, functionName: 'balanceOf', args: [account] }),
      ]);
      return held + deposited;
    },
    hashOf: (userOperation, chainId) =>
      getUserOperationHash({ chainId, entryPointAddress: address, entryPointVersion: '0.8', userOperation }),
    handOver: (operation, beneficiary, label) => ({
      to: address,
      data: encodeFunctionData({
        abi,
        functionName: 'handleOps',
        args: [[toPackedUserOperation(operation)], beneficiary],
      }),
      value: 0n,
      gas: carrierGas(operation),
      label,
    }),
    async inclusionBy(operation, hash) {
      const receipt = await receiptOf(client, [hash]);
      return receipt && told(receipt, operation);
    },
    // By receipts, since public nodes refuse to search logs. Whoever carries an operation mostly calls the EntryPoint itself,
    // but need not.
    async inclusion(operation, after, upTo) {
      const blockNumber = await usedIn(operation, after, upTo);
      if (blockNumber === undefined) return undefined;
      const { transactions } = await client.getBlock({ blockNumber, includeTransactions: true });
      const isDirect = ({ to }: { to: Address | null }) => to !== null && isAddressEqual(to, address);
      const likelyFirst = [...transactions.filter(isDirect), ...transactions.filter((each) => !isDirect(each))];
      for (const { hash } of likelyFirst) {
        const inclusion = told(await client.getTransactionReceipt({ hash }), operation);
        if (inclusion !== undefined) return inclusion;
      }
      return undefined;
    },
  };
}
