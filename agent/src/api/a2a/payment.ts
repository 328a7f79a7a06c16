import type { Message, Part, Task } from '@a2a-js/sdk';
import type { Json } from '@bowline/core/domain/payment';
import { BowlineError, type Result, success } from '@bowline/core/domain/result';
import type { Timers } from '@bowline/core/domain/time';
import type { Limit } from '@bowline/http/rate-limit';
import { declined } from '../../payments/declined.ts';
import { idempotencyKeyIn } from '../../payments/idempotency.ts';
import type { Known } from '../../payments/outcome.ts';
import { callOf, inWords, type Question } from '../../payments/question.ts';
import type { Till } from '../../payments/till.ts';
import {
  PAYLOAD,
  REJECTED,
  required,
  type Shown,
  STATUS,
  taskOf,
  told,
  unavailable,
  withReceipts,
} from './payment-task.ts';
import { promptOf, type Reply, skillOf } from './reply.ts';
import type { AskedTask, AskedTasks } from './tasks.ts';

// x402's extension of A2A: a priced question becomes a task that requires a payment; the payer sends the payment with the
// task's ID, or with the question itself.

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
  /** Whether anything has a price now. */
  readonly charges: boolean;
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
        idempotencyKey: idempotencyKeyIn(idempotencyKey, message.metadata?.[IDEMPOTENCY_KEY]),
        onSigned: async (payments) => {
          undo = (await tasks?.bind(taskId, payments)) ?? undo;
        },
      });
      if (!mayBeTaken(outcome)) undo();
      const receipt = outcome.state === 'refused' ? declined(outcome) : undefined;
      if (receipt !== undefined) await tasks?.decline(taskId, receipt);
      const asked = await tasks?.load(taskId);
      return withReceipts(shownTo(question, outcome), asked, asked && (await lookAt(asked, question)));
    } catch (error) {
      undo();
      return unavailable(error);
    }
  }

  /** What is known of the payments of a task, the newest first. */
  async function lookAt({ payments }: AskedTask, question: Question): Promise<readonly Known[]> {
    const known = await Promise.all(payments.map((payment) => till.look(payment, question)));
    return known.filter((each) => each !== undefined).reverse();
  }

  /** The last payment that tells something, and one with an answer before all others; else the terms. */
  async function shownOf(asked: AskedTask | undefined, question: Question, status?: string): Promise<Shown> {
    const known = asked === undefined ? [] : await lookAt(asked, question);
    const first = known.find(({ state }) => state === 'answered') ?? known[0];
    return withReceipts(first === undefined ? await unpaid(status) : shownTo(question, first), asked, known);
  }

  /** A task that is spoken to without a payment: as it is, lest a second payment be signed for it. */
  async function shownAgain({ message, taskId }: Incoming, question: Question): Promise<Shown> {
    return shownOf(await tasks?.load(taskId), question, message.metadata?.[STATUS] === REJECTED ? REJECTED : undefined);
  }

  return {
    charges: true,

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
      const shown = await shownOf(asked, question.value);
      return taskOf({ id, contextId: asked.contextId, history: [asked.message] }, shown);
    },

    changed: () => new Promise((resolve) => void timers.after(LOOK_MS, resolve)),
  };
}

const mayBeTaken = (outcome: Known): boolean =>
  ['answered', 'failed'].includes(outcome.state) ||
  (outcome.state === 'later' && outcome.code === 'settlement_unknown') ||
  (outcome.state === 'over_limit' && outcome.receipt !== undefined);
