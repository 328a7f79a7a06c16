import { type TransactionReceipt, TransactionReceiptNotFoundError } from 'viem';
import type { Hex } from '../domain/units.ts';
import type { ChainClient } from './chain-client.ts';

/** The receipt of whichever of them is in a block. Throws viem's errors when the node does not answer. */
export async function receiptOf(client: ChainClient, hashes: readonly Hex[]): Promise<TransactionReceipt | undefined> {
  for (const hash of hashes) {
    try {
      return await client.getTransactionReceipt({ hash });
    } catch (error) {
      if (!(error instanceof TransactionReceiptNotFoundError)) throw error;
    }
  }
  return undefined;
}

export const paidWei = ({ gasUsed, effectiveGasPrice }: TransactionReceipt): bigint => gasUsed * effectiveGasPrice;
