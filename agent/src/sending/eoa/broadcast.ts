import type { Log } from '@bowline/core/domain/ports';
import type { Hex } from '@bowline/core/domain/units';
import type { ChainClient } from '../../chain/chain-client.ts';
import { nodeAnswer } from '../../chain/contract-error.ts';

/**
 * `refused`: the node said no and does not have it. Without an answer it may have it all the same; that shows when looking
 * for the receipt.
 */
export async function broadcast(
  client: ChainClient,
  log: Log,
  serializedTransaction: Hex,
  hash: Hex,
): Promise<'sent' | 'refused'> {
  try {
    await client.sendRawTransaction({ serializedTransaction });
    return 'sent';
  } catch (error) {
    log.warn('sender.broadcast_failed', { hash, error });
    return nodeAnswer(error) !== undefined && (await isUnknownToNode(client, hash)) ? 'refused' : 'sent';
  }
}

async function isUnknownToNode(client: ChainClient, hash: Hex): Promise<boolean> {
  try {
    return (await client.request({ method: 'eth_getTransactionByHash', params: [hash] })) === null;
  } catch {
    return false;
  }
}
