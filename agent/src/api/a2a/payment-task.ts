import { type Message, type Part, Role, type Task, TaskState } from '@a2a-js/sdk';
import { canonicalJson } from '@bowline/core/domain/evidence';
import type { Json } from '@bowline/core/domain/payment';
import { BowlineError } from '@bowline/core/domain/result';
import { declined } from '../../payments/declined.ts';
import type { Known } from '../../payments/outcome.ts';
import { PAYMENT_EXTENSION } from './card.ts';
import type { AskedTask } from './tasks.ts';

// How a task tells what became of its payments, in the words of x402's extension of A2A.

export const STATUS = 'x402.payment.status';
const REQUIRED = 'x402.payment.required';
export const PAYLOAD = 'x402.payment.payload';
const RECEIPTS = 'x402.payment.receipts';
const ERROR = 'x402.payment.error';
export const REJECTED = 'payment-rejected';

export function unavailable(error: unknown): Shown {
  if (!(error instanceof BowlineError)) throw error;
  const { code, message, retryable } = error;
  return inputRequired({ error: message, code, retryable }, { [STATUS]: 'payment-failed', [ERROR]: code });
}

/** What a task shows of its payment. */
export interface Shown {
  readonly state: TaskState;
  readonly data: Json;
  readonly metadata: Json;
}

/** With the receipts of all payments of the task, as the extension demands: those that were declined, and those that are proved. */
export function withReceipts(shown: Shown, asked: AskedTask | undefined, known: readonly Known[] = []): Shown {
  const own = (shown.metadata[RECEIPTS] ?? []) as readonly Json[];
  const proved = known.flatMap((each) => ('receipt' in each && each.receipt ? [each.receipt] : [])).reverse();
  const all = [...(asked?.declined ?? []), ...proved];
  // A task that made room is not known any more.
  const missing = own.filter((receipt) => !all.some((each) => canonicalJson(each) === canonicalJson(receipt)));
  const receipts = [...all, ...missing];
  return receipts.length === 0 ? shown : { ...shown, metadata: { ...shown.metadata, [RECEIPTS]: receipts } };
}

/** The payer may send another payment, or the same one again, with the same task. */
const inputRequired = (data: Json, metadata: Json): Shown => ({
  state: TaskState.TASK_STATE_INPUT_REQUIRED,
  data,
  metadata,
});

export const required = (terms: Json, status = 'payment-required'): Shown =>
  inputRequired({ code: 'payment_required', required: terms }, { [STATUS]: status, [REQUIRED]: terms });

/** The extension's own codes, for the reasons that it knows. */
const shortCodes = new Map<string | undefined, string>([
  ['other_amount', 'INVALID_AMOUNT'],
  ['bad_signature', 'INVALID_SIGNATURE'],
  ['expired', 'EXPIRED_PAYMENT'],
  ['already_used', 'DUPLICATE_NONCE'],
  ['used_elsewhere', 'DUPLICATE_NONCE'],
  ['facilitator_refuses', 'SETTLEMENT_FAILED'],
  ['cancelled', 'SETTLEMENT_FAILED'],
  ['lapsed', 'SETTLEMENT_FAILED'],
]);

export function told(outcome: Known, show: (answer: Json) => Json): Shown {
  switch (outcome.state) {
    case 'answered': {
      const metadata = { [STATUS]: 'payment-completed', [RECEIPTS]: [outcome.receipt] };
      return { state: TaskState.TASK_STATE_COMPLETED, data: show(outcome.answer), metadata };
    }
    case 'working': {
      const { receipt } = outcome;
      const metadata = receipt
        ? { [STATUS]: 'payment-completed', [RECEIPTS]: [receipt] }
        : { [STATUS]: 'payment-submitted' };
      return {
        state: TaskState.TASK_STATE_WORKING,
        data: { note: 'The payment is being taken, or its answer made.' },
        metadata,
      };
    }
    case 'failed': {
      const { code, message, retryable } = outcome.failure;
      const metadata = { [STATUS]: 'payment-completed', [RECEIPTS]: [outcome.receipt] };
      const data = { error: message, code, retryable, credit: outcome.credit, retry_after: outcome.waitSeconds };
      return inputRequired(data, metadata);
    }
    case 'refused': {
      const { data, metadata } = required(outcome.required, 'payment-failed');
      const { code, detail, reason } = outcome;
      const said = { error: detail, code, reason, retryable: false };
      const short = shortCodes.get(reason) ?? code;
      const receipts = [declined(outcome)];
      return inputRequired({ ...data, ...said }, { ...metadata, [ERROR]: short, [RECEIPTS]: receipts });
    }
    case 'over_limit': {
      const { limit, place, receipt } = outcome;
      const error = `The limit is ${limit.requests} answers per ${limit.seconds} seconds.`;
      const data = { error, code: 'rate_limited', retryable: true, retry_after: place.waitSeconds };
      // What is proved is owed, whatever waits.
      const metadata = receipt
        ? { [STATUS]: 'payment-completed', [RECEIPTS]: [receipt] }
        : { [STATUS]: 'payment-failed', [ERROR]: 'rate_limited' };
      return inputRequired(data, metadata);
    }
    default: {
      const { code, detail, reason } = outcome;
      const retryable = outcome.state === 'later';
      const data = { error: detail, code, reason, retryable };
      // A payment that failed has failed for good in the extension: a client would sign a second one.
      if (code === 'settlement_unknown') {
        return { state: TaskState.TASK_STATE_WORKING, data, metadata: { [STATUS]: 'payment-submitted' } };
      }
      return inputRequired(data, { [STATUS]: 'payment-failed', [ERROR]: code });
    }
  }
}

export function taskOf(
  { id, contextId, history }: Pick<Task, 'id' | 'contextId' | 'history'>,
  { state, data, metadata }: Shown,
): Task {
  const value = JSON.parse(JSON.stringify(data)) as unknown;
  const part: Part = {
    content: { $case: 'data', value },
    mediaType: 'application/json',
    filename: '',
    metadata: undefined,
  };
  const message: Message = {
    messageId: crypto.randomUUID(),
    role: Role.ROLE_AGENT,
    contextId,
    taskId: id,
    parts: [part],
    extensions: [PAYMENT_EXTENSION],
    metadata: JSON.parse(JSON.stringify(metadata)),
    referenceTaskIds: [],
  };
  const isDone = state === TaskState.TASK_STATE_COMPLETED;
  const artifact = {
    artifactId: 'answer',
    name: 'answer',
    description: '',
    parts: [part],
    metadata: undefined,
    extensions: [],
  };
  return {
    id,
    contextId,
    status: { state, message, timestamp: new Date().toISOString() },
    artifacts: isDone ? [artifact] : [],
    history: [...history],
    metadata: undefined,
  };
}
