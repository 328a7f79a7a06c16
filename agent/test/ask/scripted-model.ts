import { text } from 'node:stream/consumers';
import { serve } from '../api/serve.ts';

interface ChatRequest {
  readonly model: string;
  readonly messages: readonly Record<string, unknown>[];
  readonly tools?: readonly { type: string; function: { name: string; parameters: Record<string, unknown> } }[];
}

/** What the model does in one round: says something, calls tools, sends a raw message, an HTTP status, or nothing. */
export type Step =
  | { readonly message: unknown }
  | { readonly say: string; readonly calls?: readonly [tool: string, argumentsJson: string][] }
  | { readonly status: number; readonly body?: string }
  | 'hang';

/** A server that speaks OpenAI's chat completions and follows a script; its last step is repeated. */
export async function scriptedModel(...script: [Step, ...Step[]]) {
  const requests: ChatRequest[] = [];
  const headers: Record<string, unknown>[] = [];
  const url = await serve(async (request, response) => {
    headers.push(request.headers);
    const body = await text(request);
    if (request.method !== 'POST' || request.url !== '/v1/chat/completions') return response.writeHead(404).end();
    const step = script[Math.min(requests.length, script.length - 1)] ?? 'hang';
    requests.push(JSON.parse(body));
    if (step === 'hang') return undefined;
    response.setHeader('content-type', 'application/json');
    if ('status' in step) return response.writeHead(step.status).end(step.body ?? '{"error":{"message":"sk-leaked"}}');
    const message = 'message' in step ? step.message : spoken(step, requests.length);
    return response.end(
      JSON.stringify({
        id: 'chatcmpl-1',
        object: 'chat.completion',
        created: 1,
        model: 'scripted',
        choices: [
          {
            index: 0,
            finish_reason: 'stop',
            message,
          },
        ],
      }),
    );
  });
  return { baseUrl: `${url}/v1`, requests, headers };
}

function spoken({ say, calls }: Extract<Step, { say: string }>, round: number) {
  const called = calls?.map(([name, args], index) => ({
    id: `call_${round}_${index}`,
    type: 'function',
    function: { name, arguments: args },
  }));
  return { role: 'assistant', content: say, ...(called && { tool_calls: called }) };
}
