import type { ChainClient } from '@bowline/chain/chain-client';
import { receiptOf } from '@bowline/chain/chain-client';
import { sameAddress } from '@bowline/core/domain/same-address';
import type { Call, ChainEvent } from '@bowline/core/domain/sending';
import type { Address, Hex } from '@bowline/core/domain/units';
import { decodeEventLog, encodeFunctionData, type GetTransactionReceiptReturnType, parseAbi } from 'viem';
import { entryPoint09Abi, getUserOperationHash, toPackedUserOperation } from 'viem/account-abstraction';
import { carrierGas, type Operation } from './account.ts';

/** Outcome of an operation according to the EntryPoint's event. */
export interface Inclusion {
  /** Hash of the operation that used the nonce: ours, or another with the same number. */
  readonly operationHash: Hex;
  readonly isSuccess: boolean;
  /** What the account's call reverted with; absent if it succeeded or gave no reason. */
  readonly revertReason?: Hex;
  readonly paidWei: bigint;
  /** The transaction that carried it. */
  readonly hash: Hex;
  readonly block: bigint;
  readonly gasUsed: bigint;
  /** All events of that transaction, including those of other operations. */
  readonly events: readonly ChainEvent[];
}

export type EntryPoint = ReturnType<typeof connectEntryPoint>;

const depositAbi = parseAbi(['function balanceOf(address) view returns (uint256)']);
const abi = entryPoint09Abi;
/** Receipts that are read at the same time. */
const atOnce = 8;

export function connectEntryPoint(client: ChainClient, address: Address) {
  const shown = shownAt(address);
  return {
    address,
    /** Next nonce in the newest block. Each key numbers the account's operations independently. Throws viem's errors. */
    nonce: (account: Address, key: bigint): Promise<bigint> =>
      client.readContract({ address, abi, functionName: 'getNonce', args: [account, key] }),
    /** Wei the account can pay with: its balance and its deposit at the EntryPoint. */
    funds: async (account: Address): Promise<bigint> => {
      const [held, deposited] = await Promise.all([
        client.getBalance({ address: account }),
        client.readContract({ address, abi: depositAbi, functionName: 'balanceOf', args: [account] }),
      ]);
      return held + deposited;
    },
    hashOf: (userOperation: Operation, chainId: number): Hex =>
      getUserOperationHash({ chainId, entryPointAddress: address, entryPointVersion: '0.9', userOperation }),
    /** The call that submits an operation. The account refunds the caller's gas. */
    handOver: (
      operation: Operation,
      beneficiary: Address,
      { label, mayActLate }: Pick<Call, 'label' | 'mayActLate'>,
    ): Call => ({
      to: address,
      data: encodeFunctionData({
        abi,
        functionName: 'handleOps',
        args: [[toPackedUserOperation(operation)], beneficiary],
      }),
      value: 0n,
      gas: carrierGas(operation),
      label,
      ...(mayActLate && { mayActLate }),
    }),
    /** What this transaction shows about the operation's nonce; undefined if it shows nothing or has no receipt. */
    async inclusionBy(operation: Operation, hash: Hex) {
      const receipt = await receiptOf(client, [hash]);
      return receipt && shown(receipt, operation);
    },
    /**
     * Searches the transactions of these blocks for what used the operation's nonce, since public nodes refuse
     * eth_getLogs: first all that call the EntryPoint, as carriers usually do, then the others. Throws viem's errors.
     */
    async inclusionIn(operation: Operation, blocks: readonly bigint[]): Promise<Inclusion | undefined> {
      const others: Hex[] = [];
      for (const blockNumber of blocks) {
        const { transactions } = await client.getBlock({ blockNumber, includeTransactions: true });
        for (const { hash, to } of transactions) {
          if (to === null || !sameAddress(to, address)) {
            others.push(hash);
            continue;
          }
          const inclusion = shown(await client.getTransactionReceipt({ hash }), operation);
          if (inclusion !== undefined) return inclusion;
        }
      }
      for (let from = 0; from < others.length; from += atOnce) {
        const some = others.slice(from, from + atOnce).map((hash) => client.getTransactionReceipt({ hash }));
        for (const receipt of await Promise.all(some)) {
          const inclusion = shown(receipt, operation);
          if (inclusion !== undefined) return inclusion;
        }
      }
      return undefined;
    },
  };
}

/** What a receipt shows about the operation with this number, by the EntryPoint at this address. */
const shownAt =
  (address: Address) =>
  (receipt: GetTransactionReceiptReturnType, { sender, nonce }: Operation): Inclusion | undefined => {
    let revertReason: Hex | undefined;
    for (const { address: by, topics, data } of receipt.logs) {
      if (!sameAddress(by, address)) continue;
      const { eventName, args } = decodeEventLog({ abi, topics, data });
      if (eventName !== 'UserOperationEvent' && eventName !== 'UserOperationRevertReason') continue;
      if (!sameAddress(args.sender, sender) || args.nonce !== nonce) continue;
      if (eventName === 'UserOperationRevertReason') {
        revertReason = args.revertReason;
        continue;
      }
      return {
        operationHash: args.userOpHash,
        isSuccess: args.success,
        ...(revertReason && { revertReason }),
        paidWei: args.actualGasCost,
        hash: receipt.transactionHash,
        block: receipt.blockNumber,
        gasUsed: args.actualGasUsed,
        events: receipt.logs,
      };
    }
    return undefined;
  };
