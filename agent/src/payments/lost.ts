import type { Payment, Progress } from '@bowline/core/domain/payment';
import type { ChainClient } from '../chain/chain-client.ts';
import { receiptOf } from '../chain/chain-client.ts';
import { MAX_SECONDS } from './payment-check.ts';
import type { PaymentProof } from './standing.ts';

// Payments that this agent has taken and does not know: after a restore those between backup and loss. A payment that was used
// before the agent saw it buys nothing, since its calldata is public. Of that time, and of no other, the chain's word is taken instead.

/** Unix seconds: what was paid in between is in no file. */
export interface LostTime {
  readonly from: bigint;
  readonly until: bigint;
}

/** Whether a payment may have been taken in that time. */
export const mayBeLost = ({ authorization: { validBefore } }: Payment, { from, until }: LostTime): boolean =>
  validBefore > from && validBefore - MAX_SECONDS <= until;

/**
 * What is known of a payment that paid us in the lost time; undefined if none did.
 * @throws viem's errors and `chain_unavailable`.
 */
export async function recall(
  client: ChainClient,
  proof: Pick<PaymentProof, 'standing'>,
  payment: Payment,
  lost: LostTime,
): Promise<Progress | undefined> {
  if (!mayBeLost(payment, lost)) return undefined;
  const earliest = payment.authorization.validBefore - MAX_SECONDS;
  const since = await lastBlockBefore(client, earliest > lost.from ? earliest : lost.from);
  const standing = await proof.standing(payment, since, []);
  if (standing.state !== 'paid') return undefined;
  const receipt = await receiptOf(client, [standing.transaction]);
  if (receipt === undefined) return undefined;
  const { timestamp } = await client.getBlock({ blockNumber: receipt.blockNumber });
  const isLost = timestamp >= lost.from && timestamp <= lost.until;
  return isLost ? { since, transactions: [standing.transaction] } : undefined;
}

/** Number of the last block before a time; 0 if there is none. */
async function lastBlockBefore(client: ChainClient, time: bigint): Promise<bigint> {
  const timeOf = async (blockNumber: bigint) => (await client.getBlock({ blockNumber })).timestamp;
  const { number, timestamp } = await client.getBlock({ blockTag: 'latest' });
  if (timestamp < time) return number;
  let [before, after] = [0n, number];
  while (after - before > 1n) {
    const middle = (before + after) / 2n;
    if ((await timeOf(middle)) < time) before = middle;
    else after = middle;
  }
  return before;
}
