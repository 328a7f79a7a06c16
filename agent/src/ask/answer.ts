import type { Answer } from '@bowline/core/domain/answer';
import type { Asset } from '@bowline/core/domain/assets';
import type { Log } from '@bowline/core/domain/log';
import { failure, type Result, success } from '@bowline/core/domain/result';
import { wrongAddressIn } from '@bowline/http/addresses';
import { type CallTool, failureOf } from '../tools/call.ts';
import { pricedTools } from '../tools/priced.ts';
import type { Tool } from '../tools/tool.ts';
import { answerByModel } from './by-model.ts';
import { answerByRules } from './by-rules.ts';
import type { LanguageModel } from './model.ts';

const ANSWER_MS = 45_000;

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
 * Answers a natural-language prompt by calling the tools, with or without a language model. Fails with
 * `invalid_address`, `model_unavailable`, `chain_unavailable`, `timeout` or `internal`; never throws.
 */
export function createAnswer(parts: AnswerParts): (prompt: string) => Promise<Result<Answer>> {
  const { model, timeoutMs = ANSWER_MS, log } = parts;
  return async (prompt) => {
    const wrong = wrongAddressIn(prompt);
    if (wrong !== undefined) return failure('invalid_address', wrong);
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(), timeoutMs);
    const timeout = new Promise<Result<Answer>>((resolve) => {
      const seconds = Math.round(timeoutMs / 1000);
      late.signal.addEventListener('abort', () => resolve(failure('timeout', `No answer within ${seconds} s.`, true)));
    });
    const tickets: unknown[] = [];
    const verdicts: unknown[] = [];
    const call: CallTool = async (name, input) => {
      const result = await parts.call(name, input);
      if (result.ok && 'ticket' in result.value && result.value.ticket) tickets.push(result.value.ticket);
      if (result.ok && pricedTools.includes(name) && 'verdict' in result.value) verdicts.push(result.value.verdict);
      return result;
    };
    // A draft names the recipient: a prompt injection with another address must find no draft tool.
    const tools = parts.tools.filter(({ effect }) => effect === 'read');
    const context = { ...parts, tools, call };
    const reply = model ? answerByModel(prompt, { ...context, model }, late.signal) : answerByRules(prompt, context);
    const answer = reply.then((result) => (result.ok ? success({ ...result.value, tickets, verdicts }) : result));
    const settled = answer.catch((error: unknown) =>
      failureOf(error, () => log.error('prompt.internal', { error: String(error) })),
    );
    try {
      return await Promise.race([settled, timeout]);
    } finally {
      clearTimeout(timer);
    }
  };
}
