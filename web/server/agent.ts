import { boundedText } from '@bowline/core/domain/bounded-text';
import { isProblemCode, type ProblemCode } from '@bowline/http/problems';
import { z } from 'zod';

/** The agent's refusal: its own code and sentence. */
export class AgentRefusal extends Error {
  readonly code: ProblemCode;
  readonly retryAfter: string | undefined;
  constructor(code: ProblemCode, detail: string, retryAfter?: string) {
    super(detail);
    this.code = code;
    this.retryAfter = retryAfter;
  }
}

/** The agent's HTTP API. */
export interface Agent {
  get(path: string, query: Readonly<Record<string, string>>): Promise<unknown>;
  post(path: string, body: unknown): Promise<unknown>;
  /** Its own report of its state, which it also returns when something is wrong. */
  ready(): Promise<unknown>;
  /** Its statement about its deployment and its work. */
  statement(): Promise<unknown>;
}

const refusal = z.object({ code: z.string(), detail: z.string() });

const timeoutMs = 50_000;
/** Timeout for its state and its statement, which it knows without asking anyone else. */
const ownMs = 5_000;

/** Size limit of an answer, many times the largest expected. Protects the memory of the page's server. */
const MAX_BYTES = 2_000_000;

/**
 * Every unsuccessful answer becomes an AgentRefusal.
 * @param url the agent's base URL.
 * @param headers sent with each request; they identify the page to the agent.
 */
export function connectAgent(url: string, headers: Readonly<Record<string, string>> = {}): Agent {
  const base = url.replace(/\/+$/, '');
  async function answerTo(path: string, init: RequestInit, limitMs: number) {
    try {
      const response = await fetch(base + path, { ...init, signal: AbortSignal.timeout(limitMs), redirect: 'error' });
      return { response, body: JSON.parse(await boundedText(response, MAX_BYTES)) };
    } catch {
      throw new AgentRefusal('agent_unavailable', 'The agent does not answer.');
    }
  }
  async function ask(path: string, init: RequestInit): Promise<unknown> {
    const { response, body } = await answerTo(path, init, timeoutMs);
    if (response.ok) return body;
    const { data } = refusal.safeParse(body);
    if (data === undefined || !isProblemCode(data.code)) {
      throw new AgentRefusal('agent_unavailable', 'The agent sent an unreadable answer.');
    }
    throw new AgentRefusal(data.code, data.detail, response.headers.get('retry-after') ?? undefined);
  }
  return {
    ready: async () => (await answerTo('/ready', { headers }, ownMs)).body,
    statement: async () => (await answerTo('/.well-known/bowline.json', { headers }, ownMs)).body,
    get: (path, query) => ask(`${path}?${new URLSearchParams(query)}`, { headers }),
    post: (path, body) =>
      ask(path, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
  };
}
