import {
  type Json,
  type PaymentDelay,
  type PaymentRefusal,
  paymentDelays,
  type paymentRefusals,
} from '@bowline/core/domain/payment';
import type { Failure } from '@bowline/core/domain/result';
import type { Limit, Place } from '@bowline/http/rate-limit';

/** Nothing was decided: the same payment may be sent again. */
export interface Later {
  readonly code: 'payment_unavailable' | 'settlement_unknown' | 'rate_limited';
  readonly detail: string;
  readonly reason?: PaymentDelay;
  readonly waitSeconds: number;
  /** The limit that was reached, for its headers. */
  readonly over?: { readonly limit: Limit; readonly place: Place };
}

/** The result of a request with a payment. Each protocol has its own format; `code` and `detail` are the same everywhere. */
export type Outcome =
  /** `receipt`: x402's settlement response. */
  | { readonly state: 'answered'; readonly answer: Json; readonly receipt: Json }
  /** The work failed, and nothing was charged. */
  | { readonly state: 'failed'; readonly failure: Failure }
  /** Nothing was taken; `required` says what to pay. */
  | {
      readonly state: 'refused';
      readonly code: (typeof paymentRefusals)[PaymentRefusal][0];
      readonly detail: string;
      readonly reason: PaymentRefusal;
      readonly required: Json;
    }
  | { readonly state: 'conflict'; readonly code: ConflictCode; readonly detail: string }
  | ({ readonly state: 'later' } & Later);

export const delayed = (reason: PaymentDelay, waitSeconds = 5): Later => ({
  code: 'payment_unavailable',
  detail: paymentDelays[reason],
  reason,
  waitSeconds,
});

export const overLimit = (limit: Limit, place: Place): Later => ({
  code: 'rate_limited',
  detail: `The limit is ${limit.requests} answers per ${limit.seconds} seconds.`,
  waitSeconds: place.waitSeconds,
  over: { limit, place },
});

/** @param transaction that the facilitator named. */
export function unknown(transaction: string | undefined): Later {
  const named = transaction === undefined ? '' : ` (transaction ${transaction})`;
  const detail = `The status of the payment is not known yet${named}. Send the same payment again, and do not sign another: you are charged at most once.`;
  return { code: 'settlement_unknown', detail, waitSeconds: 5 };
}

type ConflictCode = keyof typeof conflicts;

const conflicts = {
  payment_used_for_another_prompt: 'This payment was sent with a different question and pays only for that one.',
  idempotency_key_reused: 'This Idempotency-Key came with a different question. Send a new key.',
} as const;

export const conflict = (code: ConflictCode): Outcome => ({ state: 'conflict', code, detail: conflicts[code] });
