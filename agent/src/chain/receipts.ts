import type { Hex } from '@bowline/core/domain/units';
import { BaseError, type TransactionReceipt, TransactionReceiptNotFoundError } from 'viem';
import type { ChainClient } from './chain-client.ts';

/**
 * The receipt of whichever of them is in a block. Throws viem's errors when the node does not answer, or answers with what is
 * no receipt of that transaction: nothing may be concluded from that.
 */
export async function receiptOf(client: ChainClient, hashes: readonly Hex[]): Promise<TransactionReceipt | undefined> {
  for (const hash of hashes) {
    try {
      const receipt = await client.getTransactionReceipt({ hash });
      if (isWhole(receipt, hash)) return receipt;
      throw new BaseError('The node answered with what is no receipt of the transaction.');
    } catch (error) {
      if (!(error instanceof TransactionReceiptNotFoundError)) throw error;
    }
  }
  return undefined;
}

/** Nodes leave out what they do not have, and viem takes it as it comes. */
function isWhole(receipt: TransactionReceipt, hash: Hex): boolean {
  const { transactionHash, status, blockNumber, gasUsed, effectiveGasPrice, logs } = receipt;
  return (
    transactionHash === hash &&
    (status === 'success' || status === 'reverted') &&
    [blockNumber, gasUsed, effectiveGasPrice].every((each) => typeof each === 'bigint') &&
    Array.isArray(logs)
  );
}

export const paidWei = ({ gasUsed, effectiveGasPrice }: TransactionReceipt): bigint => gasUsed * effectiveGasPrice;
