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
import { nodeAnswer, receiptOf } from '../../chain/chain-client.ts';
import { carrierGas, type Operation } from './operation.ts';

/** Nonce keys: each numbers the account's operations independently. */
export type NonceKey = 0n | 1n;

/** Outcome of an operation according to the EntryPoint's event. */
export interface Inclusion {
  /** Hash of the operation that used the nonce: ours, or another with the same number. */
  readonly operationHash: Hex;
  readonly isSuccess: boolean;
  readonly paidWei: bigint;
  /** The transaction that carried it. */
  readonly hash: Hex;
  readonly block: bigint;
  readonly gasUsed: bigint;
  /** All events of that transaction, including those of other operations. */
  readonly events: readonly ChainEvent[];
}

export interface EntryPoint {
  readonly address: Address;
  /** Next nonce for this key as of a block. Throws viem's errors. */
  nonce(account: Address, key: NonceKey, blockNumber?: bigint): Promise<bigint>;
  /** Wei the account can pay with: its balance and its deposit at the EntryPoint. */
  funds(account: Address): Promise<bigint>;
  hashOf(operation: Operation, chainId: number): Hex;
  /** The call that submits an operation. The account refunds the caller's gas. */
  handOver(operation: Operation, beneficiary: Address, label: string): Call;
  /** What this transaction shows about the operation's nonce; undefined if it shows nothing or has no receipt. */
  inclusionBy(operation: Operation, hash: Hex): Promise<Inclusion | undefined>;
  /**
   * Searches these blocks for what used the operation's nonce, as far back as the node keeps state; undefined if none
   * of their transactions did. Throws viem's errors if the node does not have the newest of them yet.
   */
  inclusion(operation: Operation, after: bigint, upTo: bigint): Promise<Inclusion | undefined>;
}

/** A nonce is its key followed by a 64-bit number. */
const keyOf = (nonce: bigint): NonceKey => (nonce >> 64n === 0n ? 0n : 1n);

const depositAbi = parseAbi(['function balanceOf(address) view returns (uint256)']);
const abi = entryPoint08Abi;

export function connectEntryPoint(client: ChainClient, address: Address): EntryPoint {
  /** What the receipt shows about the operation with this number. */
  function inclusionIn(receipt: GetTransactionReceiptReturnType, { sender, nonce }: Operation): Inclusion | undefined {
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
   * The block in which the nonce was used: it was free in `after` and used in `upTo`. Undefined if the node has pruned
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
      return receipt && inclusionIn(receipt, operation);
    },
    // Search receipts, since public nodes refuse eth_getLogs. Carriers usually call the EntryPoint directly, but need
    // not.
    async inclusion(operation, after, upTo) {
      const blockNumber = await usedIn(operation, after, upTo);
      if (blockNumber === undefined) return undefined;
      const { transactions } = await client.getBlock({ blockNumber, includeTransactions: true });
      const isDirect = ({ to }: { to: Address | null }) => to !== null && isAddressEqual(to, address);
      const likelyFirst = [...transactions.filter(isDirect), ...transactions.filter((each) => !isDirect(each))];
      for (const { hash } of likelyFirst) {
        const inclusion = inclusionIn(await client.getTransactionReceipt({ hash }), operation);
        if (inclusion !== undefined) return inclusion;
      }
      return undefined;
    },
  };
}
