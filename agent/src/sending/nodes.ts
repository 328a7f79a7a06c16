import type { Log } from '@bowline/core/domain/ports';
import type { Address, Hex } from '@bowline/core/domain/units';
import { type ChainClient, nodeAnswer } from '../chain/chain-client.ts';

/** `refused`: no node has the transaction. Without an answer one may have it anyway; its nonce decides. Never rejects. */
export type Broadcast = (serializedTransaction: Hex, hash: Hex) => Promise<'sent' | 'refused'>;

/** Sends raw transactions to all of these nodes at once, and waits for the first that takes them. */
export function createBroadcast(clients: readonly ChainClient[], log: Log): Broadcast {
  async function toOne(client: ChainClient, serializedTransaction: Hex, hash: Hex): Promise<'sent' | 'refused'> {
    try {
      await client.sendRawTransaction({ serializedTransaction });
      return 'sent';
    } catch (error) {
      const answer = nodeAnswer(error);
      // What another node has passed on, or is broadcast again.
      if (/already known|already imported/i.test(answer?.details ?? '')) return 'sent';
      const isKnown = answer === undefined ? undefined : await knows(client, hash);
      // "nonce too low", of what was mined while it was broadcast again.
      if (isKnown) return 'sent';
      const isRefused = isKnown === false;
      log.warn('sender.broadcast_failed', { hash, isRefused, error });
      if (isRefused) return 'refused';
      throw error;
    }
  }

  return (serializedTransaction, hash) =>
    new Promise((resolve) => {
      let isPerhapsThere = false;
      const ends = clients.map((client) =>
        toOne(client, serializedTransaction, hash).then(
          (state) => {
            if (state === 'sent') resolve('sent');
          },
          () => {
            isPerhapsThere = true;
          },
        ),
      );
      void Promise.all(ends).then(() => resolve(isPerhapsThere ? 'sent' : 'refused'));
    });
}

/** Whether the node has the transaction, mined or pending; undefined if it does not say. */
async function knows(client: ChainClient, hash: Hex): Promise<boolean | undefined> {
  try {
    return (await client.request({ method: 'eth_getTransactionByHash', params: [hash] })) !== null;
  } catch {
    return undefined;
  }
}

/**
 * Keeps runs out of the public mempool, where others would trade ahead of them. Everything else goes everywhere: a
 * rescue must be mined, whoever sees it, and a cancellation gives nothing away.
 * @param executor a run names it in its bytes, whichever key or wallet carries it.
 */
export function withPrivateRuns(everywhere: Broadcast, privately: Broadcast, executor: Address): Broadcast {
  const mark = executor.slice(2).toLowerCase();
  return (serializedTransaction, hash) =>
    (serializedTransaction.toLowerCase().includes(mark) ? privately : everywhere)(serializedTransaction, hash);
}
