import { type Message, type Part, Role, type Task, TaskState } from '@a2a-js/sdk';
import type { Json } from '@bowline/core/domain/payment';
import { BowlineError, type Result, success } from '@bowline/core/domain/result';
import type { Limit } from '@bowline/http/rate-limit';
import { callOf, inWords, type Question } from '../../payments/question.ts';
import type { Outcome, Till } from '../../payments/till.ts';
import { PAYMENT_EXTENSION } from './card.ts';
import { promptOf, type Reply, skillOf } from './reply.ts';

// x402's extension of A2A: a priced question becomes a task that requires a payment; the payer sends the payment with the
// task's ID, or with the question itself.

const STATUS = 'x402.payment.status';
const REQUIRED = 'x402.payment.required';
const PAYLOAD = 'x402.payment.payload';
const RECEIPTS = 'x402.payment.receipts';
const ERROR = 'x402.payment.error';
/** Also accepted as a header of the HTTP request. */
const IDEMPOTENCY_KEY = 'idempotency-key';

/** A message, and the task that it continues. */
interface Incoming {
  readonly message: Message;
  readonly task: Task | undefined;
  readonly taskId: string;
  readonly contextId: string;
  /** Of the HTTP request's header. */
  readonly idempotencyKey?: string | undefined;
}

/** Answers a priced question as a task. Undefined: it is free, or wrong in a way that costs nothing to say. */
export type ServePaid = (incoming: Incoming) => Promise<Task | undefined>;

export interface A2aTillParts {
  readonly till: Pick<Till, 'ask' | 'serve'>;
  readonly priced: readonly string[];
  /** Whether a question in words costs nothing. */
  readonly isFree: (prompt: string) => boolean;
  /** Reads a priced tool's input, equal for equal questions. */
  readonly read: (tool: string, input: unknown) => Result<string>;
  /** Counts paid answers, and paid answers in words. */
  readonly limit: Limit;
  readonly promptLimit: Limit;
  readonly publicUrl: string;
  /** The data of an answer in words. */
  readonly showAnswer: (answer: Json) => Reply;
}

export function createA2aTill(parts: A2aTillParts): ServePaid {
  const { till, priced, isFree, read, limit, promptLimit, publicUrl, showAnswer } = parts;

  function questionOf(content: readonly Part[]): Result<Question> | undefined {
    const { skill, input } = skillOf(content);
    if (skill !== undefined && priced.includes(skill)) {
      const asked = read(skill, input);
      return asked.ok ? success(callOf(skill, input, asked.value)) : asked;
    }
    const prompt = promptOf(content);
    return prompt === undefined || isFree(prompt) ? undefined : success(inWords(prompt));
  }

  return async ({ message, task, taskId, contextId, idempotencyKey }) => {
    const first = task?.history[0] ?? message;
    const question = questionOf(first.parts);
    // What is wrong with a call is told as it is where answers are free.
    if (question === undefined || !question.ok) return undefined;
    const resource = { url: `${publicUrl}/a2a`, description: 'One answer of Bowline' };
    const history = task?.history ?? [message];
    const show = (shown: Shown) => taskOf({ id: taskId, contextId, history }, shown);
    try {
      const payload = message.metadata?.[PAYLOAD];
      if (payload === undefined) return show(required(await till.ask(resource)));
      const isInWords = 'prompt' in question.value.ask;
      const outcome = await till.serve({
        payload,
        question: question.value,
        resource,
        limit: isInWords ? promptLimit : limit,
        idempotencyKey: idempotencyKey ?? textOf(message.metadata?.[IDEMPOTENCY_KEY]),
      });
      return show(told(outcome, (answer) => (isInWords ? showAnswer(answer) : answer)));
    } catch (error) {
      if (!(error instanceof BowlineError)) throw error;
      const { code, message: detail, retryable } = error;
      return show(inputRequired({ error: detail, code, retryable }, { [STATUS]: 'payment-failed', [ERROR]: code }));
    }
  };
}

interface Shown {
  readonly state: TaskState;
  readonly data: Json;
  readonly metadata: Json;
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** The payer may send another payment, or the same one again, with the same task. */
const inputRequired = (data: Json, metadata: Json): Shown => ({
  state: TaskState.TASK_STATE_INPUT_REQUIRED,
  data,
  metadata,
});

const required = (terms: Json, status = 'payment-required'): Shown =>
  inputRequired({ code: 'payment_required', required: terms }, { [STATUS]: status, [REQUIRED]: terms });

function told(outcome: Outcome, show: (answer: Json) => Json): Shown {
  switch (outcome.state) {
    case 'answered': {
      const metadata = { [STATUS]: 'payment-completed', [RECEIPTS]: [outcome.receipt] };
      return { state: TaskState.TASK_STATE_COMPLETED, data: show(outcome.answer), metadata };
    }
    case 'failed': {
      const { code, message, retryable } = outcome.failure;
      const metadata = { [STATUS]: 'payment-completed', [RECEIPTS]: [outcome.receipt] };
      return inputRequired({ error: message, code, retryable, credit: outcome.credit }, metadata);
    }
    case 'refused': {
      const { data, metadata } = required(outcome.required, 'payment-failed');
      const said = { error: outcome.detail, code: outcome.code, reason: outcome.reason, retryable: false };
      return inputRequired({ ...data, ...said }, { ...metadata, [ERROR]: outcome.code });
    }
    case 'over_limit': {
      const { limit, place, receipt } = outcome;
      const error = `The limit is ${limit.requests} answers per ${limit.seconds} seconds.`;
      const data = { error, code: 'rate_limited', retryable: true, retry_after: place.waitSeconds };
      const metadata = {
        [STATUS]: 'payment-failed',
        [ERROR]: 'rate_limited',
        ...(receipt && { [RECEIPTS]: [receipt] }),
      };
      return inputRequired(data, metadata);
    }
    default: {
      const { code, detail, reason } = outcome;
      const retryable = outcome.state === 'later';
      const data = { error: detail, code, reason, retryable };
      return inputRequired(data, { [STATUS]: 'payment-failed', [ERROR]: code });
    }
  }
}

function taskOf(
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
