import type { Json, PaymentRefusal, paymentRefusals } from '@bowline/core/domain/payment';
import { type Failure, failure } from '@bowline/core/domain/result';
import type { Limit, Place } from '@bowline/http/rate-limit';

/** What is known of a payment that came before. */
export type Known = Outcome | { readonly state: 'working'; readonly receipt?: Json };

/** What became of it. Each protocol says it in its own form; `code` and `detail` are the same everywhere. */
export type Outcome =
  | { readonly state: 'answered'; readonly answer: Json; readonly receipt: Json }
  /** Paid, and the work failed: `credit` is what is owed, absent if it could not be signed. */
  | {
      readonly state: 'failed';
      readonly failure: Failure;
      readonly receipt: Json;
      readonly credit?: Json;
      /** Before it is tried again; 0: at once. Absent: the failure is permanent. */
      readonly waitSeconds?: number;
    }
  /** Nothing was taken by this request; `required` says what to pay. */
  | ({ readonly state: 'refused'; readonly required: Json } & Saying<(typeof paymentRefusals)[PaymentRefusal][0]>)
  | ({ readonly state: 'conflict' } & Saying<'payment_used_for_another_prompt' | 'idempotency_key_reused'>)
  | ({ readonly state: 'later'; readonly waitSeconds: number } & Saying<
      'payment_unavailable' | 'settlement_unknown' | 'rate_limited'
    >)
  | { readonly state: 'over_limit'; readonly limit: Limit; readonly place: Place; readonly receipt?: Json };

interface Saying<Code extends string> {
  readonly code: Code;
  readonly detail: string;
  readonly reason?: string;
}

/** @param transaction that the facilitator named. */
export function unknown(transaction: string | undefined): Outcome {
  const named = transaction === undefined ? '' : ` (transaction ${transaction})`;
  const detail = `The status of the payment is not known yet${named}. Send the same request again: you are charged at most once.`;
  return { state: 'later', code: 'settlement_unknown', detail, waitSeconds: 5 };
}

/** Of work that failed before a restart the credit alone is kept. */
export const notAnswered = failure('internal', 'Paid, and not answered yet. Send the same payment again.', true);

/** A paid failure that another try would only repeat. */
export const permanent = ({ code, message }: Failure): Failure =>
  failure(
    code,
    `${message} The failure is permanent: you have paid, and the same payment will not bring the answer. Show the credit to the operator.`,
  );

const conflicts = {
  payment_used_for_another_prompt: 'This payment was sent with a different question and pays only for that one.',
  idempotency_key_reused: 'This Idempotency-Key came with a different question. Send a new key.',
} as const;

export const conflict = (code: keyof typeof conflicts): Outcome => ({
  state: 'conflict',
  code,
  detail: conflicts[code],
});
