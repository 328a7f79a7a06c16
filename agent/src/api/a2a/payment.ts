import { type Message, type Part, Role, type Task, TaskState } from '@a2a-js/sdk';
import type { Json } from '@bowline/core/domain/payment';
import type { Timers } from '@bowline/core/domain/ports';
import { BowlineError, type Result, success } from '@bowline/core/domain/result';
import type { Limit } from '@bowline/http/rate-limit';
import { declined } from '../../payments/declined.ts';
import type { Known } from '../../payments/outcome.ts';
import { callOf, inWords, type Question } from '../../payments/question.ts';
import type { Till } from '../../payments/till.ts';
import { PAYMENT_EXTENSION } from './card.ts';
import { promptOf, type Reply, skillOf } from './reply.ts';
import type { AskedTask, AskedTasks } from './tasks.ts';

// x402's extension of A2A: a priced question becomes a task that requires a payment; the payer sends the payment with the
// task's ID, or with the question itself.

const STATUS = 'x402.payment.status';
const REQUIRED = 'x402.payment.required';
const PAYLOAD = 'x402.payment.payload';
const RECEIPTS = 'x402.payment.receipts';
const ERROR = 'x402.payment.error';
const REJECTED = 'payment-rejected';
/** Also accepted as a header of the HTTP request. */
const IDEMPOTENCY_KEY = 'idempotency-key';

const LOOK_MS = 2_000;

/** A message, and the task that it continues. */
interface Incoming {
  readonly message: Message;
  readonly task: Task | undefined;
  readonly taskId: string;
  readonly contextId: string;
  /** Of the HTTP request's header. */
  readonly idempotencyKey?: string | undefined;
}

/**
 * Answers a priced question as a task, which is on disk by then. Undefined: it is free, or wrong in a way that costs nothing to say.
 * Throws BowlineError if there is no task: nothing was charged.
 */
type ServePaid = (incoming: Incoming) => Promise<Task | undefined>;

export interface A2aTill {
  readonly serve: ServePaid;
  /** A task as its payment is now. Undefined: there is none. */
  readonly load: (id: string) => Promise<Task | undefined>;
  /** Resolves when some task may have changed. */
  readonly changed: () => Promise<void>;
}

export interface A2aTillParts {
  readonly till: Pick<Till, 'ask' | 'serve' | 'look'>;
  /** Absent: no payment can be taken. */
  readonly tasks: AskedTasks | undefined;
  readonly timers: Timers;
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

export function createA2aTill(parts: A2aTillParts): A2aTill {
  const { till, tasks, timers, priced, isFree, read, limit, promptLimit, publicUrl, showAnswer } = parts;
  const resource = { url: `${publicUrl}/a2a`, description: 'One answer of Bowline' };

  function questionOf(content: readonly Part[]): Result<Question> | undefined {
    const { skill, input } = skillOf(content);
    if (skill !== undefined && priced.includes(skill)) {
      const asked = read(skill, input);
      return asked.ok ? success(callOf(skill, input, asked.value)) : asked;
    }
    const prompt = promptOf(content);
    return prompt === undefined || isFree(prompt) ? undefined : success(inWords(prompt));
  }

  const isInWords = ({ ask }: Question) => 'prompt' in ask;
  const shownTo = (question: Question, known: Known) =>
    told(known, (answer) => (isInWords(question) ? showAnswer(answer) : answer));

  /** What a task shows whose payment is not known, or has not come. Whoever has declined may still pay. */
  async function unpaid(status?: string): Promise<Shown> {
    try {
      return required(await till.ask(resource), status);
    } catch (error) {
      return unavailable(error);
    }
  }

  async function take({ message, taskId, idempotencyKey }: Incoming, question: Question, payload: unknown) {
    let undo = () => {};
    try {
      const outcome = await till.serve({
        payload,
        question,
        resource,
        limit: isInWords(question) ? promptLimit : limit,
        idempotencyKey: idempotencyKey ?? textOf(message.metadata?.[IDEMPOTENCY_KEY]),
        onSigned: async (payments) => {
          undo = (await tasks?.bind(taskId, payments)) ?? undo;
        },
      });
      if (!mayBeTaken(outcome)) undo();
      return shownTo(question, outcome);
    } catch (error) {
      undo();
      return unavailable(error);
    }
  }

  /** The last payment that tells something, and one with an answer before all others. */
  async function lookAt({ payments }: AskedTask, question: Question): Promise<Known | undefined> {
    const known = (await Promise.all(payments.map((payment) => till.look(payment, question)))).reverse();
    const told = known.filter((each) => each !== undefined);
    return told.find(({ state }) => state === 'answered') ?? told[0];
  }

  /** A task that is spoken to without a payment: as it is, lest a second payment be signed for it. */
  async function shownAgain({ message, taskId }: Incoming, question: Question): Promise<Shown> {
    const asked = await tasks?.load(taskId);
    const known = asked && (await lookAt(asked, question));
    if (known !== undefined) return shownTo(question, known);
    return unpaid(message.metadata?.[STATUS] === REJECTED ? REJECTED : undefined);
  }

  return {
    async serve(incoming) {
      const { message, task, taskId, contextId } = incoming;
      const first = task?.history[0] ?? message;
      const question = questionOf(first.parts);
      // What is wrong with a call is told as it is where answers are free.
      if (question === undefined || !question.ok) return undefined;
      const payload = message.metadata?.[PAYLOAD];
      const terms = task === undefined && payload === undefined ? required(await till.ask(resource)) : undefined;
      if (task === undefined) {
        if (tasks === undefined) throw new BowlineError('payment_unavailable', 'Payments are switched off.');
        await tasks.begin({ id: taskId, contextId, message });
      }
      const history = task?.history ?? [message];
      const shown =
        terms ??
        (await (payload === undefined
          ? shownAgain(incoming, question.value)
          : take(incoming, question.value, payload)));
      return taskOf({ id: taskId, contextId, history }, shown);
    },

    async load(id) {
      const asked = await tasks?.load(id);
      const question = asked && questionOf(asked.message.parts);
      // It may cost nothing any more, and have no payment.
      if (asked === undefined || question === undefined || !question.ok) return undefined;
      const known = await lookAt(asked, question.value);
      const shown = known === undefined ? await unpaid() : shownTo(question.value, known);
      return taskOf({ id, contextId: asked.contextId, history: [asked.message] }, shown);
    },

    changed: () => new Promise((resolve) => void timers.after(LOOK_MS, resolve)),
  };
}

function unavailable(error: unknown): Shown {
  if (!(error instanceof BowlineError)) throw error;
  const { code, message, retryable } = error;
  return inputRequired({ error: message, code, retryable }, { [STATUS]: 'payment-failed', [ERROR]: code });
}

const mayBeTaken = (outcome: Known): boolean =>
  ['answered', 'failed'].includes(outcome.state) ||
  (outcome.state === 'later' && outcome.code === 'settlement_unknown') ||
  (outcome.state === 'over_limit' && outcome.receipt !== undefined);

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

function told(outcome: Known, show: (answer: Json) => Json): Shown {
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
