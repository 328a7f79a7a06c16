import type { ChainClient } from '@bowline/chain/chain-client';
import { receiptOf } from '@bowline/chain/chain-client';
import { lastBlockBefore } from '@bowline/chain/last-block';
import type { Payment, Progress } from '@bowline/core/domain/payment';
import { BowlineError } from '@bowline/core/domain/result';
import { largest } from '@bowline/core/domain/units';
import type { Prefix } from '@bowline/http/caller';
import { MAX_SECONDS } from './payment-check.ts';
import type { PaymentProof } from './standing.ts';
import { createTurns } from './turns.ts';

// Payments that this agent has taken and does not know: after a restore those between backup and loss. A payment that was used
// before the agent saw it buys nothing, since its calldata is public. Of that time, and of no other, the chain's word is taken instead.

/** Unix seconds: what was paid in between is in no file. */
export interface LostTime {
  readonly from: bigint;
  readonly until: bigint;
}

/** Answers are kept for a week, and what was answered anew must not be recalled again after that. */
const RECALL_SECONDS = 7n * 86_400n;

/** Whether a payment may have been taken in that time, and may still be recalled. @param now unix seconds */
export const mayBeLost = (
  { authorization: { validBefore } }: Payment,
  { from, until }: LostTime,
  now: bigint,
): boolean => now <= until + RECALL_SECONDS && validBefore > from && validBefore - MAX_SECONDS <= until;

/** Concurrent recalls, and those that wait. Each is some forty requests, and anybody can send what was paid or cancelled once. */
const RECALLS_AT_ONCE = 2;
const MAX_WAITING = 16;

/** Payments of before a restore, which no file has. */
export interface Lost {
  mayBe(payment: Payment): boolean;
  /**
   * As `recall` below, in its turn, in a queue of its own: new payments never wait for it. Undefined: there is no place for it now.
   */
  recall(payment: Payment): Promise<Progress | undefined> | undefined;
}

export interface LostParts {
  readonly client: ChainClient;
  readonly proof: Pick<PaymentProof, 'standing'>;
  readonly time: LostTime;
  readonly callerNow: () => readonly Prefix[];
  /** Unix seconds. */
  readonly clock: () => bigint;
}

export function createLost({ client, proof, time, callerNow, clock }: LostParts): Lost {
  const inTurn = createTurns(RECALLS_AT_ONCE, MAX_WAITING, callerNow);
  const mayBe = (payment: Payment) => mayBeLost(payment, time, clock());
  return {
    mayBe,
    recall: (payment) =>
      mayBe(payment) ? inTurn(() => recall(client, proof, payment, time, clock())) : Promise.resolve(undefined),
  };
}

/**
 * What is known of a payment that paid us in the lost time; undefined if the chain shows that it did not.
 * @throws viem's errors and `chain_unavailable`, also while the chain does not show what the payment did.
 */
export async function recall(
  client: ChainClient,
  proof: Pick<PaymentProof, 'standing'>,
  payment: Payment,
  lost: LostTime,
  now: bigint,
): Promise<Progress | undefined> {
  if (!mayBeLost(payment, lost, now)) return undefined;
  const earliest = payment.authorization.validBefore - MAX_SECONDS;
  const since = await lastBlockBefore(client, largest([earliest, lost.from]));
  const standing = await proof.standing(payment, since, []);
  if (standing.state === 'cancelled' || standing.state === 'used_elsewhere') return undefined;
  if (standing.state !== 'paid') throw notShown();
  const receipt = await receiptOf(client, [standing.transaction]);
  if (receipt === undefined) throw notShown();
  const { timestamp } = await client.getBlock({ blockNumber: receipt.blockNumber });
  const isLost = timestamp >= lost.from && timestamp <= lost.until;
  return isLost ? { since, transactions: [standing.transaction] } : undefined;
}

const notShown = () =>
  new BowlineError('chain_unavailable', 'The node does not show what the payment did.', { retryable: true });
