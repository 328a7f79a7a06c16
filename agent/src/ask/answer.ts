import type { Answer, Reply } from '@bowline/core/domain/answer';
import type { Asset } from '@bowline/core/domain/assets';
import type { Log } from '@bowline/core/domain/log';
import { failure, type Result, success } from '@bowline/core/domain/result';
import { wrongAddressIn } from '@bowline/http/addresses';
import { type CallTool, failureOf } from '../tools/call.ts';
import { pricedTools } from '../tools/priced.ts';
import type { Tool } from '../tools/tool.ts';
import { answerByModel, type Turn } from './by-model.ts';
import { answerByRules } from './by-rules.ts';
import type { LanguageModel } from './model.ts';

const ANSWER_MS = 45_000;
/** The model must answer within this share of it; the rest is for the rules. */
const MODEL_SHARE = 2 / 3;

export interface AnswerParts {
  readonly tools: readonly Tool[];
  readonly call: CallTool;
  readonly assets: readonly Asset[];
  /** Absent: the rules answer. */
  readonly model?: LanguageModel;
  /** Timeout of a whole answer. */
  readonly timeoutMs?: number;
  readonly log: Log;
}

/**
 * Answers a natural-language prompt by calling the tools: with a language model, or by rules without one or if it
 * fails. Errors: `invalid_address`, `chain_unavailable`, `market_unavailable`, `timeout` or `internal`; never throws.
 * @returns takes the last turns of the same conversation, oldest first, for the model.
 */
export function createAnswer(
  parts: AnswerParts,
): (prompt: string, previous?: readonly Turn[]) => Promise<Result<Answer>> {
  const { model, assets, timeoutMs = ANSWER_MS, log } = parts;
  // A draft names the recipient: a prompt injection with another address must find no draft tool.
  const tools = parts.tools.filter(({ effect }) => effect === 'read');
  const timeout = failure('timeout', `No answer within ${Math.round(timeoutMs / 1000)} s.`, true);
  const byModel = async (asked: LanguageModel, prompt: string, previous: readonly Turn[]) => {
    const soon = AbortSignal.timeout(Math.floor(timeoutMs * MODEL_SHARE));
    const { call, withShown } = showing(parts.call, soon);
    const reply = await answerByModel(prompt, { model: asked, tools, call, previous }, soon);
    return reply && withShown(reply);
  };
  return async (prompt, previous = []) => {
    const wrong = wrongAddressIn(prompt);
    if (wrong !== undefined) return failure('invalid_address', wrong);
    const late = AbortSignal.timeout(timeoutMs);
    const answer = async (): Promise<Result<Answer>> => {
      const modelled = model && (await byModel(model, prompt, previous));
      if (modelled !== undefined && !isBare(modelled)) return modelled;
      const { call, withShown } = showing(parts.call, late);
      const ruled = withShown(await answerByRules(prompt, { assets, call }));
      // The model's bare facts are better than rules that fail or only ask back.
      return modelled !== undefined && (!ruled.ok || ruled.value.tools.length === 0) ? modelled : ruled;
    };
    return Promise.race([
      answer().catch((error: unknown) =>
        failureOf(error, () => log.error('prompt.internal', { error: String(error) })),
      ),
      new Promise<Result<Answer>>((resolve) => late.addEventListener('abort', () => resolve(timeout))),
    ]);
  };
}

/** Whether a failed model left only facts without a verdict. */
const isBare = (result: Result<Answer>): boolean =>
  result.ok && result.value.verdicts?.length === 0 && !result.value.parts?.comment && !result.value.parts?.leftOut;

/** Calls of one reply, and the reply with the tickets and verdicts that they gave before `signal`. */
function showing(callTool: CallTool, signal: AbortSignal) {
  const tickets: unknown[] = [];
  const verdicts: unknown[] = [];
  const call: CallTool = async (name, input) => {
    const result = await callTool(name, input);
    if (signal.aborted || !result.ok) return result;
    const { value } = result;
    if ('ticket' in value && value.ticket) tickets.push(value.ticket);
    if (pricedTools.includes(name) && 'verdict' in value) verdicts.push(value.verdict);
    return result;
  };
  const withShown = (reply: Result<Reply>): Result<Answer> =>
    reply.ok ? success({ ...reply.value, tickets, verdicts }) : reply;
  return { call, withShown };
}
