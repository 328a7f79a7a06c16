import { BowlineError } from '@bowline/core/domain/result';
import type OpenAI from 'openai';
import type { ChatCompletionMessageParam } from 'openai/resources/chat/completions';
import type { LanguageModel, ModelTurn } from './model.ts';
import { isFields, readMessage } from './read-message.ts';

export interface LanguageModelOptions {
  readonly apiKey: string;
  /** Base URL of any service with the chat completions API, e.g. https://api.openai.com/v1. */
  readonly baseUrl: string;
  readonly model: string;
  /** Timeout of one round, excluding retries. */
  readonly timeoutMs?: number;
  /** Retries per round after 408, 409, 429, 5xx or no response. */
  readonly maxRetries?: number;
}

const ROUND_MS = 20_000;
/** Statuses that concern only this conversation: too long, or against the service's rules. */
const refused = [400, 413, 422];

export function createLanguageModel(options: LanguageModelOptions): LanguageModel {
  let made: Promise<OpenAI> | undefined;
  // Loaded for the first question: most agents have no model, and start-up should not wait for it.
  const client = () => {
    made ??= import('openai').then(({ OpenAI }) => new OpenAI(clientOptions(options)));
    return made;
  };
  return {
    async respond(conversation, tools, signal) {
      const request = {
        model: options.model,
        messages: conversation.map(toMessage),
        ...(tools.length > 0 && { tools: tools.map((tool) => ({ type: 'function' as const, function: tool })) }),
      };
      let completion: unknown;
      try {
        completion = await (await client()).chat.completions.create(request, signal ? { signal } : {});
      } catch (cause) {
        const retryable = !refused.includes((cause as { status?: number }).status ?? 0);
        // The error text may contain the key or the URL: it stays in `cause`.
        throw new BowlineError('model_unavailable', 'The language model does not answer.', { retryable, cause });
      }
      const choices = isFields(completion) && Array.isArray(completion.choices) ? completion.choices : [];
      const message = isFields(choices[0]) ? choices[0].message : undefined;
      if (isFields(message)) return readMessage(message);
      throw new BowlineError('model_unavailable', 'The language model returned no answer.', { retryable: true });
    },
  };
}

function toMessage(turn: ModelTurn): ChatCompletionMessageParam {
  if (turn.role === 'tool') return { role: 'tool', tool_call_id: turn.callId, content: turn.text };
  if (turn.role !== 'assistant' || turn.calls.length === 0) return { role: turn.role, content: turn.text };
  const calls = turn.calls.map(({ id, tool, argumentsJson }) => ({
    id,
    type: 'function' as const,
    function: { name: tool, arguments: argumentsJson },
  }));
  return { role: 'assistant', content: turn.text, tool_calls: calls };
}

const clientOptions = ({ apiKey, baseUrl, timeoutMs, maxRetries }: LanguageModelOptions) => ({
  apiKey,
  baseURL: baseUrl,
  timeout: timeoutMs ?? ROUND_MS,
  maxRetries: maxRetries ?? 1,
  // If omitted, the library would read these from the environment, which only the configuration may do.
  adminAPIKey: null,
  organization: null,
  project: null,
  logLevel: 'off' as const,
});
