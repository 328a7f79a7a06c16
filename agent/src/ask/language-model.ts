import type { LanguageModel, ModelTurn } from '@bowline/core/domain/ports';
import { BowlineError } from '@bowline/core/domain/result';
import OpenAI from 'openai';
import type { ChatCompletionMessageParam } from 'openai/resources/chat/completions';

export interface LanguageModelOptions {
  readonly apiKey: string;
  /** Of any service that speaks the same chat completions, e.g. https://api.openai.com/v1. */
  readonly baseUrl: string;
  readonly model: string;
  /** Of one round, retries apart. */
  readonly timeoutMs: number;
  /** Of one round, after an answer that a second try may mend: 408, 409, 429, 5xx or none. */
  readonly maxRetries: number;
}

export function createLanguageModel(options: LanguageModelOptions): LanguageModel {
  const client = new OpenAI({
    apiKey: options.apiKey,
    baseURL: options.baseUrl,
    timeout: options.timeoutMs,
    maxRetries: options.maxRetries,
    // Left out, these would be taken from the environment, which the configuration alone may read.
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
    // Its text may hold the key or the address: it stays in `cause`.
    throw new BowlineError('model_unavailable', 'The language model does not answer.', { retryable: true, cause });
  }
  const message = completion.choices?.[0]?.message;
  if (message) return message;
  throw new BowlineError('model_unavailable', 'The language model gave no answer.', { retryable: true });
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
