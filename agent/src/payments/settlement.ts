import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '@bowline/core/domain/log';
import type { Payment, Progress, Settlement, Taken } from '@bowline/core/domain/payment';
import type { Hex } from '@bowline/core/domain/units';
import { getAddress } from 'viem';
import { isFinalAt, type PaymentProof, type Standing } from './standing.ts';

/** Claims of a facilitator's answer: that it failed, and that it failed without a transaction. */
export interface Claimed {
  readonly transaction?: Hex;
  readonly failed: boolean;
  readonly refused: boolean;
}

/** Maximum transactions kept of those a facilitator named for one payment, newest last. */
const MAX_TRANSACTIONS = 3;

export const settlementTimes = { lookMs: 5_000, pollMs: 500, resubmitMs: 5_000 } as const;

export interface SettlementParts {
  /** Asks the facilitator to settle a payment. What it throws leaves the outcome unknown. */
  readonly submit: (payment: Payment) => Promise<Claimed>;
  readonly proof: Pick<PaymentProof, 'standing'>;
  /** Unix seconds. */
  readonly clock: () => bigint;
  /** How long to wait for the receipt of a transaction the facilitator named, and the polling interval. */
  readonly lookMs: number;
  readonly pollMs: number;
  /** Minimum time between two requests to settle the same payment, after the second. */
  readonly resubmitMs: number;
  readonly log: Log;
}

/**
 * One payment on its way: given to the facilitator, and looked for on chain. The facilitator's answer proves nothing: a payment counts
 * as paid when the chain shows the transfer.
 */
export function createSettlements({ submit, proof, clock, lookMs, pollMs, resubmitMs, log }: SettlementParts) {
  /** The outcome, if the chain shows one. */
  function ended(standing: Standing | undefined, payment: Payment): Taken | undefined {
    const { key, authorization } = payment;
    switch (standing?.state) {
      case 'paid': {
        const { transaction } = standing;
        const payer = getAddress(authorization.from);
        const [network] = key.split('/');
        return { state: 'paid', transaction, receipt: { success: true, transaction, network, payer } };
      }
      case 'cancelled':
      case 'used_elsewhere':
        return { state: 'refused', reason: standing.state, ...mayChange(standing, payment) };
      case 'unused':
        return standing.over ? { state: 'refused', reason: 'lapsed', ...mayChange(standing, payment) } : undefined;
      default:
        return undefined;
    }
  }

  /** By our own clock, too: a node could name a block of the future. */
  function mayChange({ isFinal }: { readonly isFinal: boolean }, payment: Payment) {
    if (!isFinalAt(clock(), payment)) return { mayChange: true as const };
    return isFinal ? {} : { mayChange: true as const, isOver: true as const };
  }

  /** @param wasAsked an earlier process may have given it to the facilitator, which may be settling it still. */
  return (payment: Payment, known: Progress, wasAsked = true): Settlement => {
    // Of before the facilitator had it. Later ones are one node's word, and it may have answered from an older state.
    const { since: first } = known;
    let since = first;
    let transactions: readonly Hex[] = known.transactions;
    let askedAt: number | undefined;
    let tries = 0;
    /** The facilitator's last answer: that it failed, and failed without a transaction. */
    let failed = false;
    let refused = false;
    /** A request to settle ended without a word on what it did: nothing that is said later speaks for it. */
    let isUnanswered = wasAsked;

    async function readStanding(): Promise<Standing | undefined> {
      try {
        const from = isFinalAt(clock(), payment) ? first : since;
        const standing = await proof.standing(payment, from, transactions);
        if (standing.state === 'unused' && standing.block > since) since = standing.block;
        return standing;
      } catch (error) {
        log.error('payment.chain_unavailable', { error });
        return undefined;
      }
    }

    /** Nothing is pending: it was never sent, or every sent transaction has a receipt and did not use it. */
    const isDeclined = (standing: Standing | undefined): boolean =>
      standing?.state === 'unused' &&
      !isUnanswered &&
      !standing.waiting &&
      (refused || (failed && transactions.length > 0));

    /** The outcome while the chain shows none. */
    function open(standing: Standing | undefined): Taken {
      if (isDeclined(standing)) return { state: 'refused', reason: 'facilitator_refuses' };
      const transaction = transactions.at(-1);
      const isOver = standing?.state === 'unclear' && standing.isFinal;
      return { state: 'unknown', ...(transaction && { transaction }), ...(isOver && { isOver }) };
    }

    return {
      progress: () => ({ since: first, transactions }),

      async look() {
        const standing = await readStanding();
        return ended(standing, payment) ?? open(standing);
      },

      async settle(onNamed) {
        if (askedAt !== undefined) {
          const standing = await readStanding();
          const before = ended(standing, payment);
          if (before !== undefined) return before;
          // Anybody can repeat a payment at will: after one immediate retry the facilitator is asked at intervals.
          if (tries > 1 && performance.now() - askedAt < resubmitMs) return open(standing);
        }
        askedAt = performance.now();
        tries += 1;
        [failed, refused] = [false, false];
        try {
          const claimed = await submit(payment);
          ({ failed, refused } = claimed);
          isUnanswered ||= !refused && claimed.transaction === undefined;
          if (claimed.transaction !== undefined) {
            transactions = [...new Set([...transactions, claimed.transaction])].slice(-MAX_TRANSACTIONS);
            await onNamed?.();
          }
        } catch (error) {
          isUnanswered = true;
          log.error('payment.unknown', { error: String(error) });
        }
        // Our node may see the transaction later than the facilitator does.
        const until = performance.now() + lookMs;
        for (;;) {
          const standing = await readStanding();
          const after = ended(standing, payment);
          if (after !== undefined) return after;
          const mayCome = standing !== undefined && 'waiting' in standing && standing.waiting && !isDeclined(standing);
          if (!mayCome || performance.now() >= until) return open(standing);
          await sleep(pollMs);
        }
      },
    };
  };
}
