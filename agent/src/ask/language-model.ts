import { BowlineError } from '@bowline/core/domain/result';
import OpenAI from 'openai';
import type { ChatCompletionMessageParam } from 'openai/resources/chat/completions';
import type { LanguageModel, ModelTurn } from './model.ts';

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

export function createLanguageModel(options: LanguageModelOptions): LanguageModel {
  const client = new OpenAI({
    apiKey: options.apiKey,
    baseURL: options.baseUrl,
    timeout: options.timeoutMs ?? ROUND_MS,
    maxRetries: options.maxRetries ?? 1,
    // If omitted, the library would read these from the environment, which only the configuration may do.
    adminAPIKey: null,
    organization: null,
    project: null,
    logLevel: 'off',
  });

  return {
    async respond(conversation, tools, signal) {
      const message = await complete(
        client,
        {
          model: options.model,
          messages: conversation.map(toMessage),
          ...(tools.length > 0 && { tools: tools.map((tool) => ({ type: 'function' as const, function: tool })) }),
        },
        signal,
      );
      return {
        text: message.content ?? message.refusal ?? '',
        calls: (message.tool_calls ?? [])
          .filter((call) => call.type === 'function')
          .map((call) => ({ id: call.id, tool: call.function.name, argumentsJson: call.function.arguments })),
      };
    },
  };
}

async function complete(
  client: OpenAI,
  request: OpenAI.ChatCompletionCreateParamsNonStreaming,
  signal: AbortSignal | undefined,
): Promise<OpenAI.ChatCompletionMessage> {
  let completion: OpenAI.ChatCompletion;
  try {
    completion = await client.chat.completions.create(request, signal ? { signal } : {});
  } catch (cause) {
    // The error text may contain the key or the URL: it stays in `cause`.
    throw new BowlineError('model_unavailable', 'The language model does not answer.', { retryable: true, cause });
  }
  const message = completion.choices?.[0]?.message;
  if (message) return message;
  throw new BowlineError('model_unavailable', 'The language model returned no answer.', { retryable: true });
}

function toMessage(turn: ModelTurn): ChatCompletionMessageParam {
  switch (turn.role) {
    case 'tool':
      return { role: 'tool', tool_call_id: turn.callId, content: turn.text };
    case 'assistant':
      return {
        role: 'assistant',
        content: turn.text,
        ...(turn.calls.length > 0 && {
          tool_calls: turn.calls.map(({ id, tool, argumentsJson }) => ({
            id,
            type: 'function' as const,
            function: { name: tool, arguments: argumentsJson },
          })),
        }),
      };
    default:
      return { role: turn.role, content: turn.text };
  }
}
